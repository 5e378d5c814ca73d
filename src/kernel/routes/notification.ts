import type { z } from 'zod';

/** A request that the service makes of others, as the OpenAPI document tells of it under `webhooks`. */
export interface Notification {
  /** Its name, which the receiver finds in the body and in a header. */
  readonly event: string;
  readonly summary: string;
  /** The whole body. */
  readonly body: z.ZodType;
  readonly headers: Readonly<Record<string, string>>;
}
