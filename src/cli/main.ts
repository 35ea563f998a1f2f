#!/usr/bin/env node
/** What runs until it is stopped, and goes on when nobody reads what it prints. */
const untilStopped = ['start', 'demo', 'gateway', 'worker', 'sandbox'];
/** What loads every command; all others answer at once, from one file. */
const fromModules = [...untilStopped, 'completion'];

const args = process.argv.slice(2);
const [name = ''] = args;
process.stdout.on('error', ({ code = 'no code' }: NodeJS.ErrnoException) => {
  if (untilStopped.includes(name)) return;
  // Whoever has read enough, such as `head`, ends a command without a word.
  if (code === 'EPIPE') process.exit(process.exitCode ?? 0);
  console.error(`The answer could not be written (${code}). What was commanded stands; show it again.`);
  process.exit(1);
});
// Of what nobody can be told nothing ends.
process.stderr.on('error', () => undefined);
const { exitCodeOf, runCommandLine } = await (fromModules.includes(name)
  ? import('./command-line.js')
  : import('./bundled.js'));

try {
  await runCommandLine(args);
} catch (error) {
  // Not by exitCode: what was started before a failure, such as the SDK's runtime, must not keep the process alive.
  const code = await exitCodeOf(error);
  // After the error of what could not be written, which comes a moment later.
  setImmediate(() => process.exit(code));
}
