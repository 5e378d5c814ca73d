/** The same function, which remembers its last answer: the engine asks several things of an event before it goes on to the next. */
export function remembered<A extends object, R>(of: (argument: A) => R): (argument: A) => R {
  let last: { readonly argument: A; readonly answer: R } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, answer: of(argument) };
    return last.answer;
  };
}
