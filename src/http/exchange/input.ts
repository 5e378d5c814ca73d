import type { Request } from 'express';
import { z } from 'zod';
import { validationMessages } from '../../kernel/values/validation-messages.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Input, Route } from '../../kernel/routes/route.js';
import type { BodyLimits } from './body.js';
import { hasBody, readBody } from './body.js';
import { InputErrors } from './problem.js';
import { parseQuery } from './query.js';
import { BODY_REQUIRED } from './rejections.js';

const NOTHING = z.strictObject({});

/** With `async`, which zod would add itself: adding a member to a copy takes longer than reading a small body. */
const PARSING: z.core.ParseContextInternal<z.core.$ZodIssue> = { error: validationMessages, async: false };

const NO_QUERY = Object.freeze({});

/** Reads and checks what a route's schemas describe; everything that is wrong is told at once. */
export function inputReader(route: Route, limits: BodyLimits): (request: Request) => Input | Promise<Input> {
  const { params, query = NOTHING, body } = route.request;
  const takesBody = route.method !== 'get';

  const check = (request: Request, sent: unknown): Input => {
    const errors = new InputErrors();
    const validate = (schema: z.ZodType | undefined, value: unknown): unknown => {
      if (!schema) return undefined;
      const result = schema.safeParse(value, PARSING);
      if (!result.success) errors.add(result.error.issues);
      return result.data;
    };
    const input = {
      params: validate(params, request.params),
      query: query === NOTHING && !request.url.includes('?') ? NO_QUERY : validate(query, parseQuery(request.url)),
      body: takesBody ? validate(body ?? NOTHING.optional(), sent) : undefined,
    };
    if (!errors.isEmpty) throw sent === undefined && body ? missingBody(body, errors) : errors.refusal();
    return input;
  };

  return (request) =>
    takesBody && hasBody(request)
      ? readBody(request, limits).then((sent) => check(request, sent))
      : check(request, undefined);
}

function missingBody(body: z.ZodType, errors: InputErrors): Rejection {
  return body.safeParse(undefined).success ? errors.refusal() : new Rejection(BODY_REQUIRED);
}
