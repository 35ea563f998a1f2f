import { Command } from 'commander';

/** `durable-payments demo` */
export function demoCommand(): Command {
  return new Command('demo');
}
