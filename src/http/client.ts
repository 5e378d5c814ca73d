import type { Request } from 'express';
import type { ClientFacts } from '../kernel/route.js';

/** Where a request comes from, worked out when somebody asks. Express has decided which forwarded headers count. */
export class Client implements ClientFacts {
  readonly cookies: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly request: Request,
    private readonly publicUrl: string | undefined,
  ) {}

  get address(): string {
    return this.request.ip ?? '';
  }

  get baseUrl(): string {
    return this.publicUrl ?? `${this.request.protocol}://${this.request.headers.host ?? ''}`;
  }

  get storeSlug(): string | undefined {
    const slug = this.request.headers['x-store-slug'];
    return typeof slug === 'string' ? slug : undefined;
  }
}
