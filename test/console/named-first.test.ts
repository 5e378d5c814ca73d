import { expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

interface NamedFirst {
  namedFirst(typed: string, found: readonly { readonly description: string }[]): { readonly description: string }[];
}

const { namedFirst } = await consoleModule<NamedFirst>('values/named-first.ts');

/** As the service gives them: the codes of all begin with PAO. */
const FOUND = ['Baguete', 'Broa de Milho', 'Pão de Leite', 'Pão Francês', 'Rosca'];

test.each([
  ['pao', ['Pão de Leite', 'Pão Francês', 'Baguete', 'Broa de Milho', 'Rosca']],
  ['PÃO fr', ['Pão Francês', 'Baguete', 'Broa de Milho', 'Pão de Leite', 'Rosca']],
  ['pao-00', FOUND],
  ['', FOUND],
])('of what was found for "%s", what is called so comes first', (typed, names) => {
  const found = FOUND.map((description) => ({ description }));
  expect(namedFirst(typed, found).map(({ description }) => description)).toEqual(names);
});
