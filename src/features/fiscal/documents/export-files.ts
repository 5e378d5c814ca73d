import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import type { DocumentStore } from '../issuing/document-store.js';
import { recordOf } from '../issuing/document-store.js';
import { monthOfKey } from '../domain/access-key.js';
import type { ZippedFile } from '../../../kernel/files/zip.js';
import type { XmlFile } from './xml-files.js';
import { cancellationFile, documentFile, voidFile } from './xml-files.js';

/**
 * The files of a month, one document after the other: those that the authority has, and the numbers that were given up. A document is of the
 * month that its key says, whatever time zone the store has since.
 */
export async function* filesOf(
  documents: DocumentStore,
  context: RequestContext,
  month: string,
  pages: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<ZippedFile> {
  for await (const page of pages) {
    for (const stored of page) {
      const record = recordOf(stored);
      const { status, model, accessKey } = record;
      if (accessKey === null || monthOfKey(accessKey) !== month) continue;
      const made: (XmlFile | undefined)[] = [];
      if (status === 'AUTHORIZED' || status === 'CANCELLED') {
        made.push(await documentFile(documents, context, record), await cancellationFile(documents, context, record));
      } else if (status === 'VOIDED') {
        made.push(await voidFile(documents, context, record));
      }
      for (const file of made) {
        if (file) yield { name: `${String(model)}/${file.name}`, content: Buffer.from(file.xml, 'utf8') };
      }
    }
  }
}
