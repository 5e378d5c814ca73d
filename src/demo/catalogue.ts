import { BAKED } from './baked.js';
import { RESOLD } from './resold.js';
import type { DemoShelf } from './rows.js';
import { SUPPLIES } from './supplies.js';

export const SHELVES: readonly DemoShelf[] = [...BAKED, ...RESOLD, ...SUPPLIES];
