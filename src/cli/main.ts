#!/usr/bin/env node
/** What runs until it is stopped, and what loads every command; all others answer at once, from one file. */
const fromModules = ['start', 'demo', 'gateway', 'worker', 'sandbox', 'completion'];

const args = process.argv.slice(2);
const { exitCodeOf, runCommandLine } = await (fromModules.includes(args[0] ?? '')
  ? import('./command-line.js')
  : import('./bundled.js'));

try {
  await runCommandLine(args);
} catch (error) {
  // Not by exitCode: what was started before a failure, such as the SDK's runtime, must not keep the process alive.
  process.exit(await exitCodeOf(error));
}
