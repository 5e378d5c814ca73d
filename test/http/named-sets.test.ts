import { namedSetsContract } from '../contract/named-sets.js';

namedSetsContract(() => ({}));
