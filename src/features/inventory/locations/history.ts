import type { Histories } from '../../../kernel/events/history.js';
import { entity } from '../../../kernel/events/history.js';
import type { LocationEvent } from './events.js';

const about = ({ id }: { readonly id: string }) => [entity('location', id)];

export const locationHistory: Histories<LocationEvent> = {
  LocationCreated: {
    about,
    pt: ({ name }) => `O local ${name} foi criado.`,
    en: ({ name }) => `The location ${name} was created.`,
  },
  LocationChanged: {
    about,
    pt: ({ name, active }) => `O local ${name} foi alterado${active ? '' : ' e está inativo'}.`,
    en: ({ name, active }) => `The location ${name} was changed${active ? '' : ' and is inactive'}.`,
  },
  LocationDeleted: {
    about,
    pt: ({ id }, say) => `O local ${say.name('location', id)} foi excluído.`,
    en: ({ id }, say) => `The location ${say.name('location', id)} was deleted.`,
  },
};
