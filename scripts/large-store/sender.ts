import type { StreamType } from '../../src/kernel/events/decider.js';
import { streamName } from '../../src/kernel/events/decider.js';
import type { Actor, DomainEvent } from '../../src/kernel/events/event.js';
import type { Lanes } from '../../src/kernel/lanes/lanes.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { toIso } from '../../src/kernel/values/clock.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { inventory } from '../../src/features/inventory/decider.js';
import type { Registers } from './registers.js';

export interface Filling {
  readonly lanes: Lanes;
  readonly storeId: string;
  readonly registers: Registers;
  readonly report: (text: string) => void;
}

const AT_ONCE = 256;
const DAY = 86_400_000;
const REPORT_EVERY = 10_000;

/** Sends commands, many at a time, in their order, with times that pass evenly. */
export class Sender {
  private readonly begin: number;
  private sent = 0;
  private running: Promise<unknown>[] = [];

  constructor(
    private readonly filling: Filling,
    private readonly expected: number,
    private readonly days: number,
  ) {
    this.begin = Date.now() - days * DAY;
  }

  now(): string {
    const part = Math.min(1, this.sent / this.expected);
    return toIso(Math.floor(this.begin + part * this.days * DAY));
  }

  async send(command: InventoryCommand, actor: Actor = SYSTEM): Promise<void> {
    await this.sendTo(inventory, streamName(inventory.category, this.filling.storeId), command, actor);
  }

  async sendTo<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    actor: Actor,
  ): Promise<void> {
    const { lanes, storeId, report } = this.filling;
    const at = this.now();
    const commandId = newId(Date.parse(at));
    const requestId = actor === SYSTEM ? 'large-store' : commandId;
    this.running.push(lanes.execute(type, stream, command, { commandId, storeId, actor, requestId, at }));
    this.sent++;
    if (this.sent % REPORT_EVERY === 0) report(`${this.sent} of about ${this.expected} commands`);
    if (this.running.length >= AT_ONCE) await this.settle();
  }

  async settle(): Promise<void> {
    await Promise.all(this.running);
    this.running = [];
  }

  id(): string {
    return newId(Date.parse(this.now()));
  }
}
