import type { FastifyRequest } from 'fastify';
import type { GatewayApp } from '../app.js';
import { outcomeOf } from '../http/audit.js';

/** Lets a command be sent without a body: all of its fields are optional. */
export function allowEmptyBody(app: GatewayApp): void {
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= {};
    done();
  });
}

/** The command as it goes to the payment: `by` is the name of the key, whatever the sender wrote. */
export function signed<Command extends object>(
  request: FastifyRequest,
  command: Command,
): Command & { by: string } {
  return { ...command, by: request.caller?.name ?? 'unknown' };
}

/** Executes a command and writes down who gave it and what came of it. */
export function audited<Answer>(
  request: FastifyRequest,
  command: string,
  workflowId: string,
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

async function auditedAs<Answer>(
  request: FastifyRequest,
  command: string,
  workflowId: string,
  act: () => Promise<Answer>,
  outcome: (answer: Answer) => string,
): Promise<Answer> {
  request.workflowId = workflowId;
  try {
    const answer = await act();
    request.audit({ command, workflow_id: workflowId, outcome: outcome(answer) });
    return answer;
  } catch (error) {
    request.audit({ command, workflow_id: workflowId, outcome: outcomeOf(error) });
    throw error;
  }
}
