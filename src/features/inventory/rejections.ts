import { rejection } from '../../kernel/rejection.js';

export const INSUFFICIENT_STOCK = rejection(409, 'INSUFFICIENT_STOCK', 'There is not enough in stock');
export const LOT_NOT_FOUND = rejection(404, 'LOT_NOT_FOUND', 'There is no such lot');
