import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { plainNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

const BASES = ['L', 'KG'] as const;
const MISSING = { unitVolumeLiters: 'unitVolumeLiters', densityKgPerL: 'densityOfRecipe' } as const;

/** What the density and the package make of the taxable unit, for who may write it on the product. */
export function Tributary({ recipeId }: { readonly recipeId: string }) {
  const may = useMay();
  return may('products.manage') ? <Suggested recipeId={recipeId} /> : null;
}

function Suggested({ recipeId }: { readonly recipeId: string }) {
  const t = useWords(words);
  const path = { id: recipeId };
  const suggestion = useRead({
    key: ['recipe', recipeId, 'tributary'],
    kinds: ['recipe', 'product'],
    read: (signal) =>
      body(api.GET('/bakery-production/recipes/{id}/tributary-suggestion', { params: { path }, signal })),
  });
  const apply = useCommand({
    send: (basis: (typeof BASES)[number], headers) =>
      body(
        api.POST('/bakery-production/recipes/{id}/apply-tributary-factor', {
          params: { path },
          body: { basis },
          headers,
        }),
      ),
    kinds: ['product', 'recipe'],
  });
  const { data } = suggestion;
  // Most goods are taxed by the unit in which they are sold: who began nothing of it is asked for nothing.
  if (data?.currentFactor === null && data.missing.length === Object.keys(MISSING).length) return null;
  return (
    <Section title={t('tributary')}>
      <Shown reading={suggestion}>
        {({ currentFactor, tributaryUnit, saleUnit, suggestedFactor, missing }) => {
          const wanted = missing.map((name) => (name in MISSING ? t(MISSING[name as keyof typeof MISSING]) : name));
          return (
            <>
              <p class="fine">
                {currentFactor === null
                  ? t('tributaryNone')
                  : t('tributaryNow', { factor: plainNumber(currentFactor), unit: tributaryUnit ?? '', saleUnit })}{' '}
                {wanted.length > 0 && t('tributaryMissing', { what: wanted.join('; ') })}
              </p>
              <div class="row">
                {BASES.map((basis) => {
                  const factor = suggestedFactor[basis];
                  const isUsed = currentFactor === factor && tributaryUnit === basis;
                  if (factor === null || isUsed) return null;
                  return (
                    <Button
                      key={basis}
                      busy={apply.isPending && apply.variables === basis}
                      onClick={() => {
                        apply.mutate(basis);
                      }}
                    >
                      {t('tributaryApply', { factor: plainNumber(factor), basis, saleUnit })}
                    </Button>
                  );
                })}
              </div>
            </>
          );
        }}
      </Shown>
      <ProblemNote error={apply.error} />
    </Section>
  );
}
