import { useNames } from '../../client/names.js';
import { useWords } from '../../words/words.js';
import { missingWords } from './remedies.js';
import { words } from './words.js';
import { Link } from '../../parts/link.js';

const AREAS = ['store.fiscal.address', 'customer.address'] as const;
const PRODUCT = /^products\.([0-9a-f-]{36})\.(taxRuleId|cest)$/;
const RULE = /^taxRules\.[0-9a-f-]{36}\.(.+)$/;

/** What a document lacks, said as people say it, each beside the way to where it is filled in. */
export function MissingData({ missing, saleId }: { readonly missing: readonly string[]; readonly saleId: string }) {
  const t = useWords(words);
  const say = useWords(missingWords);
  const variantOf = (path: string) => PRODUCT.exec(path)?.[1];
  const names = useNames(missing.map(variantOf));
  const called = (path: string): string => {
    const product = PRODUCT.exec(path);
    if (product) {
      const name = names(product[1])?.description ?? '…';
      return say(product[2] === 'cest' ? 'cest' : 'taxRuleId', { name });
    }
    const rule = RULE.exec(path);
    if (rule) return say('rule', { field: rule[1] ?? '' });
    const area = AREAS.find((start) => path.startsWith(`${start}.`));
    if (!area) return say(path as keyof typeof missingWords);
    return `${say(area)}: ${say(path.slice(area.length + 1) as keyof typeof missingWords)}`;
  };
  const wayTo = (path: string): readonly [href: string, label: string] | undefined => {
    const variant = variantOf(path);
    if (variant !== undefined) {
      const productId = names(variant)?.productId;
      return productId ? [`/produtos/${productId}`, t('toProduct')] : undefined;
    }
    if (path.startsWith('customer.') || path.startsWith('sale.')) return [`/vendas/${saleId}`, t('openSale')];
    return ['/configuracoes/fiscal', t('toStore')];
  };
  return (
    <ul class="missing">
      {missing.map((path) => {
        const way = wayTo(path);
        return (
          <li key={path}>
            {called(path)} {way && <Link href={way[0]}>{way[1]}</Link>}
          </li>
        );
      })}
    </ul>
  );
}
