import { rejection } from '../../kernel/rejection.js';

export const INSUFFICIENT_STOCK = rejection(409, 'INSUFFICIENT_STOCK', 'There is not enough in stock');
export const LOT_NOT_FOUND = rejection(404, 'LOT_NOT_FOUND', 'There is no such lot');
export const RETURN_EXCEEDS_SOLD = rejection(
  409,
  'RETURN_EXCEEDS_SOLD',
  'More would be returned than is left of the sale',
);
export const SALE_CANCELLED = rejection(409, 'SALE_CANCELLED', 'The sale is cancelled');
export const SALE_FULLY_RETURNED = rejection(409, 'SALE_FULLY_RETURNED', 'Everything that was sold has been returned');
