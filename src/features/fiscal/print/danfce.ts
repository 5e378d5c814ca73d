import { keyInGroups } from '../domain/access-key.js';
import { BOLD, newDocument, REGULAR } from './document.js';
import { drawQrCode, drawWatermark } from './drawing.js';
import type { PrintJob } from './printer.js';
import { brazilianNumber, paymentShown, reais, taxIdShown, timeShown } from './wording.js';
import type { XmlNode } from './xml-tree.js';

type Pdf = PDFKit.PDFDocument;

/** A roll of 80 mm. */
const WIDTH = 226.77;
const MARGIN = 9;
const INNER = WIDTH - 2 * MARGIN;
const QR_SIDE = 110;
const LONGEST = 14_000;

/** The consumer's print of model 65: as long as it needs to be. */
export function danfce(note: XmlNode, job: PrintJob): Pdf {
  const height = drawAll(newDocument({ size: [WIDTH, LONGEST], margin: MARGIN }), note, job) + MARGIN;
  const document = newDocument({ size: [WIDTH, height], margin: 0, info: { Title: 'DANFCE' } });
  if (job.status === 'CANCELLED') drawWatermark(document, 'CANCELADA');
  else if (note.get('infNFe/ide/tpAmb') === '2') drawWatermark(document, 'SEM VALOR FISCAL');
  drawAll(document, note, job);
  return document;
}

/** Gives how far down it came. */
function drawAll(document: Pdf, note: XmlNode, job: PrintJob): number {
  const writer = new Writer(document);
  header(writer, note);
  notices(writer, note, job);
  items(writer, note);
  totals(writer, note);
  consultation(writer, note);
  identity(writer, note, job);
  return writer.y;
}

interface Style {
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
}

class Writer {
  y = MARGIN;

  constructor(readonly document: Pdf) {}

  text(text: string, { size = 7, bold = false, align = 'left' }: Style): void {
    this.document
      .font(bold ? BOLD : REGULAR)
      .fontSize(size)
      .fillColor('black');
    const options = { width: INNER, align, lineGap: 0.5 };
    const height = this.document.heightOfString(text, options);
    this.document.text(text, MARGIN, this.y, options);
    this.y += height + 1;
  }

  pair(left: string, right: string, { size = 7, bold = false } = {}): void {
    this.document
      .font(bold ? BOLD : REGULAR)
      .fontSize(size)
      .fillColor('black');
    const room = INNER - this.document.widthOfString(right) - 4;
    const height = this.document.heightOfString(left, { width: room });
    this.document.text(left, MARGIN, this.y, { width: room });
    this.document.text(right, MARGIN, this.y, { width: INNER, align: 'right', lineBreak: false });
    this.y += height + 1;
  }

  rule(): void {
    this.y += 2;
    this.document
      .moveTo(MARGIN, this.y)
      .lineTo(WIDTH - MARGIN, this.y)
      .dash(2, { space: 2 })
      .lineWidth(0.5)
      .stroke();
    this.document.undash();
    this.y += 3;
  }
}

function header(writer: Writer, note: XmlNode): void {
  const issuer = note.find('infNFe/emit');
  const address = issuer?.find('enderEmit');
  if (!issuer || !address) return;
  const name = issuer.get('xFant') || issuer.get('xNome');
  writer.text(name, { size: 9, bold: true, align: 'center' });
  if (name !== issuer.get('xNome')) writer.text(issuer.get('xNome'), { align: 'center' });
  writer.text(`CNPJ ${taxIdShown(issuer.get('CNPJ'))}  IE ${issuer.get('IE')}`, { align: 'center' });
  const place = [
    address.get('xLgr'),
    address.get('nro'),
    address.get('xBairro'),
    address.get('xMun'),
    address.get('UF'),
  ];
  writer.text(place.join(', '), { align: 'center' });
  writer.rule();
  writer.text('Documento Auxiliar da Nota Fiscal de Consumidor Eletrônica', { bold: true, align: 'center' });
}

