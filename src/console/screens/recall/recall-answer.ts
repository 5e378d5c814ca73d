import type { components } from 'openapi-client';

export type RecallAnswer = components['schemas']['Recall'];

/** What is left of a lot at one place. */
export type Left = components['schemas']['RecallRemaining'];
