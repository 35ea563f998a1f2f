import { Command } from 'commander';
import {
  resolveOne,
  withFinding,
  type Find,
  type Resolvable,
  type ResolveOptions,
} from './shared/decisions.js';
import { UsageError } from './shared/exit.js';
import { resolveFromFile } from './shared/resolve-from-file.js';

type Options = ResolveOptions & { file?: string; dryRun?: true };

/** `durable-payments payout resolve <partner_code>` and `payout resolve --file <findings.csv>` */
export function payoutResolveCommand(find: Find<Resolvable>): Command {
  return withFinding(new Command('resolve'))
    .argument('[partner_code]')
    .option('--file <file>', 'resolve many: the CSV of `payout unknown --csv` with what was found filled in')
    .option('--dry-run', 'with --file: only show what would be resolved')
    .action(async (partnerCode: string | undefined, { dryRun, file, ...options }: Options) => {
      if ((partnerCode === undefined) !== (file !== undefined)) {
        throw new UsageError('Name either one partner_code or --file. Nothing was changed.');
      }
      if (partnerCode !== undefined && dryRun === undefined) return resolveOne(find, partnerCode, options);
      if (file === undefined) throw new UsageError('--dry-run is for --file. Nothing was changed.');
      const { nothingHappened, serviceId, ...forAll } = options;
      if (nothingHappened !== undefined || serviceId !== undefined) {
        throw new UsageError('--service-id and --nothing-happened are for one payout. Nothing was changed.');
      }
      process.exitCode = await resolveFromFile({ ...forAll, file, ...(dryRun === true && { dryRun }) });
    });
}
