import type { Request } from 'express';
import { z } from 'zod';
import { validationMessages } from '../../kernel/values/validation-messages.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Input, Route } from '../../kernel/routes/route.js';
import { hasBody, readBody } from './body.js';
import { inputErrors, invalidInput, type InputError } from './problem.js';
import { parseQuery } from './query.js';
import { BODY_REQUIRED } from './rejections.js';

const NOTHING = z.strictObject({});

/** Reads and checks what a route's schemas describe; everything that is wrong is told at once. */
export function inputReader(route: Route, bodyBytes: number): (request: Request) => Input | Promise<Input> {
  const { params, query = NOTHING, body } = route.request;
  const takesBody = route.method !== 'get';

  const check = (request: Request, sent: unknown): Input => {
    const errors: InputError[] = [];
    const validate = (schema: z.ZodType | undefined, value: unknown): unknown => {
      if (!schema) return undefined;
      const result = schema.safeParse(value, { error: validationMessages });
      if (!result.success) errors.push(...inputErrors(result.error.issues));
      return result.data;
    };
    const input = {
      params: validate(params, request.params),
      query: validate(query, parseQuery(request.url)),
      body: takesBody ? validate(body ?? NOTHING.optional(), sent) : undefined,
    };
    if (errors.length > 0) throw sent === undefined && body ? missingBody(body, errors) : invalidInput(errors);
    return input;
  };

  return (request) =>
    takesBody && hasBody(request)
      ? readBody(request, bodyBytes).then((sent) => check(request, sent))
      : check(request, undefined);
}

function missingBody(body: z.ZodType, errors: readonly InputError[]): Rejection {
  return body.safeParse(undefined).success ? invalidInput(errors) : new Rejection(BODY_REQUIRED);
}
