/** Reads XML as this service writes it: no comments, no white space between tags, attributes in double quotes. */

export class XmlNode {
  readonly children: XmlNode[] = [];
  text = '';

  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
  ) {}

  /** The first that a path of names leads to. */
  find(path: string): XmlNode | undefined {
    const [name, ...rest] = path.split('/');
    const child = this.children.find((one) => one.name === name);
    return rest.length === 0 ? child : child?.find(rest.join('/'));
  }

  /** The text there; empty where there is none. */
  get(path: string): string {
    return this.find(path)?.text ?? '';
  }

  all(name: string): readonly XmlNode[] {
    return this.children.filter((child) => child.name === name);
  }
}

const TOKEN = /<(\/?)([A-Za-z0-9_]+)((?: [^>]*)?)>|([^<]+)/g;
const ATTRIBUTE = /([A-Za-z0-9_:]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

const unescaped = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);

export function readXml(xml: string): XmlNode {
  const root = new XmlNode('', {});
  const open: XmlNode[] = [root];
  for (const [, closing, name, attributes, text] of xml.matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += unescaped(text);
    else if (closing === '/') open.pop();
    else if (name !== undefined) {
      const found = [...(attributes ?? '').matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [
        key,
        unescaped(value),
      ]);
      const node = new XmlNode(name, Object.fromEntries(found) as Record<string, string>);
      parent.children.push(node);
      open.push(node);
    }
  }
  return root;
}
