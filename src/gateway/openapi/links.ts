const byCode = { partner_code: '$response.body#/partner_code' };
const order = linked(byCode, ['getOrder', 'acknowledgeOrder', 'provideCard', 'resolveOrder', 'startRefund']);
const secured = linked(byCode, ['issueThreeDSecureToken', 'completeThreeDSecure']);
const payout = linked(byCode, [
  'getPayout',
  'retryPayout',
  'abandonPayout',
  'resolvePayout',
  'acknowledgePayout',
]);

/** What may follow an operation, with what of its answer. */
const links: Readonly<Record<string, object>> = {
  startCardOrder: order,
  startHostedCheckout: order,
  startThreeDSecureOrder: { ...order, ...secured },
  startRefund: linked(byCode, ['getRefund', 'retryRefund', 'resolveRefund', 'acknowledgeRefund']),
  startPixPayout: payout,
  startTransferPayout: payout,
  startPayoutBatch: linked({ batch_id: '$response.body#/batch_id' }, ['getPayoutBatch']),
  startWebhookResend: linked({ resend_id: '$response.body#/resend_id' }, ['getWebhookResend']),
  startAccountValidation: linked(byCode, ['getAccountValidation']),
};

/** The OpenAPI links from the answer of an operation to what may follow it; undefined when nothing does. */
export function linksOf(operationId: string | undefined): object | undefined {
  return links[operationId ?? ''];
}

function linked(parameters: object, operationIds: readonly string[]): object {
  return Object.fromEntries(operationIds.map((operationId) => [operationId, { operationId, parameters }]));
}
