import type { StoredEvent } from '../../../src/ports/event-store.js';

/** What a log says of webhook destinations, told once more. */

interface Settings {
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[] | null;
}

interface Known extends Settings {
  readonly secretId: string | undefined;
  /** How long the log was when it was last switched on. */
  readonly onSince: number;
}

interface Stretch {
  /** The log had more events than this when it became so. */
  readonly from: number;
  readonly known: Known | undefined;
}

type Fact = { readonly destinationId: string; readonly secretId: string } & Settings;

export class Destinations {
  private readonly stretches = new Map<string, Stretch[]>();

  constructor(events: readonly StoredEvent[], storeId: string) {
    for (const [index, { stream, type, data }] of events.entries())
      if (stream === `webhooks-${storeId}`) this.add(index, type, JSON.parse(data) as Fact);
  }

  get ids(): readonly string[] {
    return [...this.stretches.keys()];
  }

  /** Who ever had the address. */
  withUrl(url: string): string | undefined {
    return this.ids.find((id) => this.stretches.get(id)?.some(({ known }) => known?.url === url));
  }

  /** What it was like while the log had so many events at least, and at most so many. */
  between(id: string, from: number, to: number): readonly (Known | undefined)[] {
    const all = this.stretches.get(id) ?? [];
    const until = (index: number) => all[index + 1]?.from ?? Infinity;
    const found = all.filter((stretch, index) => stretch.from < to && until(index) >= from).map(({ known }) => known);
    return (all[0]?.from ?? Infinity) >= from ? [undefined, ...found] : found;
  }

  private add(index: number, type: string, fact: Fact): void {
    const stretches = this.stretches.get(fact.destinationId) ?? [];
    this.stretches.set(fact.destinationId, stretches);
    const before = stretches.at(-1)?.known;
    stretches.push({ from: index, known: this.after(before, index, type, fact) });
  }

  private after(before: Known | undefined, index: number, type: string, fact: Fact): Known | undefined {
    if (type === 'WebhookDestinationRemoved') return undefined;
    if (type === 'WebhookSecretRotated') return before && { ...before, secretId: fact.secretId };
    const { url, active, events } = fact;
    const onSince = before?.active ? before.onSince : index;
    return { url, active, events, secretId: before?.secretId, onSince };
  }
}
