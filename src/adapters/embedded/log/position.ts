import type { Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';

const DIGITS = 16;
const POSITION = /^\d{16}$/;

/** Positions count from 1 without gaps; as text they are padded, so that they sort as they should. */
export const positionText = (position: number): Position =>
  position === 0 ? START : String(position).padStart(DIGITS, '0');

export const positionNumber = (position: Position): number => Number(position);

export const isPositionText = (token: string): boolean => token === START || POSITION.test(token);
