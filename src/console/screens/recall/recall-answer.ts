import type { components } from 'openapi-client';

export type RecallAnswer = components['schemas']['Recall'];
