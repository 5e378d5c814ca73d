import { afterAll, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());

test.each(['', '?trials=false'])(
  'the recommended rules of a public linter find nothing in the document%s',
  async (query) => {
    const source = await (await fetch(`${world.url}/openapi.json${query}`)).text();
    // The contract's paths have fixed words beside parameters (`/products/by-gtin/{gtin}`): those go first, as OpenAPI says.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    const said = problems.map(
      ({ severity, ruleId, message, location: [at] }) => `${severity} ${ruleId} ${at?.pointer ?? ''}: ${message}`,
    );
    expect([...new Set(said)]).toEqual([]);
  },
);
