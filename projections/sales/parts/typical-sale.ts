/** A sale as most of them are written: what others have in common with it is not stored with each of them. */

const LOT = '{"variantId":"","lotId":"","lotCode":"","quantity":1,"settledLater":false}';

export const TYPICAL_SALE = [
  '"status":"CANCELLED","status":"RETURNED","lots":[],"owed":[{"variantId":"","quantity":1}]',
  '"returns":[{"at":"","by":{"kind":"user"},"reason":null,"lines":[{"line":0,"quantity":1}],"total":1}]',
  '{"id":"","customerId":null,"number":1,"status":"COMPLETED","locationId":"","occurredAt":"2026-',
  `"items":[{"variantId":"","productId":"","description":"","unit":"UN","quantity":1,"unitPrice":1,"discount":0,"total":1,"returnedQuantity":0,"lots":[${LOT}],"owed":[]}]`,
  '"payments":[{"method":"CREDIT","method":"DEBIT","method":"CASH","method":"PIX","amount":1,"cardBrandId":null,"installments":null,"feePercent":null,"fee":0,"feePending":false,"accountId":null,"accountName":null,"fixedFee":0,"tendered":null,"change":null,"authorizationCode":null,"endToEndId":null,"description":null}]',
  '"total":1,"returnedTotal":0,"returns":[],"cancelledAt":null,"cancelReason":null,"createdBy":{"kind":"apiKey","id":"","name":""},"createdAt":"2026-","updatedAt":"2026-"}',
].join();
