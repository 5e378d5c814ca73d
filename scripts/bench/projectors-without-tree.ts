import { projectors as all } from '../../projections/index.js';
import { auditTree } from '../../projections/audit/audit-tree.js';

/** What the tree of the proofs costs shows in what projecting takes without it. */
export const projectors = all.filter(({ collection }) => collection.name !== auditTree.name);
