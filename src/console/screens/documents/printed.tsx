import { useEffect, useState } from 'preact/hooks';
import { file } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { Section } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { useWords } from '../../words/words.js';
import { isGiven } from '../sales/documents-of.js';
import type { FiscalDocument } from './remedies.js';
import { words } from './words.js';

/**
 * Whether a page may show a PDF within itself. Safari, and every browser on an iPhone, lays the page's own policy on it, by which
 * nobody may frame anything: an empty sheet would stand there.
 */
export const showsPdfs = navigator.vendor !== 'Apple Computer, Inc.';

/** The PDF beside its document. */
export function Printed({ document }: { readonly document: FiscalDocument }) {
  const t = useWords(words);
  const { id, accessKey, status, links } = document;
  const title = t(isGiven(document) ? 'pdf' : 'pdfNotGiven');
  const pdf = useRead({
    key: ['document-pdf', id, accessKey, status],
    kinds: [],
    when: accessKey !== null,
    read: async () => (await file(links.pdf)).blob,
  });
  return (
    <Section title={title}>
      {accessKey === null ? (
        <Empty title={t('noPdf')} />
      ) : (
        <Shown reading={pdf}>{(blob) => <Sheet {...{ blob, title }} />}</Shown>
      )}
    </Section>
  );
}

function Sheet({ blob, title }: { readonly blob: Blob; readonly title: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return address ? <iframe class="pdf" src={address} title={title} /> : null;
}
