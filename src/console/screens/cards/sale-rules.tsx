import { api, body } from '../../client/api.js';
import { ifMatch, useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { CheckField, SelectField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { Section } from '../../parts/page.js';
import { usePartForm, useSaving } from '../../parts/record-form.js';
import { useWords } from '../../words/words.js';
import type { Configuration } from './configuration.js';
import { KINDS } from './configuration.js';
import { words } from './words.js';

const MOST_INSTALLMENTS = 12;

/** What counts for every machine: whether cards cost anything, and how many instalments a sale may have. */
export function SaleRules({ configuration: { settings, etag } }: { readonly configuration: Configuration }) {
  const t = useWords(words);
  const may = useMay();
  const form = usePartForm({ enabled: settings.enabled, maxInstallments: String(settings.maxInstallments) }, (field) =>
    t(field === 'enabled' ? 'counted' : field),
  );
  const save = useCommand({
    send: ({ enabled, maxInstallments }: typeof form.values, headers) => {
      const changed = { settings: { enabled, maxInstallments: Number(maxInstallments) } };
      return body(api.PUT('/card-fees', { body: changed, headers: ifMatch(headers, { etag }) }));
    },
    kinds: KINDS,
    onDone: (_, sent) => {
      form.saved(sent);
    },
  });
  const canManage = may('cardFees.manage');
  const saving = useSaving(form, save, canManage);
  return (
    <Section title={t('rules')}>
      <Form
        sending={save}
        {...saving}
        form={form}
        conflict={form.conflict}
        disabled={saving.disabled || form.conflict !== undefined}
        onSubmit={() => {
          save.mutate(form.values);
        }}
      >
        <CheckField label={t('counted')} hint={t('countedHint')} disabled={!canManage} {...form.tick('enabled')} />
        <div class="filters">
          <SelectField
            label={t('maxInstallments')}
            required
            disabled={!canManage}
            {...form.field('maxInstallments')}
            choices={Array.from({ length: MOST_INSTALLMENTS }, (_, index) => String(index + 1)).map((count) => ({
              value: count,
              label: `${count}×`,
            }))}
          />
        </div>
      </Form>
    </Section>
  );
}
