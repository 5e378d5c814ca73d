import { z } from 'zod';
import type { FeatureServices } from '../contracts/feature.js';
import { digits, freeText, mayBeAbsent, name } from '../../kernel/values/fields.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { asksForPortuguese } from '../../kernel/routes/language.js';
import { HourlyCounts } from '../../kernel/values/hourly-counts.js';
import { foldText } from '../../kernel/values/words.js';
import type { AdvisedCategory } from '../../ports/category-adviser.js';
import { AdviceUnavailable } from '../../ports/category-adviser.js';
import { adviceInPortuguese } from './advice-sentences.js';
import { category } from './decider.js';
import type { CategoryProfile } from './profile-table.js';
import { PROFILES } from './profile-table.js';
import { findProfile, likelyProfile, profileOfActivity } from './profiles.js';

/** First categories for a new store: from a table by kind of store, or named by an AI from what the store says of itself. */

const MOST_ITEMS = 60;
const NAME_LENGTH = 200;
const DESCRIPTION_LENGTH = 500;
/** In an hour for one store: the provider is paid by whoever runs the service, and each question keeps a connection busy for seconds. */
const MOST_ASKED = 30;
const MOST_STORES = 10_000;

const profileId = z.enum(PROFILES.map(({ id }) => id));
const item = z.object({ name: z.string(), defaultNcm: z.string().nullable() });
const checkedName = name(NAME_LENGTH);
const checkedNcm = digits(8);
const tag = 'Categories';

type SeedServices = Pick<FeatureServices, 'stores' | 'adviser' | 'clock'>;

export function seedRoutes({ stores, adviser, clock }: SeedServices): readonly Route[] {
  const asked = new HourlyCounts(MOST_STORES);
  const activityOf = async (storeId: string) => (await stores.byId(storeId))?.activityCode ?? null;

  const ask = async (
    profile: CategoryProfile,
    businessDescription: string,
    storeId: string,
  ): Promise<{ readonly items: readonly AdvisedCategory[] } | { readonly error: string }> => {
    if (!adviser) return { error: 'no provider is configured' };
    if (!asked.take(storeId, MOST_ASKED, clock.now()))
      return { error: 'the provider was asked too often: try again in an hour' };
    try {
      const usual = usualOf(profile);
      const request = { businessDescription, profileLabel: profile.label, usual, maximum: MOST_ITEMS };
      const items = usable(await adviser.suggest(request));
      return items.length > 0 ? { items } : { error: 'the provider named no usable category' };
    } catch (error) {
      if (error instanceof AdviceUnavailable) return { error: error.message };
      throw error;
    }
  };

  const profiles = route({
    method: 'get',
    path: '/categories/seed/profiles',
    tag,
    summary: "The kinds of store that categories can be suggested for, and the one of the store's activity",
    permission: 'products.view',
    request: {},
    response: {
      status: 200,
      schema: z.object({
        profiles: z.array(z.object({ id: z.string(), label: z.string() })),
        suggested: z.string().nullable(),
      }),
    },
    async handle(_input, { storeId }) {
      const suggested = profileOfActivity(await activityOf(storeId))?.id ?? null;
      return { body: { profiles: PROFILES.map(({ id, label }) => ({ id, label })), suggested } };
    },
  });

  const suggest = route({
    method: 'post',
    path: '/categories/seed/suggest',
    operationId: 'suggestCategories',
    tag,
    summary: 'Suggests categories; writes nothing',
    description:
      'An AI is asked 30 times in an hour for one store at most. Beyond that, and where it fails, the answer is the catalogue of the profile, and aiError says why.',
    permission: 'categories.manage',
    request: {
      body: z
        .strictObject({
          profile: mayBeAbsent(profileId),
          businessDescription: mayBeAbsent(freeText(DESCRIPTION_LENGTH)),
          useAi: mayBeAbsent(z.boolean()),
        })
        .optional(),
    },
    response: {
      status: 200,
      schema: z.object({
        profile: z.string(),
        profileLabel: z.string(),
        aiUsed: z.boolean(),
        aiError: z.string().nullable(),
        items: z.array(item),
      }),
    },
    async handle({ body = {} }, { storeId, client }) {
      const { businessDescription = '', useAi = true } = body;
      const named = body.profile === undefined ? undefined : findProfile(body.profile);
      const chosen = named ?? likelyProfile(await activityOf(storeId), businessDescription);
      const advised = useAi ? await ask(chosen, businessDescription, storeId) : { error: null };
      const error = 'items' in advised ? null : advised.error;
      return {
        body: {
          profile: chosen.id,
          profileLabel: chosen.label,
          aiUsed: 'items' in advised,
          aiError: error !== null && asksForPortuguese(client.acceptLanguage) ? adviceInPortuguese(error) : error,
          items: 'items' in advised ? advised.items : usualOf(chosen),
        },
      };
    },
  });

  const apply = route({
    method: 'post',
    path: '/categories/seed/apply',
    operationId: 'applySuggestedCategories',
    tag,
    summary: 'Creates the chosen categories; a name that is registered already is skipped',
    permission: 'categories.manage',
    request: {
      body: z.strictObject({
        items: z
          .array(z.strictObject({ name: checkedName, defaultNcm: checkedNcm.nullable().optional() }))
          .max(MOST_ITEMS),
      }),
    },
    response: { status: 200, schema: z.object({ created: z.int(), skipped: z.int() }) },
    async handle({ body }, context) {
      const items = body.items.map(({ name: given, defaultNcm = null }) => ({
        id: context.newId(),
        name: given,
        fields: { defaultNcm },
      }));
      const { events } = await context.execute(category, { type: 'create', items, skipTaken: true });
      return { body: { created: events.length, skipped: items.length - events.length } };
    },
  });
  return [profiles, suggest, apply];
}

const usualOf = ({ categories }: CategoryProfile): readonly AdvisedCategory[] =>
  categories.map(([named, defaultNcm]) => ({ name: named, defaultNcm }));

/** What could be applied as it is: fit names, each once, and codes of eight digits or none. */
function usable(advised: readonly AdvisedCategory[]): readonly AdvisedCategory[] {
  const byName = new Map<string, AdvisedCategory>();
  for (const { name: given, defaultNcm } of advised) {
    const fit = checkedName.safeParse(given).data;
    if (fit === undefined || byName.has(foldText(fit))) continue;
    byName.set(foldText(fit), { name: fit, defaultNcm: checkedNcm.safeParse(defaultNcm).data ?? null });
  }
  return [...byName.values()].slice(0, MOST_ITEMS);
}
