import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/**
 * Prints carry their fonts along: who reads them may have others, whose letters are wider than the paper has room for. Arimo is as wide as
 * Helvetica and Arial are, and its Latin part has all the characters that the layout allows.
 */
export const REGULAR = 'Arimo';
export const BOLD = 'Arimo-Bold';

const require = createRequire(import.meta.url);
const fontFile = (weight: 400 | 700): Buffer =>
  readFileSync(require.resolve(`@fontsource/arimo/files/arimo-latin-${String(weight)}-normal.woff`));
const FILES = { [REGULAR]: fontFile(400), [BOLD]: fontFile(700) };

export function newDocument(options: PDFKit.PDFDocumentOptions): PDFKit.PDFDocument {
  // Without a name the library would begin with a font that is not carried along.
  const document = new PDFDocument({ ...options, font: '' });
  for (const [name, file] of Object.entries(FILES)) document.registerFont(name, file);
  return document;
}
