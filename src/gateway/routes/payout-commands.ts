import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PayoutHandle } from '../../client.js';
import type { Sending } from '../../client/payment-handle.js';
import { payoutParams } from '../../contract/http/payments.js';
import {
  abandonPayoutBody,
  acknowledgeAttentionBody,
  resolveSubmissionBody,
  retryPayoutBody,
} from '../../contract/messages.js';
import { payoutState } from '../../contract/state.js';
import type { PayoutState } from '../../contract/state.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import type { Scope } from '../http/api-keys.js';
import { allowEmptyBody, audited, commandAnswers, sendingOf, signed } from '../payments/commands.js';
import { reachable } from '../payments/ownership.js';

type PayoutCommand<Body extends object> = {
  readonly path: string;
  /** The name of the Update. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly scopes: readonly Scope[];
  readonly body: z.ZodType<Body>;
  readonly give: (
    payout: PayoutHandle,
    command: Body & { by: string },
    sending: Sending,
  ) => Promise<PayoutState>;
};

/** POST /v1/payouts/{partner_code}/retry, /abandon, /resolve and /acknowledge. */
export function payoutCommandRoutes(app: GatewayApp, { payments }: GatewayServices): void {
  allowEmptyBody(app);

  function command<Body extends object>({ path, name, scopes, body, give, ...about }: PayoutCommand<Body>) {
    app.post(
      `/payouts/:partner_code/${path}`,
      {
        config: { purpose: 'command', scopes, command: name },
        schema: {
          tags: ['payouts'],
          ...about,
          params: payoutParams,
          body,
          response: commandAnswers(payoutState),
        },
      },
      async (request) => {
        const { partner_code } = payoutParams.parse(request.params);
        const order = signed(request as FastifyRequest, body.parse(request.body));
        const payout = payments.payout(partner_code);
        return audited(request as FastifyRequest, name, payout.workflowId, async () =>
          give(await reachable(request, payout), order, sendingOf(request)),
        );
      },
    );
  }

  command({
    path: 'retry',
    name: 'retryPayout',
    operationId: 'retryPayout',
    summary: 'Pay a failed payout again, perhaps with corrected payee data',
    scopes: ['oms', 'operator'],
    body: retryPayoutBody,
    give: (payout, order, sending) => payout.retry(order, undefined, sending),
  });
  command({
    path: 'abandon',
    name: 'abandonPayout',
    operationId: 'abandonPayout',
    summary: 'Give a failed payout up',
    scopes: ['oms', 'operator'],
    body: abandonPayoutBody,
    give: (payout, order, sending) => payout.abandon(order, undefined, sending),
  });
  command({
    path: 'resolve',
    name: 'resolveSubmission',
    operationId: 'resolvePayout',
    summary: 'Resolve a submission of unknown outcome',
    scopes: ['operator'],
    body: resolveSubmissionBody,
    give: (payout, order, sending) => payout.resolve(order, sending),
  });
  command({
    path: 'acknowledge',
    name: 'acknowledgeAttention',
    operationId: 'acknowledgePayout',
    summary: 'Acknowledge an attention that an operator has dealt with',
    scopes: ['operator'],
    body: acknowledgeAttentionBody,
    give: (payout, order, sending) => payout.acknowledge(order, sending),
  });
}
