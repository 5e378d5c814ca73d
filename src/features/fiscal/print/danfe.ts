import { keyInGroups } from '../domain/access-key.js';
import { keyOf } from './danfce.js';
import { BOLD, newDocument, REGULAR } from './document.js';
import { drawBarCode, drawWatermark } from './drawing.js';
import type { PrintJob } from './printer.js';
import {
  brazilianNumber,
  numberShown,
  paymentShown,
  postalCodeShown,
  reais,
  taxIdShown,
  timeShown,
} from './wording.js';
import type { XmlNode } from './xml-tree.js';

type Pdf = PDFKit.PDFDocument;

const MARGIN = 20;
const RIGHT = 595.28 - MARGIN;
const INNER = RIGHT - MARGIN;
const BOTTOM = 841.89 - MARGIN;
const FIELD = 22;

/** The print of model 55 on A4; its items go on over as many pages as they need. */
export function danfe(note: XmlNode, job: PrintJob): Pdf {
  const document = newDocument({ size: 'A4', margin: 0, bufferPages: true, info: { Title: 'DANFE' } });
  const page = new Page(document, note, job);
  page.begin();
  const rows = note.find('infNFe')?.all('det') ?? [];
  page.parties();
  page.totals();
  page.items(rows);
  page.footer();
  page.numberPages();
  return document;
}

interface Column {
  readonly title: string;
  readonly width: number;
  readonly align: 'left' | 'right' | 'center';
  readonly of: (detail: XmlNode) => string;
}

const tax = (detail: XmlNode): XmlNode | undefined => detail.find('imposto/ICMS')?.children[0];

const COLUMNS: readonly Column[] = [
  { title: 'CÓDIGO', width: 58, align: 'left', of: (detail) => detail.get('prod/cProd') },
  { title: 'DESCRIÇÃO DO PRODUTO', width: 128, align: 'left', of: described },
  { title: 'NCM', width: 40, align: 'center', of: (detail) => detail.get('prod/NCM') },
  {
    title: 'CST',
    width: 26,
    align: 'center',
    of: (d) => `${tax(d)?.get('orig') ?? ''}${tax(d)?.get('CSOSN') || tax(d)?.get('CST') || ''}`,
  },
  { title: 'CFOP', width: 26, align: 'center', of: (detail) => detail.get('prod/CFOP') },
  { title: 'UN', width: 24, align: 'center', of: (detail) => detail.get('prod/uCom') },
  { title: 'QTDE', width: 44, align: 'right', of: (detail) => brazilianNumber(detail.get('prod/qCom'), 0) },
  { title: 'V. UNIT.', width: 48, align: 'right', of: (detail) => brazilianNumber(detail.get('prod/vUnCom'), 2) },
  { title: 'V. TOTAL', width: 48, align: 'right', of: (detail) => reais(detail.get('prod/vProd')) },
  { title: 'DESC.', width: 36, align: 'right', of: (detail) => reais(detail.get('prod/vDesc')) },
  { title: 'ICMS', width: 41.28, align: 'right', of: (detail) => reais(tax(detail)?.get('vICMS') ?? '') },
  { title: 'IPI', width: 36, align: 'right', of: (detail) => reais(detail.get('imposto/IPI/IPITrib/vIPI')) },
];

/** So few that a row is never taller than a page, also where each takes two lines. */
const LOTS_OF_A_ROW = 30;

const lotsOf = (detail: XmlNode): readonly string[] =>
  (detail.find('prod')?.all('rastro') ?? []).map(
    (lot) => `Lote ${lot.get('nLote')} val. ${lot.get('dVal').split('-').reverse().join('/')}`,
  );

/** With the lots of it below. */
function described(detail: XmlNode): string {
  return [detail.get('prod/xProd'), ...lotsOf(detail).slice(0, LOTS_OF_A_ROW)].join('\n');
}

/** The texts of its columns, and of rows with nothing but the lots that the first has no room for. */
function rowsOf(detail: XmlNode): readonly (readonly string[])[] {
  const rows = [COLUMNS.map(({ of }) => of(detail))];
  const lots = lotsOf(detail);
  for (let from = LOTS_OF_A_ROW; from < lots.length; from += LOTS_OF_A_ROW) {
    const more = lots.slice(from, from + LOTS_OF_A_ROW).join('\n');
    rows.push(COLUMNS.map(({ of }) => (of === described ? more : '')));
  }
  return rows;
}

