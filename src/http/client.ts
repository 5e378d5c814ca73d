import type { Request } from 'express';
import type { ClientFacts } from '../kernel/route.js';

/** Where a request comes from. Express has already decided which forwarded headers count. */
export function clientOf(request: Request, publicUrl: string | undefined): ClientFacts {
  const slug = request.headers['x-store-slug'];
  return {
    address: request.ip ?? '',
    cookies: new Map(),
    baseUrl: publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`,
    storeSlug: typeof slug === 'string' ? slug : undefined,
  };
}
