import { setTimeout as sleep } from 'node:timers/promises';
import { cardOrder } from './requests.mjs';

const reason = 'looked up at the service';

/**
 * An operator who decides by what the service shows (the sandbox's ledger) what no machine can know, until it is
 * stopped: as docs/operations.md has it for each kind of attention.
 */
export function startOperator(oms, attend = attendToAll) {
  let isStopped = false;
  const work = async () => {
    while (!isStopped) {
      await attend(oms);
      await sleep(1_000);
    }
  };
  const working = work();
  return {
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
}

/** Decides on payouts of unknown outcome alone. */
export async function attendToUnknownPayouts(oms) {
  const unknown = await listed(oms, '/v1/payouts?attention=submission_unknown');
  await Promise.all(unknown.map(({ partner_code: code }) => resolvePayout(oms, code)));
}

async function attendToAll(oms) {
  const [failed, unknownOrders, cardless] = await Promise.all([
    listed(oms, '/v1/payouts?attention=payout_failed'),
    listed(oms, '/v1/orders?attention=submission_unknown'),
    listed(oms, '/v1/orders?attention=awaiting_card'),
  ]);
  const refunds = [...oms.payments.values()].filter(({ isSettled, kind }) => kind === 'refund' && !isSettled);
  await Promise.all([
    ...failed.map(async ({ partner_code: code }) => {
      const answer = await oms.ask('POST', `/v1/payouts/${code}/retry`, { reason });
      if (answer?.status === 500) console.log(answer.text, oms.fleet.outputs());
    }),
    attendToUnknownPayouts(oms),
    ...unknownOrders.map(({ partner_code: code }) => resolveOrder(oms, code)),
    ...cardless.map(({ partner_code: code }) => giveCard(oms, code)),
    ...refunds.map((payment) => decideRefund(oms, payment)),
  ]);
}

async function listed(oms, path) {
  return (await oms.ask('GET', `${path}&limit=200`))?.body?.payments ?? [];
}

async function resolvePayout(oms, code) {
  const state = await oms.ask('GET', `/v1/payouts/${code}`);
  const attempt = state?.body?.attempts?.at(-1)?.partner_code;
  if (attempt === undefined) return;
  const decision = foundIn((await oms.fleet.sandbox.ledger(attempt)).payouts);
  const answer = await oms.ask('POST', `/v1/payouts/${code}/resolve`, decision);
  if (answer?.status === 200) oms.resolved?.(attempt, decision);
}

async function resolveOrder(oms, code) {
  const { orders } = await oms.fleet.sandbox.ledger(code);
  await oms.ask('POST', `/v1/orders/${code}/resolve`, foundIn(orders));
}

function foundIn([record]) {
  return { reason, ...(record === undefined ? { nothing_happened: true } : { service_id: record.id }) };
}

/** An order that awaits a card is compared with the service first: after a restore it may have been charged. */
async function giveCard(oms, code) {
  if ((await oms.fleet.sandbox.ledger(code)).orders.length > 0) return;
  await oms.ask('POST', `/v1/orders/${code}/card`, { credit_card: cardOrder(code).credit_card, reason });
}

async function decideRefund(oms, payment) {
  const state = await oms.ask('GET', payment.path);
  if (!['refund_failed', 'refund_unconfirmed'].includes(state?.body?.attention)) return;
  const [order] = (await oms.fleet.sandbox.ledger(payment.code)).orders;
  if (order?.refunds_done > 0)
    await oms.ask('POST', `${payment.path}/resolve`, { outcome: 'refunded', reason });
  else if (order?.refunds_requested === 0)
    await oms.ask('POST', `${payment.path}/retry`, { nothing_queued: true, reason });
}
