import { planted } from './bug.mjs';

const payoutPayment = 'workflows/payout/payment.ts';
const payoutCommands = 'workflows/payout/commands.ts';
const payoutReads = 'workflows/payout/reads.ts';
const proof = 'workflows/payout/proof.ts';

/** In what a payout does after its workflow was reset. */
export const bugsOfPayoutsAfterAReset = [
  planted('payout', 20_000, payoutCommands, {
    // It sends nothing all the same: its activity refuses as well. An operator would take it for accepted.
    'a reset run takes a retry as any other': [
      '  await refuseInResetRun(ctx, payment);\n  payment.beginAttempt',
      '  payment.beginAttempt',
    ],
    'a reset run takes a withdrawal as any other': [
      '  await refuseInResetRun(ctx, payment);\n  if (!ctx.run.afterReset',
      '  if (!ctx.run.afterReset',
    ],
  }),
  planted('payout', 3_000, 'activities/shared/reset-run.ts', {
    // One function answers all who ask: with it, the guards of the commands and of the sends fall together.
    'no call sees that its run is a reset': [
      'return workflowExecution?.runId !== originalExecutionRunId;',
      "return originalExecutionRunId === '';",
    ],
  }),
  planted('payout', 20_000, payoutCommands, {
    'an abandonment after a reset looks for nothing': [
      '  if (ctx.run.afterReset || (await ctx.wasReset())) await findAll(ctx, payment);\n',
      '',
    ],
    'a retry looks at no list': [
      "const { begunAt, result } = await lookAtAll(ctx, payment, { alsoScan: true, purpose: 'command' });",
      "const { begunAt, result } = await lookAtAll(ctx, payment, { alsoScan: false, purpose: 'command' });",
    ],
  }),
  planted('payout', 20_000, proof, {
    'in a reset run an attempt counts as unsent because a previous one moves': [
      '      await endUnsent(ctx, payment, () => {\n        payment.endUnsent(',
      '      await Promise.resolve().then(() => {\n        payment.endUnsent(',
    ],
  }),
  planted('payout', 20_000, payoutCommands, {
    'after a reset a cancel request counts as proof that nothing was sent': [
      '  if (!(await ctx.wasReset())) {\n    if (await',
      '  if (await Promise.resolve(true)) {\n    if (await',
    ],
  }),
  planted('payout', 20_000, payoutPayment, {
    'a run that continues a reset one sends': [
      'if (run.resetBefore !== null && isUnsent(this.stage))',
      "if (run.resetBefore !== null && this.stage === 'verify')",
    ],
  }),
  planted('payout', 'exploration', payoutReads, {
    'after a reset nothing looks for other attempts': [
      'if (payment.record.noticesReset(answer.reading.reset_run_id ?? null)) payment.set({ owesScan: true });',
      'payment.record.noticesReset(answer.reading.reset_run_id ?? null);',
    ],
  }),
];
