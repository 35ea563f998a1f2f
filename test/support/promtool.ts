import { spawnSync } from 'node:child_process';

/** Whether Prometheus' own checker is on this machine; `.ci/run` installs it. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Runs promtool; answers its exit code and all that it printed. */
export function promtool(args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}
