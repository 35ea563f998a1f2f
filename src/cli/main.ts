#!/usr/bin/env node
import { exitCodeOf, runCommandLine } from './command-line.js';

try {
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  // Not by exitCode: what was started before a failure, such as the SDK's runtime, must not keep the process alive.
  process.exit(await exitCodeOf(error));
}
