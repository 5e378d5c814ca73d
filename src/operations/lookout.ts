import type { BackgroundWork } from '../kernel/reactors/background.js';

const MINUTE = 60_000;

/** Looks at a watch once a minute in every process, and tells once that something is wrong, and again when it is wrong again. */
export class Lookout<S extends { readonly ok: boolean }> {
  private isTold = false;

  constructor(
    private readonly watch: { readonly name: string; status(): S },
    private readonly tell: (status: S) => void,
  ) {}

  look(): void {
    const status = this.watch.status();
    if (!status.ok && !this.isTold) this.tell(status);
    this.isTold = !status.ok;
  }

  background(): BackgroundWork {
    const run = () => {
      this.look();
    };
    return { schedules: [{ name: `${this.watch.name} watch`, when: MINUTE, everywhere: true, run }] };
  }
}
