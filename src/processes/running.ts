/** Something that runs until it is stopped, or fails. */
export type Running = {
  /** Resolves with what went wrong, should it end without {@link stop}. */
  readonly failed: Promise<Error>;
  /** Leaves in good order: what is under way is finished, nothing is left behind. */
  stop(): Promise<void>;
};

/** Services that were started one after the other: stopped in the reverse order; when one fails, all count as failed. */
export class Stack implements Running {
  readonly #services: Running[] = [];
  #report: (error: Error) => void = () => undefined;
  readonly failed = new Promise<Error>((resolve) => {
    this.#report = resolve;
  });

  add(service: Running): void {
    this.#services.unshift(service);
    void service.failed.then((error) => this.#report(error));
  }

  /** Stops each service, also when another could not be stopped; then throws the first failure. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const service of this.#services.splice(0)) {
      await service.stop().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** A service that does not fail by itself. */
export function closing(close: () => Promise<unknown>): Running {
  return {
    failed: new Promise(() => undefined),
    stop: async () => {
      await close();
    },
  };
}

/** Starts a stack; when that fails half-way, what was started is stopped before the error goes on. */
export async function startStack<T>(build: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = new Stack();
  try {
    return await build(stack);
  } catch (error) {
    await stack.stop().catch(() => undefined);
    throw error;
  }
}
