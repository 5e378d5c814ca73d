import type { Happening } from './happening.js';

interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Nothing when it does not come to it. */
  readonly happens: (at: number) => Happening | undefined;
}

/** A day in the order of time: what happens can bring about something later on the same day. */
export class Agenda {
  private readonly moments: Moment[] = [];

  add(at: number, happens: Moment['happens']): void {
    const before = this.moments.findLastIndex((moment) => moment.at <= at);
    this.moments.splice(before + 1, 0, { at, happens });
  }

  *run(): Generator<Happening> {
    for (let moment = this.moments.shift(); moment; moment = this.moments.shift()) {
      const happening = moment.happens(moment.at);
      if (happening) yield happening;
    }
  }
}