class Page {
  private y = MARGIN;

  constructor(
    private readonly document: Pdf,
    private readonly note: XmlNode,
    private readonly job: PrintJob,
  ) {}

  begin(): void {
    const { status } = this.job;
    if (status === 'CANCELLED') drawWatermark(this.document, 'CANCELADA');
    else if (this.ide('tpAmb') === '2') drawWatermark(this.document, 'SEM VALOR FISCAL');
    this.y = MARGIN;
    this.head();
  }

  private ide(name: string): string {
    return this.note.get(`infNFe/ide/${name}`);
  }

  private field(
    title: string,
    text: string,
    x: number,
    width: number,
    align: 'left' | 'right' | 'center' = 'left',
  ): void {
    const { document } = this;
    document.rect(x, this.y, width, FIELD).lineWidth(0.5).stroke();
    document.font(REGULAR).fontSize(5).fillColor('black');
    document.text(title, x + 2, this.y + 2, { width: width - 4, lineBreak: false });
    document.font(BOLD).fontSize(8);
    const room = width - 4;
    let size = 8;
    while (document.widthOfString(text) > room && size > 4.5) document.fontSize((size -= 0.5));
    document.text(text, x + 2, this.y + 10, { width: room, height: FIELD - 10, align, ellipsis: true });
  }

  /** Fields side by side, by their shares of the width. */
  private fields(
    ...all: readonly (readonly [title: string, text: string, share: number, align?: 'right' | 'center'])[]
  ): void {
    const whole = all.reduce((sum, [, , share]) => sum + share, 0);
    let x = MARGIN;
    for (const [title, text, share, align] of all) {
      const width = (INNER * share) / whole;
      this.field(title, text, x, width, align);
      x += width;
    }
    this.y += FIELD;
  }

  private title(text: string): void {
    this.document
      .font(BOLD)
      .fontSize(6.5)
      .fillColor('black')
      .text(text, MARGIN, this.y + 4, { lineBreak: false });
    this.y += 13;
  }

  private head(): void {
    const { document, note } = this;
    const issuer = note.find('infNFe/emit');
    const height = 92;
    const [left, middle] = [230, 95];
    document
      .rect(MARGIN, this.y, left, height)
      .rect(MARGIN + left, this.y, middle, height)
      .lineWidth(0.5)
      .stroke();
    document.rect(MARGIN + left + middle, this.y, INNER - left - middle, height).stroke();
    document.font(BOLD).fontSize(11).fillColor('black');
    document.text(issuer?.get('xNome') ?? '', MARGIN + 6, this.y + 12, { width: left - 12, align: 'center' });
    document.font(REGULAR).fontSize(8);
    document.text(this.issuerAddress(issuer), MARGIN + 6, this.y + 44, { width: left - 12, align: 'center' });
    this.headMiddle(MARGIN + left, middle);
    this.headRight(MARGIN + left + middle, INNER - left - middle);
    this.y += height;
    const { protocol, authorizedAt } = this.job;
    const authorized = protocol === null ? this.unauthorized() : `${protocol}  ${authorizedAt ?? ''}`;
    this.fields(['NATUREZA DA OPERAÇÃO', this.ide('natOp'), 5], ['PROTOCOLO DE AUTORIZAÇÃO DE USO', authorized, 4]);
    this.fields(
      ['INSCRIÇÃO ESTADUAL', issuer?.get('IE') ?? '', 1],
      ['INSCRIÇÃO ESTADUAL DO SUBST. TRIB.', '', 1],
      ['CNPJ', taxIdShown(issuer?.get('CNPJ') ?? ''), 1],
    );
  }

  private unauthorized(): string {
    return this.job.status === 'PENDING' ? 'PENDENTE DE AUTORIZAÇÃO' : 'SEM VALOR: NÃO AUTORIZADA';
  }

