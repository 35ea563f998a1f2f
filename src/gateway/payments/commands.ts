import type { FastifyRequest } from 'fastify';
import type { GatewayApp } from '../app.js';

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

/** Gives a command to a payment and writes down who gave it, and what came of it. */
export async function audited<State extends { workflow_id: string; status: string }>(
  request: FastifyRequest,
  command: string,
  give: () => Promise<State>,
): Promise<State> {
  const entry = { audit: command, by: request.caller?.name, path: request.routeOptions.url };
  try {
    const state = await give();
    request.log.info({ ...entry, workflow_id: state.workflow_id, status: state.status }, 'command taken');
    return state;
  } catch (error) {
    request.log.info(
      { ...entry, failure: error instanceof Error ? error.name : 'unknown' },
      'command not taken',
    );
    throw error;
  }
}
