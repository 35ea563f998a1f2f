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
  const tokens = createTokenSource({ client, ...account, taskQueue: 'payments' });
  const token = async () => (await tokens.current()).token;
  const creating = async () => ({ token: await token(), tokenIsNew: false, refusal: () => undefined });
  const notification_url = 'http://127.0.0.1:9/';
  return {
    service,
    tokens,
    createBarePayout: async (payout) =>
      answered(await service.createPixPayout({ notification_url, ...payout }, await creating())),
    readBarePayout: async (id) => answered(await service.readPayout(id, { token: await token() })),
    createBareOrder: async ({ order, ...request }) =>
      answered(
        await service.createCardOrder(
          { order: { notification_url, payment_method: 'credit_card', ...order }, ...request },
          await creating(),
        ),
      ),
    readBareOrder: async (id) => answered(await service.readOrder(id, { token: await token() })),
    requestBareRefund: async (id) => answered(await service.requestRefund(id, await creating())),
  };
}

function answered(result) {
  if (result.outcome !== 'answered') throw new Error(`The sandbox answered: ${result.reason}`);
  return result.value;
}