  private issuerAddress(issuer: XmlNode | undefined): string {
    const address = issuer?.find('enderEmit');
    if (!address) return '';
    const street = `${address.get('xLgr')}, ${address.get('nro')} ${address.get('xCpl')}`.trim();
    const city = `${address.get('xMun')} - ${address.get('UF')}  CEP ${postalCodeShown(address.get('CEP'))}`;
    const phone = address.get('fone');
    return [street, address.get('xBairro'), city, ...(phone === '' ? [] : [`Fone ${phone}`])].join('\n');
  }

  private headMiddle(x: number, width: number): void {
    const { document } = this;
    const centre = { width: width - 8, align: 'center' as const };
    document
      .font(BOLD)
      .fontSize(13)
      .text('DANFE', x + 4, this.y + 6, centre);
    document
      .font(REGULAR)
      .fontSize(6)
      .text('Documento Auxiliar da Nota Fiscal Eletrônica', x + 4, this.y + 22, centre);
    document.fontSize(7).text('0 - ENTRADA\n1 - SAÍDA', x + 10, this.y + 40, { width: 50 });
    document.rect(x + width - 26, this.y + 39, 16, 18).stroke();
    document
      .font(BOLD)
      .fontSize(11)
      .text(this.ide('tpNF'), x + width - 26, this.y + 43, { width: 16, align: 'center' });
    document.fontSize(8).text(`Nº ${numberShown(this.ide('nNF'))}`, x + 4, this.y + 62, centre);
    document.text(`SÉRIE ${this.ide('serie')}`, x + 4, this.y + 72, centre);
  }

  private headRight(x: number, width: number): void {
    const { document } = this;
    const key = keyOf(this.note);
    drawBarCode(document, key, { x: x + 12, y: this.y + 6, width: width - 24, height: 34 });
    document
      .font(REGULAR)
      .fontSize(5)
      .fillColor('black')
      .text('CHAVE DE ACESSO', x + 6, this.y + 45);
    document
      .font(BOLD)
      .fontSize(7)
      .text(keyInGroups(key), x + 6, this.y + 52, { width: width - 12, align: 'center' });
    const place =
      'Consulta de autenticidade no portal nacional da NF-e\nwww.nfe.fazenda.gov.br/portal ou no site da Sefaz autorizadora';
    document
      .font(REGULAR)
      .fontSize(7)
      .text(place, x + 6, this.y + 68, { width: width - 12, align: 'center' });
  }

  parties(): void {
    const recipient = this.note.find('infNFe/dest');
    const address = recipient?.find('enderDest');
    const issued = timeShown(this.ide('dhEmi'));
    const document = recipient?.get('CNPJ') || recipient?.get('CPF') || '';
    this.title('DESTINATÁRIO / REMETENTE');
    this.fields(
      ['NOME / RAZÃO SOCIAL', recipient?.get('xNome') ?? '', 5],
      ['CNPJ / CPF', taxIdShown(document), 2],
      ['DATA DA EMISSÃO', issued.slice(0, 10), 1.5, 'center'],
    );
    const street = address ? `${address.get('xLgr')}, ${address.get('nro')} ${address.get('xCpl')}`.trim() : '';
    this.fields(
      ['ENDEREÇO', street, 4],
      ['BAIRRO', address?.get('xBairro') ?? '', 2],
      ['CEP', postalCodeShown(address?.get('CEP') ?? ''), 1],
      ['HORA DA EMISSÃO', issued.slice(11), 1.5, 'center'],
    );
    this.fields(
      ['MUNICÍPIO', address?.get('xMun') ?? '', 4],
      ['UF', address?.get('UF') ?? '', 0.6, 'center'],
      ['FONE', address?.get('fone') ?? '', 2],
      ['INSCRIÇÃO ESTADUAL', recipient?.get('IE') ?? '', 2],
    );
  }

