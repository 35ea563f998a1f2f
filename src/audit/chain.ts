import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The hash of a line of the audit stream, without its own: of that of the line before, or of the chain's name, and of the line. */
export function hashAfter(before: string, line: string): string {
  return createHash('sha256').update(before).update(line).digest('hex');
}

const chained = z.object({ stream: z.literal('audit'), chain: z.string(), n: z.int(), hash: z.string() });

/**
 * What is wrong with the audit stream of processes, whose lines may stand among others and each other: a line that is not as
 * it was written, or numbers that are not there. A stream that was cut off at its end shows nothing of it.
 */
export async function auditFaults(
  text: AsyncIterable<string> | Iterable<string>,
): Promise<{ lines: number; faults: string[] }> {
  const chains = new Map<string, { n: number; hash: string }>();
  const faults: string[] = [];
  let lines = 0;
  for await (const line of text) {
    const parsed = chained.safeParse(jsonOf(line));
    if (!parsed.success) continue;
    lines += 1;
    const { chain, hash, n } = parsed.data;
    const before = chains.get(chain) ?? { n: 0, hash: chain };
    const wanted = hashAfter(before.hash, line.replace(/,"hash":"[^"]*"\}\s*$/, '}'));
    if (n !== before.n + 1) faults.push(`chain ${chain}: line ${String(n)} follows line ${String(before.n)}`);
    else if (hash !== wanted) faults.push(`chain ${chain}: line ${String(n)} is not as it was written`);
    chains.set(chain, { n, hash });
  }
  return { lines, faults };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
