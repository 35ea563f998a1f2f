import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Control } from './control.js';
import { armedFaultSchema } from './faults.js';
import { listFormSchema } from './list-form.js';
import type { Service } from './service.js';
import { parseOrRefuse } from './service-error.js';

const keyed = z.object({ id: z.string() });
const statusBody = z.strictObject({ status: z.string().min(1) });
const postbacksBody = z.strictObject({ postbacks: z.enum(['on', 'off']) });
const ledgerQuery = z.object({ partner_code: z.string().optional() });
const ok = { ok: true };

/** The control API under /sandbox: no token, for whoever runs the sandbox. */
export function serveControl(app: FastifyInstance, service: Service, control: Control): void {
  app.get('/sandbox/ledger', ({ query }) => control.ledger(parseOrRefuse(ledgerQuery, query).partner_code));

  const setters = {
    orders: control.setOrderStatus,
    payouts: control.setPayoutStatus,
    validations: control.setValidationStatus,
  };
  for (const [resource, set] of Object.entries(setters)) {
    app.post(`/sandbox/${resource}/:id/status`, ({ params, body }) => {
      set(parseOrRefuse(keyed, params).id, parseOrRefuse(statusBody, body).status);
      return ok;
    });
  }

  app.post('/sandbox/postbacks', ({ body }) => {
    control.postbacks(parseOrRefuse(postbacksBody, body).postbacks);
    return ok;
  });

  app.post('/sandbox/list', ({ body }) => {
    control.list(parseOrRefuse(listFormSchema, body));
    return ok;
  });
  app.post('/sandbox/payouts/:id/twin', ({ params, body }) => {
    control.twin(parseOrRefuse(keyed, params).id, parseOrRefuse(statusBody, body).status);
    return ok;
  });

  app.post('/sandbox/orders/:id/move', ({ params }) => {
    control.moveOrder(parseOrRefuse(keyed, params).id);
    return ok;
  });
  app.post('/sandbox/payouts/:id/move', ({ params }) => {
    control.movePayout(parseOrRefuse(keyed, params).id);
    return ok;
  });

  app.get('/sandbox/faults', () => ({ faults: control.faults() }));
  app.post('/sandbox/faults', ({ body }) => {
    service.faults.arm(parseOrRefuse(armedFaultSchema, body));
    return ok;
  });
  app.delete('/sandbox/faults', () => {
    control.clearFaults();
    return ok;
  });

  app.post('/sandbox/token/expire', () => {
    control.expireToken();
    return ok;
  });
  app.post('/sandbox/hurry', () => {
    control.hurry();
    return ok;
  });
  app.post('/sandbox/reset', () => {
    control.reset();
    return ok;
  });
}
