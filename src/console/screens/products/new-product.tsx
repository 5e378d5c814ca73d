import { useSearch } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useDelayed } from '../../parts/delayed.js';
import { TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { Link } from '../../parts/link.js';
import { Page } from '../../parts/page.js';
import { withoutMarks } from '../../values/digits.js';
import { useWords } from '../../words/words.js';
import { frame } from '../../words/frame.js';
import { ProductFields } from './product-fields.js';
import { bodyOf, noProduct } from './product-values.js';
import { words } from './words.js';

/** A similar name may be the same goods once more: said before it is booked twice. */
function Similar({ description }: { readonly description: string }) {
  const t = useWords(words);
  const asked = useDelayed(description.trim(), 400);
  const match = useRead({
    key: ['products', 'match', asked],
    kinds: ['product'],
    when: asked.length >= 3,
    read: (signal) =>
      body(api.GET('/products/description-match', { params: { query: { description: asked } }, signal })),
  });
  const found = match.data as
    { readonly match?: { readonly id: string; readonly description: string } | null } | undefined;
  if (!found?.match) return null;
  return (
    <p class="note warn">
      <Link href={`/produtos/${found.match.id}`}>{t('similar', { name: found.match.description })}</Link>
    </p>
  );
}

export function NewProduct() {
  const t = useWords(words);
  const shared = useWords(frame);
  const goOn = useGoOn();
  const given = new URLSearchParams(useSearch());
  const form = useForm({
    ...noProduct,
    description: given.get('description') ?? '',
    gtin: given.get('gtin') ?? '',
  });
  const create = useCommand({
    send: (input: typeof form.values, headers) => {
      const gtin = withoutMarks(input.gtin);
      const { description = '', priceCash = 0, priceCredit = priceCash, ...rest } = bodyOf(input);
      const product = { description, priceCash, priceCredit, ...rest, ...(gtin === '' ? {} : { gtin }) };
      return body(api.POST('/products', { body: product, headers }));
    },
    adds: '/products',
    kinds: ['product'],
    onDone({ id }) {
      form.reset(form.values);
      goOn(`/produtos/${id}`, { replace: true });
    },
  });
  return (
    <Page title={t('create')} back={{ href: '/produtos', label: t('title') }}>
      <Form
        sending={create}
        submit={shared('save')}
        form={form}
        onSubmit={() => {
          create.mutate(form.values);
        }}
      >
        <ProductFields form={form as never} />
        <Similar description={form.values.description} />
        <TextField label={t('gtin')} hint={t('gtinHint')} inputMode="numeric" {...form.field('gtin')} />
      </Form>
    </Page>
  );
}
