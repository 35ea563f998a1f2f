import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { test } from '../support/payments.js';

test(
  'an identifier is claimed once within ten minutes, and again after that',
  recordedAs('identifier-claimed'),
  async ({ clock, stack }) => {
    const claim = () => stack.start('identifierClaim', 'identifier-order-4711', undefined);
    const first = stack.handleOf(await claim());
    await clock.sleep('9 minutes');
    await expect(claim()).rejects.toThrow(WorkflowExecutionAlreadyStartedError);
    await clock.sleep('2 minutes');
    await first.result();
    const second = stack.handleOf(await claim());
    await clock.sleep('11 minutes');
    await second.result();
  },
);

test(
  'a run that checks identifiers continues until the next one is due',
  recordedAs('identifiers-checked'),
  async ({ clock, stack }) => {
    const startedAt = await stack.env.currentTimeMs();
    const check = await stack.start('identifierCheck', 'identifier-check', undefined);
    const handle = stack.handleOf(check);
    await clock.sleep('10 minutes');
    expect(await handle.result()).toHaveProperty('next_since');
    const { closeTime } = await handle.describe();
    expect((closeTime?.getTime() ?? 0) - startedAt).toBeGreaterThan(9 * 60_000);
  },
);
