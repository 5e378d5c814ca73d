/** What is being answered: for the last line of a log, when an error that nobody caught ends the process. */

export interface InFlight {
  /** What the log says of it. */
  readonly mark: { readonly requestId: string; readonly method: string; readonly route: string };
}

const answering = new Set<InFlight>();

export const beginAnswer = (exchange: InFlight): unknown => answering.add(exchange);
export const endAnswer = (exchange: InFlight): boolean => answering.delete(exchange);

export const requestsInFlight = (): readonly InFlight['mark'][] => [...answering].map(({ mark }) => mark);
