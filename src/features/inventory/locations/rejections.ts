import { rejection } from '../../../kernel/events/rejection.js';

export const LOCATION_IS_DEFAULT = rejection(
  409,
  'LOCATION_IS_DEFAULT',
  'A default location must stay and be active; make another one the default first',
);
export const LOCATION_IN_USE = rejection(409, 'LOCATION_IN_USE', 'The location has held stock; deactivate it instead');
