import { createHmac } from 'node:crypto';
import { NOTIFICATIONS } from '../../../src/features/fiscal/events.js';
import type { Delivery } from '../../../src/features/webhooks/deliveries.js';
import { delivery } from '../../../src/features/webhooks/deliveries.js';
import type { Shop } from '../catalogue-orders/shop.js';
import { Destinations } from './destinations.js';
import type { Received, Receivers } from './receivers.js';

/** What must not be once everything has come to rest: what was to be told, and to whom, is found by the log and another arithmetic. */

interface Happened {
  readonly index: number;
  readonly event: string;
  readonly documentId: string;
}

export async function faultsIn(shop: Shop, receivers: Receivers): Promise<readonly string[]> {
  const { world, storeId } = shop;
  const destinations = new Destinations(world.log.events, storeId);
  const happened = world.log.events.flatMap(({ type, data }, index): Happened[] => {
    if (!(type in NOTIFICATIONS)) return [];
    const { documentId } = (JSON.parse(data) as { readonly document: { readonly documentId: string } }).document;
    return [{ index, event: NOTIFICATIONS[type as keyof typeof NOTIFICATIONS], documentId }];
  });
  const faults = [...receivers.faults];
  for (const id of destinations.ids) {
    const rows = await world.vault.list(`webhook-delivery-${id}`, { limit: 10_000 });
    const all = rows.map(({ value }) => delivery.parse(value));
    for (const one of happened) faults.push(...faultsOfOne(one, id, all, destinations));
    for (const one of all) faults.push(...faultsOfDelivery(one, receivers));
    faults.push(...(await faultsOfList(shop, id, all)));
  }
  for (const one of receivers.received) faults.push(...faultsOfPost(one, happened, destinations, receivers));
  faults.push(...faultsOfTold(shop, receivers));
  const logged = world.errors.map((error) => `logged: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
  return [...faults, ...logged];
}

/** What one destination is told of one event. */
function faultsOfOne(
  { index, event, documentId }: Happened,
  id: string,
  all: readonly Delivery[],
  destinations: Destinations,
): string[] {
  const what = `${event} ${documentId} to ${id}`;
  const found = all.filter((one) => one.documentId === documentId && one.event === event);
  const [one] = found;
  const then = destinations.between(id, index, index).at(-1);
  const since = destinations.between(id, index, Infinity);
  const isOn = (known: typeof then) => known?.active === true && known.onSince < index;
  const mayHear =
    then?.active === true && since.some((known) => isOn(known) && (known?.events?.includes(event) ?? true));
  const mustHear = since.every((known) => isOn(known) && (known?.events?.includes(event) ?? true));
  return [
    ...(found.length > 1 ? [`told twice: ${what}`] : []),
    ...(one && one.status !== 'CANCELLED' && !mayHear ? [`told in spite of all: ${what}`] : []),
    ...(mustHear && one?.status !== 'DELIVERED' && one?.status !== 'FAILED'
      ? [`not told: ${what}, ${String(one?.status)}`]
      : []),
    ...(one?.status === 'CANCELLED' && since.every(isOn) ? [`cancelled in spite of all: ${what}`] : []),
  ];
}

function faultsOfDelivery(one: Delivery, { received, retryDelays, isSkewed }: Receivers): string[] {
  const { id, status, attempts, retriedAt } = one;
  const faults = ['PENDING', 'RETRYING'].includes(status) ? [`left open: ${id} ${status}`] : [];
  const heard = received.filter(({ headers }) => headers['X-Service-Delivery'] === id);
  if (heard.some(({ body }) => body !== one.body)) faults.push(`other bytes in another attempt: ${id}`);
  const answers = heard.flatMap((post) => post.heard ?? []);
  const isKnown = attempts.every(({ statusCode }) => {
    const at = answers.indexOf(statusCode ?? 0);
    return statusCode === null || (at >= 0 && answers.splice(at, 1).length > 0);
  });
  if (!isKnown) faults.push(`an attempt that nobody got: ${id}`);
  if (attempts.some(({ number }, index) => number !== index + 1)) faults.push(`attempts are missing: ${id}`);
  const last = attempts.at(-1);
  const isWell = last !== undefined && last.statusCode !== null && last.statusCode < 300;
  if ((status === 'DELIVERED') !== isWell) faults.push(`${id} is ${status} after ${String(last?.statusCode)}`);
  if (one.event === 'webhook.test' || retriedAt !== null) return faults;
  if (status === 'FAILED' && attempts.length !== retryDelays.length + 1) faults.push(`given up too early: ${id}`);
  const isEarly = attempts.some(({ at }, index) => {
    const before = attempts[index - 1];
    return before && Date.parse(at) - Date.parse(before.at) < before.durationMs + (retryDelays[index - 1] ?? 0);
  });
  if (isEarly && !isSkewed) faults.push(`tried again too early: ${id}`);
  return faults;
}

async function faultsOfList(shop: Shop, id: string, all: readonly Delivery[]): Promise<string[]> {
  const path = '/outbound-webhooks/{id}/deliveries';
  const asked = { method: 'get', path, params: { id }, query: { limit: '200' } };
  const told = await shop.world.done(shop.ask(shop.world.any(), asked));
  if (told.status === 404) return [];
  const shown = (told.body.items as readonly Delivery[]).map((one) => `${one.id} ${one.status}`);
  const kept = all.map((one) => `${one.id} ${one.status}`);
  return shown.join() === kept.join() ? [] : [`another list is shown: ${shown.join()} and not ${kept.join()}`];
}

/** What was sent is signed with the secret that counted, and goes to who was there then. */
function faultsOfPost(
  { url, headers, body, knownFrom, knownTo }: Received,
  happened: readonly Happened[],
  destinations: Destinations,
  { secrets, retried }: Receivers,
): string[] {
  const { id, event, data } = JSON.parse(body) as Delivery & { readonly data: { readonly documentId: string } };
  const destinationId = destinations.withUrl(url);
  if (destinationId === undefined) return [`somebody unknown is told: ${url}`];
  const about = happened.find((one) => one.event === event && one.documentId === data.documentId);
  const isTest = event === 'webhook.test';
  const wasRetried = retried.has(id);
  const fits = destinations.between(destinationId, knownFrom, knownTo).some((known) => {
    const secret = secrets.get(destinationId)?.get(known?.secretId);
    const isOn = known?.active && (wasRetried || known.onSince < (about?.index ?? 0));
    if (known?.url !== url || secret === undefined || !(isOn || isTest)) return false;
    const signed = createHmac('sha256', secret).update(`${headers['X-Service-Timestamp'] ?? ''}.${body}`);
    return headers['X-Service-Signature'] === `v1=${signed.digest('hex')}`;
  });
  return [
    ...(fits ? [] : [`sent as it was not to be: ${event} ${id} to ${url}`]),
    ...(isTest || about ? [] : [`nothing of that kind happened: ${event} ${id}`]),
    ...(headers['X-Service-Delivery'] === id && headers['X-Service-Event'] === event ? [] : [`other headers: ${id}`]),
  ];
}

/** Who was told a secret has one that counted. */
const faultsOfTold = ({ secrets: told }: Shop, { secrets }: Receivers): string[] =>
  [...told].flatMap(([id, all]) => {
    const known = [...(secrets.get(id)?.values() ?? [])];
    return all.every((secret) => known.includes(secret)) ? [] : [`a secret was told that is none: ${id}`];
  });
