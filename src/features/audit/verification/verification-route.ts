import { z } from 'zod';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import type { Vault } from '../../../ports/vault.js';
import type { LogTree } from '../proof/log-tree.js';
import type { Verification } from './verifier.js';
import { lastVerification } from './verifier.js';

const answer = z
  .strictObject({
    size: z.int().meta({ description: 'How many events the log holds' }),
    verifiedSize: z
      .int()
      .meta({ description: 'How many of them, from the first on, were found as they were recorded' }),
    at: z.iso.datetime().nullable().meta({ description: 'When it last came further; null before it began' }),
    ok: z.boolean(),
    firstBreak: z
      .strictObject({
        reason: z.string(),
        stream: z.string().optional(),
        revision: z.int().optional(),
        position: z.string(),
      })
      .optional()
      .meta({ description: 'Without stream and revision where it is no event of this store' }),
  })
  .meta({ id: 'LogVerification' });

/** Streams of other stores and of accounts are nobody's business here. */
function shownBreak({ firstBreak }: Verification, { storeId }: RequestContext) {
  if (!firstBreak) return {};
  const { reason, stream, revision, position } = firstBreak;
  const isOwn = stream.includes(storeId);
  return { firstBreak: { reason, ...(isOwn ? { stream, revision } : {}), position } };
}

export const verificationRoute = ({ tree, vault }: { readonly tree: LogTree; readonly vault: Vault }): Route =>
  route({
    method: 'get',
    path: '/audit/verification',
    tag: 'Audit',
    summary: 'Says how far the log was checked, and whether it is what was recorded',
    description:
      'The service goes through the whole log by itself, then through what comes, and from the beginning again once a day: every chain, the ' +
      'tree of the proofs, and the checkpoints that it kept.',
    permission: 'audit.view',
    request: {},
    response: { status: 200, schema: answer },
    async handle(_, context) {
      const [size, last] = await Promise.all([tree.size(context), lastVerification(vault)]);
      if (!last) return { body: { size, verifiedSize: 0, at: null, ok: true } };
      const { verifiedSize, at, ok } = last;
      return { body: { size, verifiedSize, at, ok, ...shownBreak(last, context) } };
    },
  });
