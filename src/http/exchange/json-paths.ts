import { QUOTE, endOfString, isColonAt, isDigit, scanNumber } from './json-scan.js';

/** The way to where a reader of JSON stands: for each open object the name of the member, for each open list the index. */
class Place {
  private readonly keys: (string | number)[] = [];

  open(isList: boolean): void {
    this.keys.push(isList ? 0 : '');
  }

  close(): void {
    this.keys.pop();
  }

  /** A comma: the next item of a list; in an object the next name follows by itself. */
  goOn(): void {
    const key = this.keys.at(-1);
    if (typeof key === 'number') this.keys[this.keys.length - 1] = key + 1;
  }

  name(member: string): void {
    this.keys[this.keys.length - 1] = member;
  }

  get path(): readonly (string | number)[] {
    return [...this.keys];
  }
}

const COMMA = 0x2c;

/** Where the numbers with too many digits stand in a valid JSON text: `items[0].quantity`. */
export function longNumberPaths(text: string): readonly (readonly (string | number)[])[] {
  const place = new Place();
  const paths: (readonly (string | number)[])[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      if (isColonAt(text, end + 1)) place.name(JSON.parse(text.slice(index, end + 1)) as string);
      index = end;
    } else if (code === 0x7b || code === 0x5b) place.open(code === 0x5b);
    else if (code === 0x7d || code === 0x5d) place.close();
    else if (code === COMMA) place.goOn();
    else if (isDigit(code)) {
      const { end, isLong } = scanNumber(text, index);
      if (isLong) paths.push(place.path);
      index = end - 1;
    }
  }
  return paths;
}
