/** Looks at one page after the other, the newest first; answers whether it has seen enough. */
type Visit<Page> = (page: Page) => boolean;

type Waiting<Page> = { visit: Visit<Page>; resolve: () => void; reject: (error: unknown) => void };

/**
 * Reads a list once for all scans that wait for it, page by page, until each has seen enough. A scan joins the next
 * pass, never one that is under way: that one may be beyond the newest records already.
 */
export class SharedScan<Page> {
  #waiting: Waiting<Page>[] = [];
  #reading = false;

  constructor(private readonly pass: () => AsyncIterable<Page>) {}

  /** Resolves once a pass that began after this call has shown enough, or all; rejects when that pass failed. */
  scan(visit: Visit<Page>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ visit, resolve, reject });
      if (!this.#reading) void this.#readForAll();
    });
  }

  async #readForAll(): Promise<void> {
    this.#reading = true;
    while (this.#waiting.length > 0) {
      const scans = new Set(this.#waiting.splice(0));
      try {
        for await (const page of this.pass()) {
          for (const scan of scans) if (hasSeenEnough(scan, page)) scans.delete(scan);
          if (scans.size === 0) break;
        }
        for (const { resolve } of scans) resolve();
      } catch (error) {
        for (const { reject } of scans) reject(error);
      }
    }
    this.#reading = false;
  }
}

function hasSeenEnough<Page>({ visit, resolve, reject }: Waiting<Page>, page: Page): boolean {
  try {
    if (!visit(page)) return false;
    resolve();
  } catch (error) {
    reject(error);
  }
  return true;
}
