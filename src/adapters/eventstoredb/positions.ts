import type { Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';

/** Where a record stands in EventStoreDB's log. */
interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const DIGITS = 20;
const PATTERN = /^\d{20}-\d{20}$/;

const padded = (part: bigint | number): string => part.toString().padStart(DIGITS, '0');

/** Zero-padded, so that the order of the texts is the order of the log. */
export const toPosition = ({ commit, prepare }: Record<keyof LogPosition, bigint | number>): Position =>
  `${padded(commit)}-${padded(prepare)}`;

export const toLogPosition = (position: Position): LogPosition => ({
  commit: BigInt(position.slice(0, DIGITS)),
  prepare: BigInt(position.slice(DIGITS + 1)),
});

export const isPosition = (token: string): boolean => token === START || PATTERN.test(token);
