import { Buffer } from 'node:buffer';
import { createPaymentsService } from '../../../dist/src/payments-service/create-payments-service.js';
import { createTokenSource } from '../../../dist/src/temporal/token-source.js';

/**
 * The HTTP calls of the program, by its own token, without what it does around them: so that workflows alone are
 * compared. The service knows one token at a time, which the workers of the program renew.
 */
export function bareService(client, env) {
  const account = {
    baseUrl: env.PAYMENTS_BASE_URL,
    clientId: env.PAYMENTS_CLIENT_ID,
    clientSecret: env.PAYMENTS_CLIENT_SECRET,
  };
  const service = createPaymentsService(account);
  const tokens = createTokenSource({ client, ...account, now: Date.now, taskQueue: 'payments' });
  const token = async () => (await tokens.current()).token;
  const creating = async () => ({ token: await token(), tokenIsNew: false, refusal: () => undefined });
  const notification_url = 'http://127.0.0.1:9/';
  const creation = async (call, body) => answered(await call(body, await creating()));
  const ordered =
    (call) =>
    ({ order, ...request }) =>
      creation(call, { order: { notification_url, payment_method: 'credit_card', ...order }, ...request });
  const activities = {
    createBarePayout: (payout) => creation(service.createPixPayout, { notification_url, ...payout }),
    readBarePayout: async (id) => answered(await service.readPayout(id, { token: await token() })),
    createBareOrder: ordered(service.createCardOrder),
    createBareCheckout: ordered(service.createCheckout),
    createBareSecureOrder: ordered(service.createThreeDSecureOrder),
    completeBareSecureOrder: async (id, completion) =>
      answered(await service.completeThreeDSecureOrder(id, completion, await creating())),
    readBareOrder: async (id) => answered(await service.readOrder(id, { token: await token() })),
    requestBareRefund: (id) => creation(service.requestRefund, id),
    createBareValidation: (validation, workflowId) =>
      creation(service.validateAccount, {
        ...validation,
        notification_url: postbackUrl(env.PUBLIC_URL, workflowId),
      }),
  };
  return { service, tokens, activities };
}

/** As `startDirectReceiver` reads it: without a signature, which the program adds. */
function postbackUrl(publicUrl, workflowId) {
  return `${publicUrl}/${Buffer.from(workflowId).toString('base64url')}.`;
}

function answered(result) {
  if (result.outcome !== 'answered') throw new Error(`The sandbox answered: ${result.reason}`);
  return result.value;
}
