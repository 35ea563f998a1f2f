import type { Answer } from './answer.js';
import type { Endpoint, Prepared } from './endpoint.js';
import { wireNumber } from './money.js';
import type { Payout, PayoutMethod } from './payouts.js';
import { planOf } from './plan.js';
import type { Service } from './service.js';
import { notFound, parseOrRefuse } from './service-error.js';
import { payoutListQuery, pixPayoutBody, transferPayoutBody, type PayoutFields } from './wire.js';

export function payoutEndpoints(service: Service): readonly Endpoint[] {
  return [
    {
      name: 'POST /v1/payout/transfer',
      operation: 'create',
      prepare: ({ body }) => {
        const fields = parseOrRefuse(transferPayoutBody, body);
        return creation(service, 'transfer', fields, fields.account);
      },
    },
    {
      name: 'POST /v1/payout/pix',
      operation: 'create',
      prepare: ({ body }) => {
        const fields = parseOrRefuse(pixPayoutBody, body);
        return creation(service, 'pix', fields, fields.pix);
      },
    },
    {
      name: 'GET /v1/payout/{id}',
      operation: 'read',
      prepare: ({ id }) => {
        const payout = service.payouts.byId(id);
        if (payout === undefined) throw notFound('payout');
        return {
          subject: payout,
          effect: () => payoutAnswer(payout, { value: wireNumber(payout.centavos) }),
        };
      },
    },
    {
      name: 'GET /v1/payouts',
      prepare: ({ query }) => {
        const wanted = parseOrRefuse(payoutListQuery, query);
        return { effect: () => ({ body: service.payouts.page(wanted) }) };
      },
    },
  ];
}

function creation(service: Service, method: PayoutMethod, fields: PayoutFields, payee: string): Prepared {
  const plan = planOf([payee, fields.email ?? ''], fields.partner_code);
  return {
    subject: { partnerCode: fields.partner_code, plan },
    effect: async () => {
      const payout = service.payouts.create(method, fields, plan);
      if (plan.postbacks === 'early') await service.postbacks.announceFirst(payout);
      return payoutAnswer(payout, {});
    },
  };
}

function payoutAnswer(payout: Payout, more: Record<string, unknown>): Answer {
  const body = { id: payout.id, status: payout.status, ...more };
  return { body, nestedUnder: 'payout', partnerCode: payout.partnerCode };
}
