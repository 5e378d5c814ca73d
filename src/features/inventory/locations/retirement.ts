import { z } from 'zod';
import { Rejection } from '../../../kernel/events/rejection.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { BackgroundWork } from '../../../kernel/reactors/background.js';
import { SecondLook } from '../../../kernel/reactors/second-look.js';
import type { VaultWrite } from '../../../ports/vault.js';
import type { FeatureServices } from '../../contracts/feature.js';
import { locationsOf } from './choice.js';
import { locations } from './decider.js';
import type { LocationData } from './events.js';
import { locationData } from './events.js';
import { LOCATION_IN_USE } from './rejections.js';

const retirementTask = z.object({
  storeId: z.string(),
  /** As it was when it was deleted. */
  location: locationData,
});
type RetirementTask = z.output<typeof retirementTask>;

/** Lets nothing come to a location any more; refuses one that is used. */
export type Retire = (context: Commands, locationId: string) => Promise<unknown>;

/** The second step of a deletion. Who had chosen the location before and came to use it gets it back, and the refusal is thrown. */
export async function retireOrRestore(context: Commands, location: LocationData, retire: Retire): Promise<void> {
  try {
    await retire(context, location.id);
  } catch (error) {
    if (error instanceof Rejection) {
      const { storeId } = context;
      await context.execute(locations, { type: 'restore', storeId, location }, { name: 'restore' });
    }
    throw error;
  }
}

/** A row stored with the deletion of a location makes sure of its second step, also when the process ends between the two. */
export class LocationRetirements {
  private readonly secondLook: SecondLook<RetirementTask>;

  constructor(
    services: FeatureServices,
    private readonly retire: Retire,
  ) {
    this.secondLook = new SecondLook(
      {
        name: 'location-retirements',
        task: retirementTask,
        idOf: ({ location }) => location.id,
        finish: (context, task) => this.settle(context, task),
      },
      services,
    );
  }

  /** To be stored with the fact that the location is deleted. */
  row(context: Commands, location: LocationData): VaultWrite {
    return this.secondLook.row(context, { storeId: context.storeId, location });
  }

  get background(): BackgroundWork {
    return this.secondLook.background;
  }

  private async settle(context: Commands, { location }: RetirementTask): Promise<void> {
    // Its deletion was refused, or it has been restored.
    if ((await locationsOf(context)).byId.has(location.id)) return;
    try {
      await retireOrRestore(context, location, this.retire);
    } catch (error) {
      if (!(error instanceof Rejection && error.kind === LOCATION_IN_USE)) throw error;
    }
  }
}
