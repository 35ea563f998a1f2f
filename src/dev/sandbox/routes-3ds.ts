import { randomBytes } from 'node:crypto';
import type { Endpoint } from './endpoint.js';
import { planOf } from './plan.js';
import { announced, orderAnswer, orderOf } from './routes-orders.js';
import type { Service } from './service.js';
import { notFound, parseOrRefuse } from './service-error.js';
import { threeDSecureCompletionBody, threeDSecureOrderBody } from './wire.js';

/** 3D Secure: the order waits until it is completed with a card. */
export function threeDSecureEndpoints(service: Service): readonly Endpoint[] {
  return [
    {
      name: 'POST /v1/3ds/order',
      operation: 'create',
      prepare: ({ body }) => {
        const { order, customer } = parseOrRefuse(threeDSecureOrderBody, body);
        const plan = planOf([order.description, customer.email], order.partner_code);
        return {
          subject: { partnerCode: order.partner_code, plan },
          effect: () => announced(service, service.orders.create('3ds', order, plan)),
        };
      },
    },
    {
      name: 'PUT /v1/3ds/order/{id}',
      operation: 'complete',
      prepare: ({ id, body }) => {
        const order = orderOf(service, id);
        if (order.kind !== '3ds') throw notFound('3D Secure order');
        const { credit_card } = parseOrRefuse(threeDSecureCompletionBody, body);
        const plan = planOf([credit_card.number], order.partnerCode, order.plan);
        return {
          subject: order,
          effect: () => {
            service.orders.submit(order, plan.order);
            return orderAnswer(order);
          },
        };
      },
    },
    {
      name: 'GET /v1/3ds/token',
      prepare: () => ({ effect: () => ({ body: { token: randomBytes(24).toString('base64url') } }) }),
    },
  ];
}
