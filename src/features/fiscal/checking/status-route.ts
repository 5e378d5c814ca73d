import { z } from 'zod';
import { languageOf } from '../../../kernel/routes/language.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';
import { viewing } from '../documents/services.js';
import { ENVIRONMENTS } from '../../contracts/fiscal-settings.js';
import { MODELS } from '../events.js';
import type { Model } from '../events.js';
import type { IssuingServices } from '../issuing/services.js';
import { storeOf } from '../issuing/services.js';
import type { Check } from './authority-check.js';
import { checkAuthority, CHECKS } from './authority-check.js';

const CACHE_BYTES = 2 * 1024 * 1024;
/** Authorities count what they are asked. */
const TRUST = 60_000;

const response = z
  .object({
    adapter: z.enum(['simulator', 'sefaz', 'http']),
    environment: z.enum(ENVIRONMENTS),
    checks: z.array(
      z.object({
        name: z.enum(CHECKS),
        ok: z.boolean(),
        tried: z.boolean().meta({ description: 'False where a step before it failed, and nothing is known of it' }),
        detail: z
          .string()
          .meta({ description: 'What was found, or what to do, in Portuguese or, by Accept-Language, in English' }),
      }),
    ),
  })
  .meta({ id: 'FiscalStatus' });

const query = z.strictObject({
  model: z
    .enum(['55', '65'])
    .transform((text): Model => (text === '55' ? 55 : 65))
    .optional()
    .meta({ type: 'integer', enum: [...MODELS], description: '65 unless said' }),
});

export function fiscalStatus(issuing: IssuingServices): Route {
  const bytesOf = (checks: readonly Check[]) => 2 * JSON.stringify(checks).length;
  const known = new StampedCache<readonly Check[], string>(CACHE_BYTES, bytesOf, { milliseconds: TRUST });
  return route({
    ...viewing,
    method: 'get',
    path: '/fiscal/status',
    summary: 'Says, step by step, whether the store could issue documents now',
    description:
      'Certificate, chain, address, service, clock, registration. Nothing is issued. Answers are kept for a minute.',
    request: { query },
    response: { status: 200, schema: response },
    async handle({ query: { model = 65 } }, context) {
      const store = await storeOf(issuing, context);
      const { environment, certificate, simulatorOutage } = store.fiscal;
      const facts = [environment, store.taxId, certificate?.fingerprint, simulatorOutage, store.fiscal.address?.state];
      const checking = known.getOrMake(`${store.id} ${String(model)}`, JSON.stringify(facts), () =>
        checkAuthority(issuing, store, model),
      );
      const language = languageOf(context);
      const checks = (await checking).map((check) => ({ ...check, detail: check.detail[language] }));
      return { body: { adapter: issuing.authority.name, environment, checks } };
    },
  });
}
