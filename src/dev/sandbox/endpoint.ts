import type { FastifyInstance, FastifyRequest } from 'fastify';
import { perform, type Answer } from './answer.js';
import type { EndpointName } from './endpoints.js';
import type { Subject } from './faults.js';
import type { Operation } from './plan.js';
import type { Service } from './service.js';

export type Call = {
  readonly id: string;
  readonly body: unknown;
  readonly query: unknown;
  readonly authorization: string | undefined;
  /** Address under which the caller reached the sandbox. */
  readonly baseUrl: string;
};

/** A call that was found right: whose it is, and the work to do. */
export type Prepared = { readonly subject?: Subject; readonly effect: () => Answer | Promise<Answer> };

export type Endpoint = {
  readonly name: EndpointName;
  readonly operation?: Operation;
  /** Needs no Bearer token. */
  readonly open?: true;
  /** Refuses a wrong call by a ServiceError; changes nothing. */
  readonly prepare: (call: Call) => Prepared;
};

/** Each call is counted, authorised, checked, then done and answered as its faults have it. */
export function serve(app: FastifyInstance, service: Service, endpoint: Endpoint): void {
  const [method = '', path = ''] = endpoint.name.split(' ');
  app.route({
    method,
    url: path.replace('{id}', ':id'),
    handler: async (request, reply) => {
      service.count(endpoint.name);
      const call = callOf(request);
      if (!endpoint.open) service.tokens.check(call.authorization);
      const { subject, effect } = endpoint.prepare(call);
      const fault = service.faults.next(endpoint.name, endpoint.operation, subject);
      return perform(reply, effect, fault, service.clock);
    },
  });
}

function callOf(request: FastifyRequest): Call {
  const params = request.params as { id?: string };
  return {
    id: params.id ?? '',
    body: request.body,
    query: request.query,
    authorization: request.headers.authorization,
    baseUrl: `${request.protocol}://${request.host}`,
  };
}