  totals(): void {
    const total = this.note.find('infNFe/total/ICMSTot');
    const value = (name: string) => reais(total?.get(name) ?? '');
    this.title('CÁLCULO DO IMPOSTO');
    this.fields(
      ['BASE DE CÁLCULO DO ICMS', value('vBC'), 1, 'right'],
      ['VALOR DO ICMS', value('vICMS'), 1, 'right'],
      ['BASE DO ICMS SUBST.', value('vBCST'), 1, 'right'],
      ['VALOR DO ICMS SUBST.', value('vST'), 1, 'right'],
      ['VALOR TOTAL DOS PRODUTOS', value('vProd'), 1, 'right'],
    );
    this.fields(
      ['VALOR DO FRETE', value('vFrete'), 1, 'right'],
      ['VALOR DO SEGURO', value('vSeg'), 1, 'right'],
      ['DESCONTO', value('vDesc'), 1, 'right'],
      ['OUTRAS DESPESAS', value('vOutro'), 1, 'right'],
      ['VALOR DO IPI', value('vIPI'), 1, 'right'],
      ['VALOR TOTAL DA NOTA', value('vNF'), 1, 'right'],
    );
    this.title('TRANSPORTE / PAGAMENTO');
    const volume = this.note.find('infNFe/transp/vol');
    const paid = (this.note.find('infNFe/pag')?.all('detPag') ?? []).map(
      (one) => `${paymentShown(one.get('tPag'), one.get('xPag'))} ${reais(one.get('vPag'))}`,
    );
    this.fields(
      ['FRETE POR CONTA', '9 - SEM FRETE', 1.4],
      ['QUANTIDADE', volume?.get('qVol') ?? '', 0.8, 'right'],
      ['ESPÉCIE', volume?.get('esp') ?? '', 1],
      ['PESO BRUTO', brazilianNumber(volume?.get('pesoB') ?? '', 0), 0.8, 'right'],
      ['PESO LÍQUIDO', brazilianNumber(volume?.get('pesoL') ?? '', 0), 0.8, 'right'],
      ['PAGAMENTO', paid.join('; '), 4],
    );
  }

  items(details: readonly XmlNode[]): void {
    this.itemHead();
    for (const texts of details.flatMap(rowsOf)) {
      const height = this.heightOf(texts);
      if (this.y + height > BOTTOM - 14) {
        this.document.addPage();
        this.begin();
        this.itemHead();
      }
      this.row(texts, height);
    }
  }

  private itemHead(): void {
    this.title('DADOS DOS PRODUTOS');
    let x = MARGIN;
    this.document.font(BOLD).fontSize(5.5);
    for (const { title, width } of COLUMNS) {
      this.document.rect(x, this.y, width, 11).lineWidth(0.5).stroke();
      this.document.text(title, x + 1, this.y + 3, { width: width - 2, align: 'center', lineBreak: false });
      x += width;
    }
    this.y += 11;
  }

  private heightOf(texts: readonly string[]): number {
    this.document.font(REGULAR).fontSize(6.5);
    const heights = COLUMNS.map(({ width }, index) =>
      this.document.heightOfString(texts[index] ?? '', { width: width - 4 }),
    );
    return Math.max(...heights) + 4;
  }

  private row(texts: readonly string[], height: number): void {
    let x = MARGIN;
    this.document.font(REGULAR).fontSize(6.5).fillColor('black');
    for (const [index, { width, align }] of COLUMNS.entries()) {
      this.document.rect(x, this.y, width, height).lineWidth(0.25).stroke();
      this.document.text(texts[index] ?? '', x + 2, this.y + 2.5, { width: width - 4, align });
      x += width;
    }
    this.y += height;
  }

  footer(): void {
    const notices = [
      ...(this.ide('tpAmb') === '2' ? ['EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL'] : []),
      ...(this.job.status === 'CANCELLED' ? ['NF-e CANCELADA'] : []),
      this.note.get('infNFe/infAdic/infCpl'),
    ].join('\n');
    const room = { width: INNER - 8 };
    const height = Math.max(60, this.document.font(REGULAR).fontSize(7).heightOfString(notices, room) + 8);
    if (this.y + height + 13 > BOTTOM - 10) {
      this.document.addPage();
      this.begin();
    }
    this.title('DADOS ADICIONAIS');
    this.document.rect(MARGIN, this.y, INNER, height).lineWidth(0.5).stroke();
    this.document
      .font(REGULAR)
      .fontSize(7)
      .text(notices, MARGIN + 4, this.y + 4, room);
    this.y += height;
  }

  numberPages(): void {
    const { count } = this.document.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.document.switchToPage(index);
      const text = `Folha ${String(index + 1)}/${String(count)}`;
      this.document.font(REGULAR).fontSize(7).fillColor('black');
      this.document.text(text, MARGIN + 230, MARGIN + 82, { width: 95, align: 'center', lineBreak: false });
    }
  }
}
