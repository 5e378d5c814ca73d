import type { Tagged } from '../../client/api.js';
import { api, body } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { CheckField } from '../../parts/fields.js';
import { Section } from '../../parts/page.js';
import { Outcome } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { useWords } from '../../words/words.js';
import type { Product } from './product-values.js';
import { words } from './words.js';

const isSameChoice = (one: readonly string[], other: readonly string[]): boolean =>
  String([...one].sort()) === String([...other].sort());

/** The tags of a product: each is put on and taken off at once. */
export function ProductTags({
  product,
  canChange,
}: {
  readonly product: Tagged<Product>;
  readonly canChange: boolean;
}) {
  const t = useWords(words);
  const { record } = product;
  const tags = useRead({
    key: ['/product-tags'],
    kinds: ['tag', 'product'],
    read: (signal) => body(api.GET('/product-tags', { signal })),
  });
  const change = useCommand({
    send: (tagIds: string[], headers) =>
      body(
        api.PUT('/products/{id}/tags', {
          params: { path: { id: record.id } },
          body: { tagIds },
          headers: ifMatch(headers, product),
        }),
      ),
    kinds: ['product', 'tag'],
  });
  return (
    <Section title={t('tags')}>
      <Shown reading={tags}>
        {(all) =>
          all.length === 0 ? (
            <p class="fine">{t('noTags')}</p>
          ) : (
            <div class="fields">
              {all.map(({ id, name }) => (
                <CheckField
                  key={id}
                  label={name}
                  checked={(change.isPending ? change.variables : record.tagIds).includes(id)}
                  disabled={!canChange}
                  waiting={change.isPending}
                  onChecked={(checked) => {
                    const others = record.tagIds.filter((tagId) => tagId !== id);
                    change.mutate(checked ? [...others, id] : others);
                  }}
                />
              ))}
            </div>
          )
        }
      </Shown>
      <Outcome error={change.error} isThere={isSameChoice(record.tagIds, change.variables ?? [])} />
    </Section>
  );
}
