import type { BackgroundWork } from '../kernel/reactors/background.js';

const MINUTE = 60_000;

/** What a watch looks at once a minute in every process: it tells once that something is wrong, and again when it is wrong again. */
export class Lookout {
  private isTold = false;

  constructor(
    private readonly name: string,
    private readonly isWell: () => boolean,
    private readonly tell: () => void,
  ) {}

  look(): void {
    const isWell = this.isWell();
    if (!isWell && !this.isTold) this.tell();
    this.isTold = !isWell;
  }

  background(): BackgroundWork {
    const run = () => {
      this.look();
    };
    return { schedules: [{ name: this.name, when: MINUTE, everywhere: true, run }] };
  }
}
