/** The same function, which remembers what it said of an object for as long as there is one: what is never changed is asked the same again. */
export function memoise<A extends object, R>(of: (argument: A) => R): (argument: A) => R {
  const answers = new WeakMap<A, { readonly answer: R }>();
  return (argument) => {
    const known = answers.get(argument);
    if (known) return known.answer;
    const answer = of(argument);
    answers.set(argument, { answer });
    return answer;
  };
}
