type Step = () => Promise<void> | void;

export interface Closing {
  /** To be closed before everything that was named earlier. */
  add(step: Step): void;
}

/** Opens things one after the other. They are closed in reverse, also when a later one fails, and one that fails to close keeps no other open. */
export async function opened<T extends object>(
  open: (closing: Closing) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const steps: Step[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const step of steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await open({ add: (step) => steps.push(step) })), close };
  } catch (error) {
    await close().catch(() => undefined); // why it does not open matters more
    throw error;
  }
}
