import type { Writable } from 'node:stream';
import type { z } from 'zod';
import type { RejectionKind } from '../events/rejection.js';
import type { Permission } from '../values/permissions.js';
import type { RequestContext } from './request-context.js';

/** A JSON text that is sent as it is. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** The same in bytes, for what is sent again and again. */
export class RawJsonBytes {
  constructor(readonly bytes: Buffer) {}
}

/** An answer of any length, sent in pieces as the client takes them. */
export class Streamed {
  constructor(
    readonly contentType: string,
    readonly pieces: AsyncIterable<string | Uint8Array>,
  ) {}
}

/** An answer that goes on until its client leaves or its writer ends it. */
export class Followed {
  constructor(
    readonly contentType: string,
    /** Called when the head of the answer is on its way. */
    readonly follow: (stream: OpenStream) => void,
  ) {}
}

/** The client's side of an answer without an end. */
export type OpenStream = Pick<Writable, 'write' | 'end' | 'once' | 'writableNeedDrain'>;

/** What a handler gives back; the route says the status. */
export interface Reply {
  readonly body?: unknown;
  /** Revision of the record's own last change; becomes the ETag. */
  readonly etag?: number;
  /** Sets the session's cookies, or clears them. */
  readonly session?: { readonly accessToken: string; readonly refreshToken: string } | 'ended';
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

export interface Input<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
}

/** An endpoint as data: mounting, validation, permission, the OpenAPI document and the contract tests come from it. */
export interface Route<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly method: Method;
  /** With parameters in braces: `/categories/{id}`. */
  readonly path: string;
  readonly tag: string;
  /** What generated clients call it, where method and path do not make a good name. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The permission that it needs; `authenticated`: every credential of the store, `session`: signed-in users alone,
   * `public`: no credential (the context then has no store).
   */
  readonly permission: Permission | 'authenticated' | 'session' | 'public';
  readonly request: { readonly params?: P; readonly query?: Q; readonly body?: B };
  /** It signs somebody in, or makes a secret: it cannot be tried without doing it. */
  readonly dryRun?: 'not possible';
  /** Its answer tells of a person who may be erased: it is not kept for idempotency keys, but made anew. */
  readonly personal?: boolean;
  readonly response: {
    readonly status: 200 | 201 | 204;
    readonly schema?: z.ZodType;
    /** It answers with one record and its entity tag. */
    readonly etag?: boolean;
    /** It answers with a plain list, and says in X-Next-Cursor where it goes on. */
    readonly continued?: boolean;
    /** It may say in X-Total-Count how many records the list has. */
    readonly counted?: boolean;
    /** It may set the session's cookies, or clear them. */
    readonly cookies?: boolean;
    /** Content types that it can answer with beside JSON. */
    readonly alternatives?: readonly string[];
  };
  /** Whether If-Match counts; unless it is said, with what changes or deletes one record. */
  readonly ifMatch?: boolean;
  /** Refusals beside those that every route may give (400, 401, 403, 404 of a path id, 412, 429, 503). */
  readonly rejections?: readonly RejectionKind[];
  handle(input: Input<P, Q, B>, context: RequestContext): Promise<Reply> | Reply;
}

/** Infers the handler's input from the schemas. */
export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: Route<P, Q, B>): Route {
  return definition;
}

/** Whether a command may be tried without doing it. Signing in needs no credential, so it may not. */
export const mayBeTried = ({ method, permission, dryRun }: Pick<Route, 'method' | 'permission' | 'dryRun'>): boolean =>
  method !== 'get' && permission !== 'public' && dryRun === undefined;
