import { rejection } from '../../../kernel/events/rejection.js';

export const DRILL_FINISHED = rejection(409, 'DRILL_FINISHED', 'The recall drill is finished');
