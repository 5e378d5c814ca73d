const WEAK = /^W\//;

/** Proxies that compress answers on their way make tags weak, and a weak tag never allows a change; what it says of the record still holds. */
export const strongTag = (tag: string | null): string => (tag ?? '').replace(WEAK, '');
