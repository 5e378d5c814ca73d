import { hash } from 'node:crypto';

/** 48 bits of a text's hash: an index of them is small. Two texts may share one, so what is found by it must be looked at. */
export const shortKey = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16);
