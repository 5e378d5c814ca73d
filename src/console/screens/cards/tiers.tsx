import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { CheckField, NumberField, SelectField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { Lines } from '../../parts/lines.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { NONE, moment, money, monthName, plainMoney, readNumber } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Configuration } from './configuration.js';
import { CardTabs, KINDS, useConfiguration } from './configuration.js';
import { words } from './words.js';

export function Tiers() {
  const t = useWords(words);
  const may = useMay();
  const configuration = useConfiguration();
  return (
    <Page title={t('title')}>
      <CardTabs current="tiers" />
      <p class="lead">{t('tiersLead')}</p>
      <Shown reading={configuration}>
        {(found) => (
          <>
            {may('cardFees.manage') ? <OwnTiers configuration={found} /> : <TierFacts configuration={found} />}
            <ChooseNow configuration={found} />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** The same for who may only look. */
function TierFacts({ configuration: { accounts, autoAdjust } }: { readonly configuration: Configuration }) {
  const t = useWords(words);
  const shared = useWords(frame);
  return (
    <Facts
      facts={[
        [t('tiersOn'), shared(autoAdjust.enabled ? 'yes' : 'no')],
        ...autoAdjust.tiers.map(
          ({ minGross, accountId }) =>
            [`${t('from')} ${money(minGross)}`, accounts.find(({ id }) => id === accountId)?.name ?? '–'] as const,
        ),
      ]}
    />
  );
}

interface Tier {
  readonly minGross: string;
  readonly accountId: string;
}

interface TierValues {
  readonly enabled: boolean;
  readonly tiers: readonly Tier[];
}

type AutoAdjust = Configuration['autoAdjust'];

const valuesOf = ({ enabled, tiers }: AutoAdjust): TierValues => ({
  enabled,
  tiers: tiers.map(({ minGross, accountId }) => ({ minGross: plainMoney(minGross), accountId })),
});

/** The tiers with a tag of their own, which a change of a machine or a brand leaves as it is. */
function OwnTiers({ configuration: { accounts } }: { readonly configuration: Configuration }) {
  const reading = useRead({
    key: ['card-fees', 'auto-adjust'],
    kinds: KINDS,
    read: (signal) => tagged(api.GET('/card-fees/auto-adjust', { signal })),
  });
  return (
    <Shown reading={reading} fillsView>
      {(autoAdjust) => <TierForm {...{ autoAdjust, accounts }} />}
    </Shown>
  );
}

function TierForm({
  autoAdjust,
  accounts,
}: Pick<Configuration, 'accounts'> & { readonly autoAdjust: Tagged<AutoAdjust> }) {
  const t = useWords(words);
  const form = useRecordForm(autoAdjust, valuesOf, (field) => t(field === 'enabled' ? 'tiersOn' : field), {
    valueText: (field, { tiers }) =>
      field === 'enabled'
        ? undefined
        : tiers
            .map(
              ({ minGross, accountId }) =>
                `${t('from')} R$ ${minGross}: ${accounts.find(({ id }) => id === accountId)?.name ?? NONE}`,
            )
            .join('; ') || undefined,
  });
  const save = useCommand({
    send: ({ enabled, tiers }: TierValues, headers) => {
      const sent = tiers.map(({ minGross, accountId }) => ({ accountId, minGross: readNumber(minGross) ?? 0 }));
      const headersSent = ifMatch(headers, form);
      return tagged(api.PUT('/card-fees/auto-adjust', { body: { enabled, tiers: sent }, headers: headersSent }));
    },
    kinds: KINDS,
    onDone: (answer, sent) => {
      form.saved(sent, answer);
    },
  });
  const { tiers } = form.values;
  return (
    <Form
      sending={save}
      {...useSaving(form, save)}
      form={form}
      conflict={form.conflict}
      onSubmit={() => {
        save.mutate(form.values);
      }}
    >
      <CheckField label={t('tiersOn')} {...form.tick('enabled')} />
      <Lines
        lines={tiers}
        onLines={(next) => {
          form.set('tiers', next);
        }}
        fresh={accounts[0] && { minGross: '', accountId: accounts[0].id }}
        add={t('addTier')}
        remove={(n) => t('removeTier', { n })}
      >
        {({ minGross, accountId }, change, place) => (
          <>
            <NumberField
              label={t('from')}
              unit="R$"
              required
              path={`tiers[${String(place)}].minGross`}
              value={minGross}
              onValue={(value) => {
                change({ minGross: value });
              }}
            />
            <SelectField
              label={t('machine')}
              required
              path={`tiers[${String(place)}].accountId`}
              value={accountId}
              onValue={(value) => {
                change({ accountId: value });
              }}
              choices={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </>
        )}
      </Lines>
    </Form>
  );
}

const OUTCOMES = {
  applied: 'applied',
  unchanged: 'unchanged',
  below_first_tier: 'belowFirstTier',
  already_run: 'alreadyRun',
} as const;

/** The choice of the first of the month, made at once, and what came of it. */
function ChooseNow({ configuration: { autoAdjust } }: { readonly configuration: Configuration }) {
  const t = useWords(words);
  const may = useMay();
  const { enabled, tiers, lastMonth, lastAt } = autoAdjust;
  const run = useCommand({
    send: (_: null, headers) => body(api.POST('/card-fees/auto-adjust/run', { headers })),
    kinds: KINDS,
  });
  const result = run.data?.result;
  return (
    <Section title={t('run')}>
      <div class="checks">
        <p class="lead">{t('runLead')}</p>
        <p>
          {lastMonth === null ? t('neverRun') : t('lastRun', { month: monthName(lastMonth), when: moment(lastAt) })}
        </p>
        {may('cardFees.manage') && (
          <div class="row">
            <Button
              busy={run.isPending}
              disabled={!enabled || tiers.length === 0}
              onClick={() => {
                run.mutate(null);
              }}
            >
              {t('run')}
            </Button>
            {(!enabled || tiers.length === 0) && <span class="fine">{t('runFirst')}</span>}
          </div>
        )}
        {run.error && <ProblemNote error={run.error} />}
        {result && (
          <p class="note good" role="status">
            {t(OUTCOMES[result.status], {
              month: monthName(result.month),
              volume: money(result.volume),
              machine: result.accountName ?? '–',
            })}
          </p>
        )}
      </div>
    </Section>
  );
}
