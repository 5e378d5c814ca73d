/**
 * Reads XML that strangers send: elements, their namespaces and texts. A document type is refused, and with it every entity that is not of the
 * language itself, so that nothing in it can point elsewhere or grow.
 */

export class XmlElement {
  readonly children: XmlElement[] = [];
  text = '';

  constructor(
    /** The name without its prefix. */
    readonly name: string,
    readonly namespace: string,
    /** Declarations of namespaces are left out. */
    readonly attributes: readonly (readonly [name: string, value: string])[],
  ) {}

  /** The first that a path of names leads to. */
  find(path: string): XmlElement | undefined {
    const [name, ...rest] = path.split('/');
    const child = this.children.find((one) => one.name === name);
    return rest.length === 0 ? child : child?.find(rest.join('/'));
  }

  /** The text there without white space around it; undefined where there is none. */
  get(path: string): string | undefined {
    const text = this.find(path)?.text.trim();
    return text === '' ? undefined : text;
  }

  all(name: string): readonly XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The first of that name in or under it, wherever it stands. */
  anywhere(name: string): XmlElement | undefined {
    if (this.name === name) return this;
    for (const child of this.children) {
      const found = child.anywhere(name);
      if (found) return found;
    }
    return undefined;
  }
}

export class XmlRefused extends Error {
  constructor(readonly words: { readonly pt: string; readonly en: string }) {
    super(words.en);
  }
}

const CUT_OFF = { pt: 'está cortada', en: 'it is cut off' };
const NO_XML = { pt: 'não é XML', en: 'it is no XML' };

const DEEPEST = 64;
/** An answer about one document has some hundreds. */
const MOST_ELEMENTS = 10_000;
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy;
/** What XML does not allow, not even written as a number: nobody could read the kept text again. */
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/u;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
    const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    if (known !== undefined && whole.endsWith(';')) return known;
    const digits = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
    const code = digits ? Number.parseInt(digits[1] ?? digits[2] ?? '', digits[1] === undefined ? 10 : 16) : NaN;
    const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\0';
    if (!whole.endsWith(';') || NO_CHARACTER.test(character))
      throw new XmlRefused({ pt: `tem uma entidade desconhecida (${whole})`, en: `unknown entity ${whole}` });
    return character;
  });
}

/** What an element declares, and what counts around it. Nothing is copied: an answer may declare thousands, in thousands of elements. */
interface Namespaces {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Namespaces | undefined;
}

interface Open {
  readonly element: XmlElement;
  readonly qualifiedName: string;
  readonly namespaces: Namespaces | undefined;
}

/** Where a construct ends, or the text is cut off. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new XmlRefused(CUT_OFF);
  return at;
}

class Reader {
  private readonly open: Open[] = [];
  private root: XmlElement | undefined;
  private at = 0;
  private elements = 0;

  constructor(private readonly text: string) {}

  read(): XmlElement {
    while (this.at < this.text.length) {
      const next = this.text.indexOf('<', this.at);
      this.addText(unescaped(this.text.slice(this.at, next < 0 ? undefined : next)));
      if (next < 0) break;
      this.at = next;
      this.construct();
    }
    if (this.open.length > 0 || !this.root) throw new XmlRefused(CUT_OFF);
    return this.root;
  }

  private addText(text: string): void {
    const parent = this.open.at(-1);
    if (parent) parent.element.text += text;
    else if (/[^\s\ufeff]/.test(text)) throw new XmlRefused(NO_XML);
  }

  private construct(): void {
    const { text, at } = this;
    if (text.startsWith('<!--', at)) this.at = endOf(text, '-->', at) + 3;
    else if (text.startsWith('<?', at)) this.at = endOf(text, '?>', at) + 2;
    else if (text.startsWith('<![CDATA[', at)) {
      const end = endOf(text, ']]>', at);
      this.addText(text.slice(at + 9, end));
      this.at = end + 3;
    } else if (text.startsWith('<!', at)) throw new XmlRefused({ pt: 'traz um DOCTYPE', en: 'it has a document type' });
    else if (text.startsWith('</', at)) this.close();
    else this.begin();
  }

  private close(): void {
    const end = endOf(this.text, '>', this.at);
    const name = this.text.slice(this.at + 2, end).trim();
    if (this.open.pop()?.qualifiedName !== name)
      throw new XmlRefused({ pt: 'seus elementos não se encaixam', en: 'its elements are not nested' });
    this.at = end + 1;
  }

  private begin(): void {
    const { text } = this;
    const from = this.at + 1;
    let to = from;
    while (to < text.length && !/[\s/>]/.test(text.charAt(to))) to++;
    const qualifiedName = text.slice(from, to);
    if (!NAME.test(qualifiedName)) throw new XmlRefused(NO_XML);
    const attributes: (readonly [string, string])[] = [];
    ATTRIBUTE.lastIndex = to;
    for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
      attributes.push([found[1] ?? '', unescaped(found[2] ?? found[3] ?? '')]);
      to = ATTRIBUTE.lastIndex;
    }
    while (/\s/.test(text.charAt(to))) to++;
    const empty = text.startsWith('/>', to);
    if (!empty && text.charAt(to) !== '>') throw new XmlRefused(NO_XML);
    this.at = to + (empty ? 2 : 1);
    this.add(qualifiedName, attributes, empty);
  }

  private add(qualifiedName: string, attributes: readonly (readonly [string, string])[], empty: boolean): void {
    const parent = this.open.at(-1);
    if (!parent && this.root) throw new XmlRefused({ pt: 'tem duas raízes', en: 'it has two roots' });
    this.elements += 1;
    if (this.open.length >= DEEPEST || this.elements > MOST_ELEMENTS)
      throw new XmlRefused({ pt: 'é grande ou profunda demais', en: 'it is too deep or too large' });
    const namespaces = withDeclared(parent?.namespaces, attributes);
    const [prefix, name] = split(qualifiedName);
    const own = attributes.filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'));
    const element = new XmlElement(name, namespaceOf(prefix, namespaces), own);
    if (parent) parent.element.children.push(element);
    else this.root = element;
    if (!empty) this.open.push({ element, qualifiedName, namespaces });
  }
}

function split(qualifiedName: string): readonly [prefix: string, name: string] {
  const colon = qualifiedName.indexOf(':');
  return colon < 0 ? ['', qualifiedName] : [qualifiedName.slice(0, colon), qualifiedName.slice(colon + 1)];
}

function withDeclared(
  outer: Namespaces | undefined,
  attributes: readonly (readonly [string, string])[],
): Namespaces | undefined {
  const declared = attributes.filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  return { declared: new Map(declared.map(([key, value]) => [key.slice('xmlns:'.length), value])), outer };
}

function namespaceOf(prefix: string, innermost: Namespaces | undefined): string {
  for (let around = innermost; around; around = around.outer) {
    const found = around.declared.get(prefix);
    if (found !== undefined) return found;
  }
  return '';
}

/** Throws XmlRefused. */
export function parseXml(text: string): XmlElement {
  if (NO_CHARACTER.test(text)) throw new XmlRefused(NO_XML);
  return new Reader(text).read();
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An element as text of its own, without prefixes and without the white space between its parts. */
export function xmlOf({ name, namespace, attributes, children, text }: XmlElement, outer = ''): string {
  const declaration = namespace === outer ? '' : ` xmlns="${escaped(namespace)}"`;
  const own = attributes
    .filter(([key]) => !key.includes(':'))
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('');
  const content = children.length > 0 ? children.map((child) => xmlOf(child, namespace)).join('') : escaped(text);
  return `<${name}${declaration}${own}>${content}</${name}>`;
}
