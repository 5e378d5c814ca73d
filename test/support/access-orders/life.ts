import { authFeature } from '../../../src/features/auth/feature.js';
import type { Life } from '../request-orders/explore.js';
import { World } from '../request-orders/world.js';
import * as account from './account-acts.js';
import { faultsIn } from './faults-in.js';
import { listen } from './listening-acts.js';
import { faultsOfListening } from './listening-faults.js';
import { People } from './people.js';
import * as signIn from './sign-in-acts.js';
import * as store from './store-acts.js';

type Act = (people: People) => unknown;

const ACTS: readonly Act[] = [
  signIn.login,
  signIn.login,
  signIn.login,
  signIn.verify,
  signIn.verify,
  signIn.enroll,
  signIn.enroll,
  signIn.switchOff,
  signIn.refresh,
  signIn.logout,
  signIn.switchStore,
  account.endOne,
  account.endOthers,
  account.listSessions,
  account.probe,
  account.probe,
  account.changePassword,
  account.changeNames,
  account.askForReset,
  account.reset,
  account.accept,
  account.prove,
  store.addUser,
  store.changeUser,
  store.removeUser,
  store.useKeys,
  store.useKeys,
  store.useCommandLine,
  listen,
  listen,
  listen,
  listen,
  (people) => {
    people.repeats.repeat();
  },
  (people) => {
    people.repeats.repeat();
  },
];

const MOST_STEPS = 12_000;

/** People of two stores sign in, change what others may do and are sent out, while processes die and answers get lost. */
export class AccessLife implements Life {
  private readonly world: World;
  private readonly people: People;

  constructor(seed: number) {
    this.world = new World(seed, [authFeature]);
    this.people = new People(this.world);
  }

  get faults(): readonly string[] {
    return this.people.faults;
  }

  get story(): readonly string[] {
    return this.world.schedule.story;
  }

  set onTold(hear: (line: string) => void) {
    this.world.schedule.onTold = hear;
  }

  async live(): Promise<void> {
    const { world, people } = this;
    const { draws, schedule } = world;
    await this.begin();
    world.lossy = draws.of([0, 0, 0, 0.02, 0.05]);
    let wishes = 15 + draws.under(60);
    let deaths = draws.of([0, 0, 1, 3]);
    const haste = draws.of([0.02, 0.1, 0.3]);
    // A life is mostly about few things: they meet more often so.
    const liked = Array.from({ length: 3 + draws.under(6) }, () => draws.of(ACTS));
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      schedule.now += draws.under(40);
      if (draws.chance(0.01)) schedule.now += draws.under(40_000);
      if (wishes > 0 && (!world.isBusy || draws.chance(haste))) {
        wishes -= 1;
        await draws.of(draws.chance(0.5) ? liked : ACTS)(people);
      }
      if (deaths > 0 && draws.chance(0.004)) {
        deaths -= 1;
        world.die();
      }
      if (!(await world.step()) && wishes === 0) break;
    }
    await world.comeToRest();
    for (let tries = 0; tries < 4; tries++) {
      account.probe(people);
      signIn.refresh(people);
    }
    await world.settle();
    await this.comeBack();
    people.faults.push(...faultsOfListening(people), ...(await faultsIn(people)));
    for (const process of world.processes) process.close();
  }

  /** Something happens while some who listen are away; then they come back. */
  private async comeBack(): Promise<void> {
    const { world, people } = this;
    for (const listener of people.listeners) if (world.draws.chance(0.5)) listener.leave();
    for (const store of people.stores)
      await people.addByCommandLine(store, `gil-${store.slug}`, `${store.slug}@x.br`, 'CASHIER');
    await world.settle();
    for (const listener of people.listeners) listener.comeToRest();
    await world.settle();
  }

  private async begin(): Promise<void> {
    const { world, people } = this;
    const { draws, schedule } = world;
    const isStrict = draws.chance(0.2);
    for (const slug of ['loja-a', 'loja-b'])
      people.stores.push({ slug, id: await world.newStore(slug, isStrict && slug === 'loja-b') });
    const [here, there] = people.stores;
    if (!here || !there) return;
    await people.addByCommandLine(here, 'ana', 'a@x.br', 'OWNER');
    await people.addByCommandLine(there, draws.of(['bia', 'duda']), 'b@x.br', 'OWNER');
    if (draws.chance(0.6))
      await people.addByCommandLine(here, 'caio', 'c@x.br', draws.of(['OWNER', 'MANAGER', 'CASHIER']));
    if (draws.chance(0.6)) await people.addByCommandLine(here, 'elza', 'b@x.br', 'MANAGER');
    const [ana] = people.accounts();
    signIn.logInAs(people, 'ana', people.passwordOf(ana?.userId ?? '') ?? '');
    await world.settle();
    if (draws.chance(0.5)) listen(people);
    if (!draws.chance(0.6)) return;
    signIn.beginEnrollment(people);
    await world.settle();
    const [half] = people.halfway;
    signIn.setUp(people, half?.token ?? '');
    await world.settle();
    signIn.confirm(people, half?.token ?? '', half?.secret ?? '');
    await world.settle();
    schedule.now += 31_000;
  }
}
