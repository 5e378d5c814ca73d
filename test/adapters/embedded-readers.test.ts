import { expect, test } from '@jest/globals';
import type { Reader } from '../../src/adapters/embedded/reading/readers.js';
import { Readers } from '../../src/adapters/embedded/reading/readers.js';
import type { Reading } from '../../src/adapters/embedded/read-protocol.js';

/** A reader that answers when it is told to. */
class SlowReader implements Reader {
  open = true;
  begun = true;
  readonly asked: string[] = [];
  private settle: ((failure?: Error) => void) | undefined;

  ask(asked: Reading): Promise<unknown> {
    const text = textOf(asked);
    this.asked.push(text);
    return new Promise((resolve, reject) => {
      this.settle = (failure) => {
        if (failure) reject(failure);
        else resolve(`answer to ${text}`);
      };
    });
  }

  answer(failure?: Error): void {
    this.settle?.(failure);
  }

  close = () => Promise.resolve();
}

const question = (text: string): Reading => ({ kind: 'cells', statement: { text, values: [] } });
const textOf = (asked: Reading): string => (asked.kind === 'cells' ? asked.statement.text : asked.kind);

function three() {
  const [short, one, other] = [new SlowReader(), new SlowReader(), new SlowReader()];
  const readers = new Readers(short, [one, other]);
  return {
    short,
    one,
    other,
    ask: (text: string) => readers.ask(question(text)),
    askShort: (text: string) => readers.askShort(question(text)),
  };
}

test('what is quick passes what takes long, and comes in its order', async () => {
  const { one, other, ask } = three();
  void ask('long');
  const answers = ['a', 'b', 'c'].map(ask);
  for (const [index, answer] of answers.entries()) {
    expect(other.asked).toHaveLength(index + 1);
    other.answer();
    expect(await answer).toBe(`answer to ${other.asked[index] ?? ''}`);
  }
  expect(other.asked).toEqual(['a', 'b', 'c']);
  expect(one.asked).toEqual(['long']);
});

test('what is short never waits for what is long', async () => {
  const { short, ask, askShort } = three();
  for (const text of ['a', 'b', 'c']) void ask(text);
  const answer = askShort('page');
  short.answer();
  expect(await answer).toBe('answer to page');
});

test('a failure is of its question alone', async () => {
  const { one, ask } = three();
  const failing = ask('a');
  void ask('b');
  const waiting = ask('c');
  one.answer(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  one.answer();
  expect(await waiting).toBe('answer to c');
});

test('a reader that is being started again is asked nothing while another is there', async () => {
  const { one, other, ask } = three();
  one.open = false;
  const first = ask('a');
  const second = ask('b');
  other.answer();
  expect(await first).toBe('answer to a');
  other.answer();
  expect(await second).toBe('answer to b');
  expect(one.asked).toEqual([]);
});

test('with no reader open the answer says so', async () => {
  const { one, other, ask } = three();
  one.open = other.open = false;
  const answer = ask('a');
  expect([...one.asked, ...other.asked]).toEqual(['a']);
  one.answer(new Error('the read models are being opened'));
  other.answer();
  await expect(answer).rejects.toThrow('being opened');
});
