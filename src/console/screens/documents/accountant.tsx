import { useState } from 'preact/hooks';
import { file, saveFile } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { Form } from '../../parts/form.js';
import { Link } from '../../parts/link.js';
import { MonthField } from '../../parts/month-field.js';
import { Page } from '../../parts/page.js';
import { isoDay, monthName } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { DocumentTabs } from './document-tabs.js';
import { words } from './words.js';

/** The month that ended last: what an accountant asks for. */
const lastMonth = (): string => isoDay(-Number(isoDay().slice(8))).slice(0, 7);

/** A ZIP without files is its directory's end alone, which many programs take for a broken file. */
const EMPTY_ARCHIVE_BYTES = 22;

/** All XML of a month in one file. */
export function Accountant() {
  const t = useWords(words);
  const [chosen, setMonth] = useState<string>();
  const month = chosen ?? lastMonth();
  const fetching = useCommand({
    send: async (wanted: string) => {
      const archive = await file(`/fiscal/documents/export?month=${wanted}`);
      const hasFiles = archive.blob.size > EMPTY_ARCHIVE_BYTES;
      if (hasFiles) saveFile(archive);
      return { month: wanted, hasFiles };
    },
    kinds: [],
  });
  return (
    <Page title={t('title')}>
      <DocumentTabs current="month" />
      <div class="checks">
        <p class="lead">{t('monthLead')}</p>
        <p>
          {t('monthEmpty')} <Link href="/documentos?show=toDo">{t('toDo')}</Link>
        </p>
      </div>
      <Form
        sending={fetching}
        submit={t('saveMonth')}
        onSubmit={() => {
          fetching.mutate(month);
        }}
      >
        <div class="filters">
          <MonthField
            label={t('month')}
            value={month}
            onValue={(value) => {
              setMonth(value);
              fetching.reset();
            }}
          />
        </div>
        {fetching.data?.hasFiles === false && (
          <p class="note" role="status">
            {t('nothingIssued', { month: monthName(fetching.data.month) })}
          </p>
        )}
      </Form>
    </Page>
  );
}
