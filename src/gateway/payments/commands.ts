import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { audited as auditedBy } from '../../audit/audit-log.js';
import { moneyOfRequest } from '../../domain/masked-payee.js';
import type { Sending } from '../../client/payment-handle.js';
import { commandPending } from '../../contract/http/command-pending.js';
import type { GatewayApp } from '../app.js';
import { outcomeOf } from '../http/outcome-of.js';
import { preferredWaitMs } from '../http/prefer.js';

/** A command without a body is checked as one without fields. */
export function allowEmptyBody(app: GatewayApp): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (!hasBody(request)) request.body ??= {};
    done();
  });
}

/** Fastify has null for the body `null` as well as for none. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The command as it goes to the payment: `by` is the name of the key, whatever the sender wrote. */
export function signed<Command extends object>(
  request: FastifyRequest,
  command: Command,
): Command & { by: string } {
  return { ...command, by: request.caller?.name ?? 'unknown' };
}

/** What a command answers: the state after it, or that the payment has taken it and executes it later. */
export function commandAnswers<State extends z.ZodType>(state: State) {
  return { 200: state, 202: commandPending };
}

/** `Prefer: wait=N` sets how long its caller waits for the outcome of a command that the payment has taken. */
export function sendingOf({ headers }: Pick<FastifyRequest, 'headers'>): Sending {
  return { waitMs: preferredWaitMs(headers.prefer) };
}

/** Executes a command and writes down who gave it and what came of it. */
export function audited<Answer>(
  request: FastifyRequest,
  command: string,
  workflowId: string | undefined,
  execute: () => Promise<Answer>,
): Promise<Answer> {
  return auditedAs(request, command, workflowId, execute, () => 'accepted');
}

/** Starts a payment and writes down who started it and whether it was started before. */
export function auditedStart<Answer extends { readonly repeated: boolean }>(
  request: FastifyRequest,
  command: string,
  workflowId: string,
  start: () => Promise<Answer>,
): Promise<Answer> {
  return auditedAs(request, command, workflowId, start, ({ repeated }) =>
    repeated ? 'repeated' : 'started',
  );
}

/** Finds what a command is about, and writes down that it was refused when there is nothing that it may be about. */
export async function auditedUnlessFound<Found>(
  request: FastifyRequest,
  command: string,
  find: () => Promise<Found>,
): Promise<Found> {
  request.isAudited = true;
  try {
    return await find();
  } catch (error) {
    request.audit({ command, outcome: outcomeOf(error) });
    throw error;
  }
}

function auditedAs<Answer>(
  request: FastifyRequest,
  command: string,
  workflowId: string | undefined,
  act: () => Promise<Answer>,
  outcome: (answer: Answer) => string,
): Promise<Answer> {
  request.workflowId = workflowId ?? null;
  // From here on, also when its caller is gone before there is an outcome.
  request.isAudited = true;
  const about = {
    ...{ command, ...(workflowId === undefined ? {} : { workflow_id: workflowId }) },
    ...moneyOfRequest(request.body),
  };
  return auditedBy((entry) => request.audit(entry), about, act, { of: outcome, ofError: outcomeOf });
}
