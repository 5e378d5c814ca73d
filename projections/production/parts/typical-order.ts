/** An order as most of them are written: what others have in common with it is not stored with each of them. */

const stage = (name: string) =>
  `{"stageId":"","name":"${name}","required":true,"workCenter":null,"standardMinutes":null,"done":false,"doneAt":null,"doneBy":null,"notes":null}`;

const LOT_PART = '{"variantId":"","lotId":"","lotCode":"","quantity":1,"cost":0.1}';
const TAKEN =
  '{"componentVariantId":"","lotId":"","lotCode":"","plannedQty":1,"quantity":1,"perBatch":1,"unitCost":0.1,"cost":0.1,"settledLater":false}';

export const TYPICAL_ORDER = [
  `"reversals":[{"at":"","by":{"kind":"user"},"reason":"","quantity":1,"fraction":1,"inputs":[${LOT_PART}],"byproducts":[],"costReversal":{"variantId":"","status":"REVERSED","before":0.1,"after":0.1},"coproductCostReversals":[]}]`,
  '"status":"PLANNED","status":"IN_PROGRESS","status":"CANCELLED","settledLater":true',
  '{"id":"","number":1,"status":"COMPLETED","recipeId":"","recipeVersion":1,"recipeName":"","finishedVariantId":"","nominalQty":1,"expectedQty":1',
  `"stages":[${stage('Misturar')}]`,
  '"batches":1,"locationId":"","outputLocationId":"","actualOutputQty":1,"lossQty":0,"lossPercent":0,"materialCost":0.1,"laborCost":0,"totalCost":0.1,"unitCost":0.1,"outputLotId":"","outputLotCode":"","outputExpiresAt":null,"expectedAt":null,"startedAt":null,"completedAt":"","cancelledAt":null',
  '"inputs":[{"componentVariantId":"","plannedQty":1,"quantity":1},{"componentVariantId":"","plannedQty":1,"quantity":1}]',
  `"consumptions":[${TAKEN},${TAKEN}],"byproducts":[],"reversals":[],"notes":null,"createdBy":{"kind":"apiKey","id":"","name":""},"createdAt":"2026-","updatedAt":"2026-"}`,
].join();
