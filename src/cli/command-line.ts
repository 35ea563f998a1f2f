import { Command, CommanderError, type Option } from 'commander';
import { programName, programVersion } from '../config/program-version.js';
import { exitCodes, exitCodesHelp } from './shared/exit-codes.js';

type Entry = { readonly summary: string; readonly load: () => Promise<Command> };

/** Each command, loaded when it is called: what a process of ours needs takes a second to load. */
const commands: Readonly<Record<string, Entry>> = {
  start: {
    summary: 'run all in one: gateway, workers, and unless named otherwise a Temporal and a sandbox',
    load: async () => (await import('./start.js')).startCommand(),
  },
  demo: {
    summary: 'watch payments of every kind against the sandbox',
    load: async () => (await import('./demo.js')).demoCommand(),
  },
  doctor: {
    summary: 'look at all that a deployment needs, and what to do about what is wrong',
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  gateway: {
    summary: 'run the HTTP gateway',
    load: async () => (await import('./gateway.js')).gatewayCommand(),
  },
  worker: {
    summary: 'run the workers',
    load: async () => (await import('./worker.js')).workerCommand(),
  },
  sandbox: {
    summary: 'run the payments service as its document has it, in memory',
    load: async () => (await import('./sandbox.js')).sandboxCommand(),
  },
  order: {
    summary: 'orders by card, hosted checkout and 3D Secure',
    load: async () => (await import('./order.js')).orderCommand(),
  },
  refund: {
    summary: 'refunds of orders',
    load: async () => (await import('./refund.js')).refundCommand(),
  },
  payout: {
    summary: 'payouts by pix and bank transfer',
    load: async () => (await import('./payout.js')).payoutCommand(),
  },
  batch: {
    summary: 'payouts by the thousand',
    load: async () => (await import('./batch.js')).batchCommand(),
  },
  'bulk-retry': {
    summary: 'bulk retries of failed payouts: show, pause, resume, stop, report',
    load: async () => (await import('./bulk-retry.js')).bulkRetryCommand(),
  },
  'account-validation': {
    summary: 'validations of bank accounts',
    load: async () => (await import('./account-validation.js')).accountValidationCommand(),
  },
  attention: {
    summary: 'payments that need an operator, and what keeps payments from moving',
    load: async () => (await import('./attention.js')).attentionCommand(),
  },
  webhook: {
    summary: 'notifications by webhook: test, list, resend',
    load: async () => (await import('./webhook.js')).webhookCommand(),
  },
  reconcile: {
    summary: "compare the service's list of payouts with ours now",
    load: async () => (await import('./reconcile.js')).reconcileCommand(),
  },
  audit: {
    summary: 'check that no line of an audit stream was lost or changed',
    load: async () => (await import('./audit.js')).auditCommand(),
  },
  completion: {
    summary: 'print what completes these commands in a shell',
    load: async () => (await import('./completion.js')).completionCommand(loadAll),
  },
};

/** Runs a command line, and throws what ends it early; {@link exitCodeOf} says what such an end means. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const program = new Command(programName)
    .description('Payments that never charge or pay twice: orders and payouts as durable workflows.')
    .version(programVersion(), '-V, --version', 'print the version')
    .addHelpText('after', exitCodesHelp)
    .configureHelp({ showGlobalOptions: true });
  const [name = ''] = args;
  for (const [entryName, { summary, load }] of Object.entries(commands)) {
    program.addCommand(
      entryName === name ? await load() : new Command(entryName).summary(summary).description(summary),
    );
  }
  exitEarly(program);
  await program.parseAsync(args, { from: 'user' });
}

/** Prints what went wrong, unless that is done, and returns the exit code for it. */
export async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const { explain } = await import('./shared/exit.js');
  return explain(error);
}

/** Wrong usage ends with our own exit code, not with commander's. */
function exitEarly(command: Command): void {
  command.exitOverride();
  for (const option of command.options) refuseTwice(command, option);
  for (const sub of command.commands) exitEarly(sub);
}

/** Of two values the last one would count. */
function refuseTwice(command: Command, option: Option): void {
  if (option.variadic || !(option.required || option.optional)) return;
  let times = 0;
  command.on(`option:${option.name()}`, () => {
    times += 1;
    if (times > 1) command.error(`error: ${option.flags} is there twice. Nothing was changed.`);
  });
}

function loadAll(): Promise<Command[]> {
  const others = Object.entries(commands).filter(([entryName]) => entryName !== 'completion');
  return Promise.all(others.map(([, { load }]) => load()));
}
