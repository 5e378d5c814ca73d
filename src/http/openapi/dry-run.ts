import type { Route } from '../../kernel/routes/route.js';
import { mayBeTried } from '../../kernel/routes/route.js';
import { answerHeader } from './parameters.js';
import type { JsonSchema } from './json-schema.js';

/** What the document says of commands that are tried and not done. */

export const DRY_RUN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  DryRunAnswer: {
    type: 'object',
    description: 'Answers a command that was tried (`Prefer: dry-run`). A refusal is answered as it would be.',
    properties: {
      dryRun: { const: true },
      status: { type: 'integer', description: 'What the command would have been answered with' },
      body: { description: 'The body of that answer; null where there is none' },
      events: {
        type: 'array',
        description: 'What would have been recorded, without what the asker may not see',
        items: {
          type: 'object',
          properties: {
            stream: { type: 'string' },
            type: { type: 'string' },
            data: { type: 'object', additionalProperties: {} },
          },
          required: ['stream', 'type', 'data'],
          additionalProperties: false,
        },
      },
    },
    required: ['dryRun', 'status', 'body', 'events'],
    additionalProperties: false,
  },
};

/** A route as the document tells of it to who tries nothing: it answers with one thing, and so does a client that is generated. */
export const withoutTrials = (route: Route): Route => ({ ...route, dryRun: 'not possible' });

const TRIED: JsonSchema = { $ref: '#/components/schemas/DryRunAnswer' };

/** Whether the answer to a trial has the status of the answer to the command. */
const isTriedHere = (route: Route): boolean => mayBeTried(route) && route.response.status === 200;

export const orTried = (route: Route, schema: JsonSchema | undefined): JsonSchema | undefined =>
  schema && isTriedHere(route) ? { anyOf: [schema, TRIED] } : schema;

export const triedHeader = (route: Route) => (isTriedHere(route) ? answerHeader('Preference-Applied') : {});

/** The answer to a trial where the command itself is answered with another status. */
export const triedApart = (route: Route): JsonSchema =>
  mayBeTried(route) && !isTriedHere(route)
    ? {
        200: {
          description: 'What it would have done (`Prefer: dry-run`)',
          headers: { ...answerHeader('X-Request-Id'), ...answerHeader('Preference-Applied') },
          content: { 'application/json': { schema: TRIED } },
        },
      }
    : {};
