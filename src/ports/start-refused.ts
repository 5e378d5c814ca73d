/** Why the start cannot go on, said in a line for the operator. Known by its name: it may come from a worker. */
export class StartRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartRefused';
  }
}

export const isStartRefused = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'StartRefused';
