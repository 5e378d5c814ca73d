import { dayOf, startOfDay } from '../kernel/values/days.js';
import { uuidV5 } from '../kernel/values/ids.js';
import { Agenda } from './agenda.js';
import { Buyer } from './buying.js';
import { Chance } from './chance.js';
import { DAY, MINUTE } from './days.js';
import { Demand } from './demand.js';
import type { Business, Happening, Trader } from './happening.js';
import { BOARD_TAKES, Bakery } from './production.js';
import { Storeroom } from './storeroom.js';
import { Counter } from './visits.js';

/**
 * Sixty days of a bakery: what comes in, what is made and sold, what comes back and what is thrown away. The same for the same store. It has
 * become known of late: before that it sold less, and baked every other day.
 */

export const DAYS = 60;
/** Since so many days ago it bakes every day, and more people come from day to day. */
const KNOWN_SINCE = 20;
const AT_FIRST = 0.3;
/** So many more or fewer come than on such a day otherwise. */
const SWAY = 6;
const OPENS = 390;
const CLOSES = 1_190;
const TIDIED = 1_300;
const MORNING_BOARD = 300;
const EVENING_BOARD = 1_200;
const SUNDAY = 0;
const MONDAY = 1;
const SATURDAY = 6;

export function* trade(trader: Trader): Generator<Happening> {
  const today = dayOf(trader.until, trader.timeZone);
  const midnight = startOfDay(today, trader.timeZone);
  const business = {
    trader,
    idOf: (name: string) => uuidV5(trader.storeId, name),
    chance: new Chance(20_261_121),
    room: new Storeroom(),
    demand: new Demand(),
  };
  const shop = new Shop(business, trader.until < midnight + MORNING_BOARD * MINUTE + BOARD_TAKES);
  const noon = midnight + DAY / 2;
  for (let back = DAYS; back >= 0; back--) {
    const day = dayOf(noon - back * DAY, trader.timeZone);
    // What is later than now has not happened.
    for (const one of shop.day(day, back)) if (one.at <= trader.until) yield one;
  }
}

class Shop {
  private readonly buyer: Buyer;
  private readonly bakery: Bakery;
  private readonly counter: Counter;

  /** At night, before the board of today is written, the one of last evening is what there is. */
  constructor(
    private readonly business: Business,
    private readonly isNight: boolean,
  ) {
    this.buyer = new Buyer(business);
    this.bakery = new Bakery(business);
    this.counter = new Counter(business);
  }

  /** `back` counts the days before today. */
  *day(day: string, back: number): Generator<Happening> {
    const { chance, demand, trader } = this.business;
    const agenda = new Agenda();
    const start = startOfDay(day, trader.timeZone);
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    const bakesDaily = back <= KNOWN_SINCE;
    if (back === DAYS || weekday === MONDAY) this.buyer.week(agenda, day, start);
    if (bakesDaily || (DAYS - back) % 2 === 0) {
      const untilNext = bakesDaily ? 1 : 2;
      this.buyer.morning(agenda, day, start, untilNext);
      this.bakery.morning(agenda, day, start, { back, untilNext });
    }
    this.board(agenda, { day, back, start });
    if (back === 1) this.buyer.doubt(agenda, start);
    const known = Math.max(AT_FIRST, 1 - back / KNOWN_SINCE);
    const busy = Math.round((weekday === SUNDAY || weekday === SATURDAY ? 40 : 28) * known);
    for (let visits = chance.between(busy - SWAY, busy + SWAY); visits > 0; visits--) {
      agenda.add(start + chance.between(OPENS * 60, CLOSES * 60) * 1_000, (at) => this.counter.visit(agenda, day, at));
    }
    agenda.add(start + TIDIED * MINUTE, (at) => this.buyer.clear(at, day, start + DAY));
    yield* agenda.run();
    demand.endDay();
  }

  private board(
    agenda: Agenda,
    { day, back, start }: { readonly day: string; readonly back: number; readonly start: number },
  ): void {
    if (back !== (this.isNight ? 1 : 0)) return;
    const tomorrow = dayOf(start + DAY * 1.5, this.business.trader.timeZone);
    const ready = this.isNight ? tomorrow : day;
    const at = start + (this.isNight ? EVENING_BOARD : MORNING_BOARD) * MINUTE;
    this.bakery.board(agenda, { tomorrow, ready, at });
  }
}
