import { create as createQrCode } from 'qrcode';
import { code128 } from './code-128.js';
import { BOLD } from './document.js';

type Document = PDFKit.PDFDocument;

/** As shapes, so that a scanner reads it from any printer. */
export function drawQrCode(document: Document, text: string, x: number, y: number, side: number): void {
  const { modules } = createQrCode(text, { errorCorrectionLevel: 'M' });
  const step = side / modules.size;
  document.save().fillColor('black');
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) document.rect(x + column * step, y + row * step, step * 1.02, step * 1.02);
    }
  }
  document.fill().restore();
}

export function drawBarCode(
  document: Document,
  text: string,
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  const widths = code128(text);
  const step = place.width / widths.reduce((sum, width) => sum + width, 0);
  let at = place.x;
  document.save().fillColor('black');
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) document.rect(at, place.y, width * step, place.height);
    at += width * step;
  }
  document.fill().restore();
}

const LARGEST = 44;

/** Across the page, so that nobody takes it for a valid document. */
export function drawWatermark(document: Document, text: string): void {
  const { width, height } = document.page;
  document.save();
  document.rotate(-35, { origin: [width / 2, height / 2] });
  document.font(BOLD).fontSize(LARGEST);
  document.fontSize(Math.min(LARGEST, (LARGEST * width) / document.widthOfString(text)) * 0.95);
  document.fillColor('#c8c8c8', 0.55);
  document.text(text, 0, height / 2 - 30, { width, align: 'center' });
  document.restore().fillColor('black', 1);
}