function notices(writer: Writer, note: XmlNode, { status, protocol }: PrintJob): void {
  const notice = (text: string) => {
    writer.text(text, { size: 8, bold: true, align: 'center' });
  };
  if (note.get('infNFe/ide/tpAmb') === '2') notice('EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL');
  if (note.get('infNFe/ide/tpEmis') === '9') {
    notice('EMITIDA EM CONTINGÊNCIA');
    if (protocol === null) notice('Pendente de autorização');
  }
  if (status === 'CANCELLED') notice('NFC-e CANCELADA');
  if (status === 'REJECTED' || status === 'FAILED' || status === 'VOIDED') notice('SEM VALOR: NÃO AUTORIZADA');
  writer.rule();
}

function items(writer: Writer, note: XmlNode): void {
  writer.pair('Código  Descrição  Qtde  Un  Valor unit.', 'Total', { bold: true, size: 6.5 });
  for (const detail of note.find('infNFe')?.all('det') ?? []) {
    const goods = detail.find('prod');
    if (!goods) continue;
    writer.text(`${goods.get('cProd')}  ${goods.get('xProd')}`, { size: 6.5 });
    const quantity = brazilianNumber(goods.get('qCom'), 0);
    const price = brazilianNumber(goods.get('vUnCom'), 2);
    writer.pair(`    ${quantity} ${goods.get('uCom')} x ${price}`, reais(goods.get('vProd')), { size: 6.5 });
  }
  writer.rule();
}

function totals(writer: Writer, note: XmlNode): void {
  const total = note.find('infNFe/total/ICMSTot');
  if (!total) return;
  writer.pair('Qtde. total de itens', String(note.find('infNFe')?.all('det').length ?? 0));
  writer.pair('Valor total R$', reais(total.get('vProd')));
  if (Number(total.get('vDesc')) > 0) writer.pair('Desconto R$', reais(total.get('vDesc')));
  writer.pair('Valor a pagar R$', reais(total.get('vNF')), { size: 9, bold: true });
  writer.pair('FORMA DE PAGAMENTO', 'VALOR PAGO R$', { bold: true });
  for (const paid of note.find('infNFe/pag')?.all('detPag') ?? []) {
    writer.pair(paymentShown(paid.get('tPag'), paid.get('xPag')), reais(paid.get('vPag')));
  }
  const change = note.get('infNFe/pag/vTroco');
  if (change !== '') writer.pair('Troco R$', reais(change));
  writer.rule();
}

function consultation(writer: Writer, note: XmlNode): void {
  writer.text('Consulte pela chave de acesso em', { bold: true, align: 'center' });
  writer.text(note.get('infNFeSupl/urlChave'), { align: 'center' });
  writer.text(keyInGroups(keyOf(note)), { size: 6.8, align: 'center' });
  const recipient = note.find('infNFe/dest');
  const document = recipient?.get('CPF') || recipient?.get('CNPJ') || '';
  const who = document === '' ? 'CONSUMIDOR NÃO IDENTIFICADO' : `CONSUMIDOR ${taxIdShown(document)}`;
  writer.text(recipient?.get('xNome') ? `${who}  ${recipient.get('xNome')}` : who, { bold: true, align: 'center' });
  writer.rule();
}

function identity(writer: Writer, note: XmlNode, job: PrintJob): void {
  const facts = note.find('infNFe/ide');
  if (!facts) return;
  const number = facts.get('nNF').padStart(9, '0');
  const series = facts.get('serie').padStart(3, '0');
  const title = `NFC-e nº ${number}  Série ${series}  ${timeShown(facts.get('dhEmi'))}`;
  writer.text(title, { bold: true, align: 'center' });
  if (job.protocol !== null) {
    writer.text(`Protocolo de autorização: ${job.protocol}`, { align: 'center' });
    if (job.authorizedAt !== null) writer.text(`Data de autorização: ${job.authorizedAt}`, { align: 'center' });
  }
  writer.y += 4;
  const code = note.get('infNFeSupl/qrCode');
  drawQrCode(writer.document, code, (WIDTH - QR_SIDE) / 2, writer.y, QR_SIDE);
  writer.y += QR_SIDE + 6;
  const said = note.get('infNFe/infAdic/infCpl');
  if (said !== '') writer.text(said, { size: 6, align: 'center' });
}

export const keyOf = (note: XmlNode): string => (note.find('infNFe')?.attributes['Id'] ?? '').slice(3);
