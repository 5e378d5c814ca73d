/** How a version is called in a path: `3`, or `draft-2`. */
export type VersionName = { readonly version: number } | { readonly draft: number };

const NAME = /^(draft-)?([1-9]\d{0,8})$/;

/** Undefined for what no version can be called. */
export function parseVersionName(text: string): VersionName | undefined {
  const match = NAME.exec(text);
  if (!match) return undefined;
  const number = Number(match[2]);
  return match[1] === undefined ? { version: number } : { draft: number };
}
