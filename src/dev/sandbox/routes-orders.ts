import type { Answer } from './answer.js';
import type { Endpoint } from './endpoint.js';
import type { Order } from './orders.js';
import { planOf } from './plan.js';
import type { Service } from './service.js';
import { notFound, parseOrRefuse } from './service-error.js';
import { cardOrderBody, checkoutBody } from './wire.js';

/** Orders by card and by hosted checkout, their reads and refunds. */
export function orderEndpoints(service: Service): readonly Endpoint[] {
  return [
    {
      name: 'POST /v1/order',
      operation: 'create',
      prepare: ({ body }) => {
        const { order, customer, credit_card } = parseOrRefuse(cardOrderBody, body);
        const texts = [credit_card.number, order.description, customer.email];
        const plan = planOf(texts, order.partner_code);
        return {
          subject: { partnerCode: order.partner_code, plan },
          effect: () => announced(service, service.orders.create('card', order, plan)),
        };
      },
    },
    {
      name: 'POST /v1/checkout',
      operation: 'create',
      prepare: ({ body, baseUrl }) => {
        const { order, customer } = parseOrRefuse(checkoutBody, body);
        const plan = planOf([order.description, customer.email], order.partner_code);
        return {
          subject: { partnerCode: order.partner_code, plan },
          effect: async () => {
            const created = service.orders.create('checkout', order, plan, order.redirect_url);
            const answer = await announced(service, created);
            const checkout_url = `${baseUrl}/sandbox/checkout/${created.id}`;
            return { ...answer, body: { ...answer.body, checkout_url } };
          },
        };
      },
    },
    {
      name: 'GET /v1/order/{id}',
      operation: 'read',
      prepare: ({ id }) => {
        const order = orderOf(service, id);
        return {
          subject: order,
          effect: () => orderAnswer(order, service.orders.visibleStatus(order)),
        };
      },
    },
    {
      name: 'PUT /v1/order/{id}/refund',
      operation: 'refund',
      prepare: ({ id }) => {
        const order = orderOf(service, id);
        return {
          subject: order,
          effect: () => {
            service.orders.refund(order);
            return orderAnswer(order, 'refund_processing');
          },
        };
      },
    },
  ];
}

export function orderOf(service: Service, id: string): Order {
  const order = service.orders.byId(id);
  if (order === undefined) throw notFound('order');
  return order;
}

export function orderAnswer(order: Order, status: string = order.status): Answer {
  return { body: { id: order.id, status }, nestedUnder: 'order', partnerCode: order.partnerCode };
}

/** The answer to a creation: the first status, posted to notification_url first when the plan is that early. */
export async function announced(service: Service, order: Order): Promise<Answer> {
  if (order.plan.postbacks === 'early') await service.postbacks.announceFirst(order);
  return orderAnswer(order);
}
