import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { UntakenAnswers } from '../../src/http/exchange/untaken-answers.js';
import { until } from '../support/until.js';

/** Which answers are cut off where slow clients leave too much in memory together. */

const cut: string[] = [];

class Answer extends EventEmitter {
  constructor(
    private readonly name: string,
    public writableLength: number,
  ) {
    super();
  }

  destroy(): void {
    cut.push(this.name);
    this.emit('close');
  }
}

const untaken = new UntakenAnswers({ bytes: 100, slowMilliseconds: 1 });

function mind(name: string, holder: string, bytes: number, beside = 0): Answer {
  const answer = new Answer(name, bytes);
  untaken.mind({ response: answer as unknown as ServerResponse, holder, beside });
  return answer;
}

test('the newest of whoever has most is cut off, as far as it takes', async () => {
  mind('small', 'one store', 30);
  mind('waiting for what is still to be made', 'other store', 0, 1_000);
  const first = mind('first', 'other store', 20);
  mind('second', 'other store', 40);
  const taken = mind('taken in time', 'other store', 1_000);
  taken.emit('close');
  mind('third', 'other store', 20);
  await until('it is known who is slow', () => cut.length > 0);
  expect(cut).toEqual(['third']);
  first.emit('close');
  mind('fourth', 'other store', 25);
  mind('fifth', 'one store', 20);
  await until('another one is cut off', () => cut.length > 1);
  expect(cut).toEqual(['third', 'fourth']);
  mind('sixth', 'one store', 30);
  await until('another one is cut off', () => cut.length > 2);
  expect(cut).toEqual(['third', 'fourth', 'sixth']);
});
