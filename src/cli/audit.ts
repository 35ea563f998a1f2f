import { open, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { auditFaults } from '../audit/chain.js';
import { UsageError } from './shared/exit.js';
import { exitCodes } from './shared/exit-codes.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';

/** `durable-payments audit` */
export function auditCommand(): Command {
  return new Command('audit')
    .description('Check that no line of an audit stream was lost or changed, by its numbers and hashes.')
    .argument('[file]', 'what processes have written, from their start on; standard input when left out')
    .addOption(jsonOption())
    .action(async (file: string | undefined, options: JsonOption) => {
      const input = file === undefined ? process.stdin : (await opened(file)).createReadStream();
      const { faults, lines } = await auditFaults(createInterface({ input, crlfDelay: Infinity }));
      print({ lines, faults }, options, report);
      if (faults.length > 0) process.exitCode = exitCodes.failed;
    });
}

async function opened(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch {
    throw new UsageError(`${file} can't be read.`);
  }
}

function report({ faults, lines }: Awaited<ReturnType<typeof auditFaults>>): string {
  const all = `${String(lines)} lines of the audit stream`;
  return faults.length === 0 ? `${all} are there, as they were written.` : [all, ...faults].join('\n  ');
}
