import { QUOTE, endOfString, isColonAt, isDigit, scanNumber } from './json-scan.js';

/** The way to where a reader of JSON stands: for each open object the name of the member, for each open list the index. */
class Place {
  private readonly keys: (string | number)[] = [];
  /** The members that each of them has named. */
  private readonly named: Set<string>[] = [];

  open(isList: boolean): void {
    this.keys.push(isList ? 0 : '');
    this.named.push(new Set());
  }

  close(): void {
    this.keys.pop();
    this.named.pop();
  }

  /** A comma: the next item of a list; in an object the next name follows by itself. */
  goOn(): void {
    const key = this.keys.at(-1);
    if (typeof key === 'number') this.keys[this.keys.length - 1] = key + 1;
  }

  /** Gives whether the object has named it before. */
  name(member: string): boolean {
    this.keys[this.keys.length - 1] = member;
    const named = this.named.at(-1);
    const isRepeated = named?.has(member) === true;
    named?.add(member);
    return isRepeated;
  }

  get path(): readonly (string | number)[] {
    return [...this.keys];
  }
}

const COMMA = 0x2c;

interface Fault {
  /** `items[0].quantity` */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The numbers that would lose what they say in a valid JSON text, and the members that their object has named before. */
export function faultsIn(text: string): readonly Fault[] {
  const place = new Place();
  const faults: Fault[] = [];
  const note = (message: string) => faults.push({ path: place.path, message });
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      if (isColonAt(text, end + 1) && place.name(JSON.parse(text.slice(index, end + 1)) as string))
        note('stands twice');
      index = end;
    } else if (code === 0x7b || code === 0x5b) place.open(code === 0x5b);
    else if (code === 0x7d || code === 0x5d) place.close();
    else if (code === COMMA) place.goOn();
    else if (isDigit(code)) {
      const { end, fault } = scanNumber(text, index);
      if (fault !== undefined) note(fault);
      index = end - 1;
    }
  }
  return faults;
}
