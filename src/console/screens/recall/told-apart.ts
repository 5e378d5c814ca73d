interface Told {
  readonly title: string;
  readonly fine: readonly string[];
}

const textOf = ({ title, fine }: Told): string => [title, ...fine].join('\n');

/** One line more for each whose text another one has as well. */
function withLine<N extends Told>(nodes: readonly N[], lineOf: (node: N, place: number) => string | undefined): N[] {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(textOf(node), (counts.get(textOf(node)) ?? 0) + 1);
  const places = new Map<string, number>();
  return nodes.map((node) => {
    const text = textOf(node);
    const place = (places.get(text) ?? 0) + 1;
    places.set(text, place);
    const line = counts.get(text) === 1 ? undefined : lineOf(node, place);
    return line === undefined ? node : { ...node, fine: [...node.fine, line] };
  });
}

/** What would read alike says more, and is numbered where that is alike as well: a picture is pointed at, and read out. */
export const toldApart = <N extends Told>(nodes: readonly (N & { readonly more?: string | undefined })[]): N[] =>
  withLine(
    withLine(nodes, ({ more }) => more).map(({ more: _said, ...node }) => node as unknown as N),
    (_node, place) => String(place),
  );
