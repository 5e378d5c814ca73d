/** A request that works in the demonstration, with references to its records: `{{product PAO-003}}`, `{{made POST /users}}`. */
export interface Example {
  /** `POST /categories`. */
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The answer of what cannot be tried without a password or a code; the others are recorded. */
  readonly answer?: unknown;
}

export const example = (operation: string, request: Omit<Example, 'operation'> = {}): Example => ({
  operation,
  ...request,
});

/** The id that the answer of an earlier example has, or another member of it by its path. */
export const made = (operation: string, path = 'id'): string => `{{made ${operation} ${path}}}`;
