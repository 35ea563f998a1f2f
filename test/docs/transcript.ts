import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { z } from 'zod';
import { readGeneratedKeys } from '../../src/config.js';
import type { IncidentStack } from '../../src/dev/demo/incidents/incident.js';
import { SandboxControl } from '../../src/dev/demo/incidents/sandbox-control.js';
import { Oms } from '../../src/dev/demo/oms.js';
import { root } from './markdown.js';

const run = promisify(execFile);
const mark = '-- step --';

/** The commands of a shell block, and the shortened output that the text block after it shows; null without one. */
type Step = { readonly code: string; readonly shown: string | null };

/** Each shell block of a piece of Markdown, with the output that is shown of it. */
export function stepsIn(text: string): Step[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?/gms)].map(
    ([, code = '', shown = null]) => ({ code, shown }),
  );
}

/**
 * Runs commands of a page, beside the files that they name; answers what they have printed.
 *
 * @throws Error with all that was printed when a command fails
 */
export async function bash(
  code: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const options = { cwd, env, maxBuffer: 2 ** 26 };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${code}`], options).catch(
    (error: unknown) => {
      const printed = z.object({ stdout: z.string() }).safeParse(error).data?.stdout ?? '';
      throw new Error(`A documented command failed:\n${code}\n${printed}`, { cause: error });
    },
  );
  return stdout;
}

/** Runs the commands of a page, one block after the other in one shell; answers what each block has printed. */
export async function runSteps(
  steps: readonly Step[],
  dir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const printed = await bash(steps.map(({ code }) => `echo '${mark}'\n${code}`).join(''), dir, {
    ...env,
    // The pages show lines as they are in a terminal that is wide enough.
    COLUMNS: '400',
    PATH: `${await ourPrograms(dir)}:${process.env.PATH ?? ''}`,
  });
  return printed.split(`${mark}\n`).slice(1);
}

/** What each step has printed is what is shown of it. */
export function expectShown(steps: readonly Step[], printed: readonly string[]): void {
  for (const [index, { shown }] of steps.entries())
    if (shown !== null) expect(printed[index]).toMatch(asShown(shown));
}

/**
 * What an output has to look like to be the one that is shown: each line in its order, with others between them; `…`
 * stands for anything within a line, blanks for any number of them.
 */
export function asShown(shown: string): RegExp {
  const lines = shown.split('\n').filter((line) => line.replaceAll(/[…\s]/g, '') !== '');
  return new RegExp(lines.map(linePattern).join('[^]*?'));
}

function linePattern(line: string): string {
  const fragments = line.split('…').map((fragment) =>
    fragment
      .split(/\s+/)
      .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
      .join('[^\\S\\n]+'),
  );
  return fragments.join('[^\\n]*?').replaceAll('[^\\S\\n]+[^\\n]*?', '[^\\n]*?');
}

/** What payments are set up on beside programs that have made their keys in this directory. */
export function stackBeside(dataDir: string, gatewayUrl: string, sandboxUrl: string): IncidentStack {
  const key = readGeneratedKeys(dataDir)?.apiKeys[0]?.key ?? '';
  return { oms: new Oms(gatewayUrl, key, () => undefined), sandbox: new SandboxControl(sandboxUrl) };
}

/** `npx durable-payments` as in a clone, without the two seconds that npx itself takes. */
export async function ourPrograms(dir: string): Promise<string> {
  const bin = join(dir, 'bin');
  const npx = join(bin, 'npx');
  const main = join(root, 'dist/src/cli/main.js');
  await mkdir(bin, { recursive: true });
  await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${main}" "$@"\n`);
  await chmod(npx, 0o755);
  return bin;
}
