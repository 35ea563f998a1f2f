import { Command, Option } from 'commander';
import { examine } from './doctor/examine.js';
import type { DoctorCheck } from './doctor/check.js';
import { examinedRoles } from './doctor/subject.js';
import type { ExaminedRole } from './doctor/subject.js';
import { beside } from './shared/columns.js';
import { exitCodes } from './shared/exit-codes.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';

/** `durable-payments doctor` */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Look at all that a deployment needs, and say what to do about what is wrong. Changes nothing.',
    )
    .addOption(
      new Option(
        '--as <process>',
        'as which process the configuration is read (default: by what is set)',
      ).choices(examinedRoles),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nRun it with the environment of the process that you ask about. It exits with 1 when a check fails.',
    )
    .action(async ({ as, ...options }: JsonOption & { as?: ExaminedRole }) => {
      const checks = await examine(as);
      const ok = checks.every((check) => check.ok);
      print({ ok, checks }, options, report);
      if (!ok) process.exitCode = exitCodes.failed;
    });
}

function report({ ok, checks }: { ok: boolean; checks: readonly DoctorCheck[] }): string {
  const lines = checks.flatMap(({ action, detail, name, ok: isOk }) => [
    [`${isOk ? 'ok  ' : 'FAIL'}  ${name}`, detail] as const,
    ...(action === null ? [] : [['', `→ ${action}`] as const]),
  ]);
  const failing = checks.filter((check) => !check.ok).length;
  return [
    beside(lines),
    '',
    ok ? 'All is well.' : `${String(failing)} of ${String(checks.length)} checks fail.`,
  ].join('\n');
}
