import { defaultPayloadConverter, log, patched } from '@temporalio/workflow';
import type {
  ActivateInput,
  WorkflowInboundCallsInterceptor,
  WorkflowInternalsInterceptor,
} from '@temporalio/workflow';
import { Refused } from '../../src/domain/refused.js';
import { messageUnopenedSignal } from '../messages.js';
import { toFailure } from './handlers.js';

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];
type Signal = NonNullable<Job['signalWorkflow']>;
type Update = NonNullable<Job['doUpdate']>;

/**
 * A message that can't be opened would fail the workflow task for as long as it stands in the history, which is for good.
 * A Signal of that kind is dropped, an Update is refused, and a query is answered as one without arguments. Whatever else
 * can't be opened fails the task: no decision rests on what was not read.
 */
export function unopenedMessages(): {
  readonly internals: WorkflowInternalsInterceptor;
  readonly inbound: WorkflowInboundCallsInterceptor;
} {
  let signals = 0;
  const refusedUpdates = new Set<string>();

  /** A replay drops what was dropped, though it may have the key by now, and takes what was taken. */
  function examine(signal: Signal, isReplay: boolean): void {
    signals += 1;
    const { signalName } = signal;
    if (!(isReplay || isUnopened(signal.input)) || !patched(`unopened-${String(signals)}`)) return;
    log.warn('A Signal can’t be opened, and was dropped.', { signalName });
    signal.signalName = messageUnopenedSignal.name;
    signal.input = [defaultPayloadConverter.toPayload(signalName)];
  }

  function refuse(update: Update): void {
    if (!isUnopened(update.input)) return;
    // It was accepted when it could be opened, and what followed stands in the history.
    if (update.runValidator !== true)
      throw new Error('An Update that was accepted can’t be opened any more.');
    update.input = [];
    refusedUpdates.add(update.id ?? '');
  }

  return {
    internals: {
      activate: (input, next) => {
        const { jobs, isReplaying } = input.activation;
        for (const { doUpdate, queryWorkflow, signalWorkflow } of jobs ?? []) {
          if (signalWorkflow != null) examine(signalWorkflow, isReplaying === true);
          if (doUpdate != null) refuse(doUpdate);
          if (queryWorkflow != null && isUnopened(queryWorkflow.arguments)) queryWorkflow.arguments = [];
        }
        next(input);
      },
    },
    inbound: {
      validateUpdate: (input, next) => {
        if (refusedUpdates.delete(input.updateId)) throw toFailure(refusal);
        next(input);
      },
    },
  };
}

const refusal = new Refused(
  'InvalidMessage',
  'The message of this Update can’t be opened. Encrypt it with a key that is in PAYLOAD_KEYS of the workers, or send it as ' +
    'plain JSON. Nothing was changed.',
);

function isUnopened(payloads: Signal['input']): boolean {
  try {
    for (const payload of payloads ?? []) defaultPayloadConverter.fromPayload(payload);
    return false;
  } catch {
    return true;
  }
}
