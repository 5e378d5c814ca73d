/** The same function, which remembers what it said of an object for as long as there is one: several projections ask the same of an event. */
export function remembered<A extends object, R>(of: (argument: A) => R): (argument: A) => R {
  const answers = new WeakMap<A, { readonly answer: R }>();
  return (argument) => {
    const known = answers.get(argument);
    if (known) return known.answer;
    const answer = of(argument);
    answers.set(argument, { answer });
    return answer;
  };
}

/** What an event says, by the documents that it says it of; worked out once an event. */
export const byDocument = <E extends object, T>(
  of: (event: E) => readonly T[],
  idOf: (item: T) => string,
): ((event: E) => ReadonlyMap<string, readonly T[]>) =>
  remembered((event) => {
    const groups = new Map<string, T[]>();
    for (const item of of(event)) {
      const id = idOf(item);
      const group = groups.get(id);
      if (group) group.push(item);
      else groups.set(id, [item]);
    }
    return groups;
  });
