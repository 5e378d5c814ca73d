import { useEffect, useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useRead } from '../../client/queries.js';
import { Button, IconButton } from '../../parts/button.js';
import { useDelayed } from '../../parts/delayed.js';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import { useLineFocus } from '../../parts/line-focus.js';
import { NothingFound } from '../../parts/nothing-found.js';
import { Page, Section } from '../../parts/page.js';
import { PrintButton } from '../../parts/print-button.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Empty } from '../../parts/shown.js';
import { day, readNumber } from '../../values/formats.js';
import { lotCodeOf } from '../../values/gs1.js';
import { useWords } from '../../words/words.js';
import type { CodeKind } from './label.js';
import { useLabelFacts } from './label-facts.js';
import { LotLabel } from './label.js';
import { words } from './words.js';

const MOST_COPIES = 500;

/** `/rotulos?lot=ID&lot=ID`: each lot with its number of copies. */
export default function Labels() {
  const t = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const lotIds = parameters.getAll('lot');
  const [copies, setCopies] = useState<Readonly<Record<string, string>>>({});
  const [paper, setPaper] = useState('a4');
  const [code, setCode] = useState<CodeKind>('ean');
  const [withPrice, setWithPrice] = useState(true);
  const setLots = (ids: readonly string[]) => {
    setParameters(
      ids.map((id): [string, string] => ['lot', id]),
      { replace: true },
    );
  };
  const { facts: shown, error } = useLabelFacts(lotIds);
  const copiesOf = (lotId: string) =>
    Math.min(MOST_COPIES, Math.max(0, Math.floor(readNumber(copies[lotId] ?? '1') ?? 0)));
  const focus = useLineFocus<HTMLDivElement>('.line');
  const printed = shown.flatMap((label) => Array.from({ length: copiesOf(label.lotId) }, () => label));
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={printed.length > 0 && <PrintButton look="main">{t('print', { count: printed.length })}</PrintButton>}
    >
      <div class="no-print" ref={focus.element}>
        <FindLot
          onFound={(lotId, how) => {
            const search = focus.element.current?.querySelector('input');
            // A scanner goes on in the same field.
            if (how === 'entered' || lotIds.includes(lotId)) search?.focus();
            else focus.adding();
            if (!lotIds.includes(lotId)) setLots([...lotIds, lotId]);
          }}
        />
        <ProblemNote error={error} />
        {shown.length > 0 && (
          <Section title={t('chosen')}>
            {shown.map((label, place) => (
              <div class="line" key={label.lotId}>
                <div class="fields">
                  <NumberField
                    label={`${t('copies')}: ${label.description} ${label.lotCode ?? ''}`}
                    required
                    value={copies[label.lotId] ?? '1'}
                    onValue={(value) => {
                      setCopies((before) => ({ ...before, [label.lotId]: value }));
                    }}
                  />
                  <IconButton
                    icon="close"
                    label={t('remove', { lot: label.lotCode ?? label.description })}
                    onClick={() => {
                      focus.removing(place);
                      setLots(lotIds.filter((id) => id !== label.lotId));
                    }}
                  />
                </div>
              </div>
            ))}
            <div class="filters">
              <SelectField
                label={t('paper')}
                required
                value={paper}
                onValue={setPaper}
                choices={[
                  { value: 'a4', label: t('a4') },
                  { value: 'roll', label: t('roll') },
                ]}
              />
              <SelectField
                label={t('code')}
                required
                value={code}
                onValue={(value) => {
                  setCode(value as CodeKind);
                }}
                choices={[
                  { value: 'ean', label: t('ean') },
                  { value: 'qr', label: t('qr') },
                ]}
              />
              <CheckField label={t('withPrice')} checked={withPrice} onChecked={setWithPrice} />
            </div>
          </Section>
        )}
      </div>
      {printed.length === 0 ? (
        <Empty title={t('none')} />
      ) : (
        <section aria-label={t('preview')} class={`labels ${paper}`}>
          {printed.map((label, place) => (
            <LotLabel key={place} {...{ label, code, withPrice }} />
          ))}
        </section>
      )}
    </Page>
  );
}

/** Finds lots by code, name or scanner: Enter takes the one that is meant, where there is no other. */
function FindLot({ onFound }: { readonly onFound: (lotId: string, how: 'chosen' | 'entered') => void }) {
  const t = useWords(words);
  const [typed, setTyped] = useState('');
  const [isEntered, setEntered] = useState(false);
  const q = useDelayed(lotCodeOf(typed), 150);
  const lots = useRead({
    key: ['labels', 'find', q],
    kinds: ['lot'],
    when: q !== '',
    keep: true,
    read: (signal) => body(api.GET('/stock/lots', { params: { query: { q, limit: 8 } }, signal })),
  });
  const items = q === '' ? [] : (lots.data?.items ?? []);
  const names = useNames(items.map(({ variantId }) => variantId));
  const isSettled = q !== '' && q === lotCodeOf(typed) && !lots.isFetching;
  const take = (lotId: string, how: 'chosen' | 'entered') => {
    setEntered(false);
    setTyped('');
    onFound(lotId, how);
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    const bearing = items.filter(({ lotCode }) => lotCode === q);
    const meant = new Set((bearing.length > 0 ? bearing : items).map(({ lotId }) => lotId));
    const [only] = meant;
    if (only !== undefined && meant.size === 1) take(only, 'entered');
    // Which of several is meant, only a person knows: a wrong label is worse than one more key.
    else form.current?.querySelector<HTMLElement>('.agenda button')?.focus();
  });
  return (
    <form
      ref={form}
      noValidate
      onInput={() => {
        setEntered(false);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        setEntered(true);
      }}
    >
      <TextField label={t('find')} required value={typed} onValue={setTyped} autocomplete="off" />
      <div role="status">{isSettled && items.length === 0 && <NothingFound error={lots.error} />}</div>
      {items.length > 0 && (
        <ul class="agenda" aria-label={t('found')}>
          {items.map(({ lotId, locationId, lotCode, variantId, expiresOn }) => (
            <li key={lotId + locationId}>
              <span>{names(variantId)?.description ?? '…'}</span>
              <span class="fine">
                {lotCode ?? '–'} · {day(expiresOn)}
              </span>
              <Button
                icon="plus"
                aria-label={t('add', { lot: lotCode ?? names(variantId)?.description ?? '' })}
                onClick={() => {
                  take(lotId, 'chosen');
                }}
              >
                {t('title')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
