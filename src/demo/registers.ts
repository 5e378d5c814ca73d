import { brand } from '../features/brands/decider.js';
import { category } from '../features/categories/decider.js';
import { findProfile } from '../features/categories/profiles.js';
import { tag } from '../features/tags/decider.js';
import type { StreamType } from '../kernel/events/decider.js';
import type { NamedSet, NamedSetCommand, NamedSetEvent } from '../kernel/patterns/named-set.js';
import { uuidV5 } from '../kernel/values/ids.js';
import type { Commands } from '../kernel/lanes/commands.js';

const SUPPLIES: readonly (readonly [name: string, defaultNcm: string | null])[] = [
  ['Ingredientes', null],
  ['Embalagens', '48194000'],
];
const BRANDS = ['Fabricação própria', 'Moinho Dourado', 'Laticínios da Serra', 'Café do Vale', 'Doce Lar'];
const TAGS = ['Vegano', 'Sem glúten', 'Integral', 'Sem lactose', 'Fornada da manhã'];

/** The categories of a bakery with those of what it works with, its brands and tags. */
export async function fillRegisters(commands: Commands): Promise<void> {
  const fill = <Noun extends string, Plural extends string, F extends object>(
    type: StreamType<NamedSet<F>, NamedSetCommand<F>, NamedSetEvent<Noun, Plural, F>>,
    items: readonly (readonly [name: string, fields: F])[],
  ) =>
    commands.execute(type, {
      type: 'create',
      skipTaken: true,
      items: items.map(([name, fields]) => ({
        id: uuidV5(commands.storeId, `${type.category} ${name}`),
        name,
        fields,
      })),
    });
  const categories = [...(findProfile('bakery')?.categories ?? []), ...SUPPLIES];
  await fill(
    category,
    categories.map(([name, defaultNcm]) => [name, { defaultNcm }]),
  );
  await fill(
    brand,
    BRANDS.map((name) => [name, {}]),
  );
  await fill(
    tag,
    TAGS.map((name) => [name, {}]),
  );
}
