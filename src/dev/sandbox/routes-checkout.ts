import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Control } from './control.js';
import { decimalText } from './money.js';
import type { Order } from './orders.js';
import type { Service } from './service.js';
import { notFound, parseOrRefuse } from './service-error.js';

const keyed = z.object({ id: z.string() });

/** The page that `checkout_url` leads to, and its button. */
export function serveCheckout(app: FastifyInstance, service: Service, control: Control): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, done) => done(null),
  );

  app.get('/sandbox/checkout/:id', ({ params }, reply) => {
    const order = service.orders.find(parseOrRefuse(keyed, params).id);
    if (order?.kind !== 'checkout') throw notFound('checkout');
    return reply.type('text/html; charset=utf-8').send(checkoutPage(order));
  });
  app.post('/sandbox/checkout/:id/pay', ({ params }, reply) => {
    const { id } = parseOrRefuse(keyed, params);
    control.payCheckout(id);
    return reply.redirect(service.orders.find(id)?.redirectUrl ?? '/', 303);
  });
}

/** The hosted page, as small as it can be: an amount and a button that pays. Shows no text of the caller's. */
function checkoutPage(order: Order): string {
  const path = `/sandbox/checkout/${order.id}/pay`;
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Sandbox checkout</title></head>
  <body>
    <h1>${decimalText(order.centavos)}</h1>
    <p>Order ${order.id} of the sandbox. No money moves here.</p>
    <form method="post" action="${path}"><button>Pay</button></form>
  </body>
</html>
`;
}
