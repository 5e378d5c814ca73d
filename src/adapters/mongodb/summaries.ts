import type { Document } from 'mongodb';

/** Sums of some paths as `sum0`, `sum1`, …, and the count of what matches. */
export const sumPipeline = (filter: Document, paths: readonly string[]): Document[] => [
  { $match: filter },
  {
    $group: {
      _id: null,
      ...Object.fromEntries(paths.map((path, index) => [`sum${index}`, { $sum: `$${path}` }])),
      count: { $sum: 1 },
    },
  },
];

/** The values other than null of a path, each once. */
export const valuesPipeline = (filter: Document, path: string): Document[] => [
  { $match: { $and: [filter, { [path]: { $ne: null } }] } },
  { $group: { _id: `$${path}` } },
];

/** How many they are. */
export const distinctPipeline = (filter: Document, path: string): Document[] => [
  ...valuesPipeline(filter, path),
  { $group: { _id: null, count: { $sum: 1 } } },
];
