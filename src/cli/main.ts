#!/usr/bin/env node
/** Commands that run until they are stopped, also when nobody reads what they print. */
const untilStopped = ['start', 'demo', 'gateway', 'worker', 'sandbox'];
/** Commands for which all modules are loaded; the others are bundled into one file, which loads faster. */
const fromModules = [...untilStopped, 'completion'];

const args = process.argv.slice(2);
const [name = ''] = args;
process.stdout.on('error', ({ code = 'no code' }: NodeJS.ErrnoException) => {
  if (untilStopped.includes(name)) return;
  // A reader that has read enough, such as `head`, has closed the pipe.
  if (code === 'EPIPE') process.exit(process.exitCode ?? 0);
  console.error(`The answer could not be written (${code}). What was commanded stands; show it again.`);
  process.exit(1);
});
// An error that nobody can be told of ends nothing.
process.stderr.on('error', () => undefined);
const { exitCodeOf, runCommandLine } = await (fromModules.includes(name)
  ? import('./command-line.js')
  : import('./bundled.js'));

try {
  await runCommandLine(args);
} catch (error) {
  // Not by exitCode: what was started before a failure, such as the SDK's runtime, must not keep the process alive.
  const code = await exitCodeOf(error);
  // The error of what could not be written comes a moment later.
  setImmediate(() => process.exit(code));
}
