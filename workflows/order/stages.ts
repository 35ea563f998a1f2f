import { afterRead, candidateDueAt, nextCandidate, openCandidate } from '../../src/domain/candidates.js';
import { orderStages } from '../../src/domain/order-stages.js';
import { voided } from '../../src/domain/order.js';
import type { OrderReading } from '../../src/contract/outcomes.js';
import { Refused } from '../../src/domain/refused.js';
import type { CommandMessages } from '../shared/commands.js';
import {
  unknownAfterReset,
  type CreatingCall,
  type CreatingCalls,
  type PaymentContext,
} from '../shared/context.js';
import { whenDue } from '../shared/lifecycle.js';
import { claim, refuseForeign, refuseKnown } from '../shared/identifiers.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';
import { misfitOf } from '../shared/order-reads.js';
import { waitsToSend } from '../shared/submission.js';
import type { OrderPayment } from './payment.js';
import { closesUnread, readDueAt, readOrder, watchEndsAt } from './reads.js';

/** Opens an order that its customer completes: once, and again only after proof that the previous call had no effect. */
export async function open(
  ctx: PaymentContext,
  payment: OrderPayment,
  doing: string,
  call: CreatingCall<CreatingCalls>,
): Promise<void> {
  const { submitUntil } = payment;
  const { until, ...waiting } = waitsToSend(payment);
  const woke = await ctx.wait(orderStages.submit, {
    ...waiting,
    until: () => Math.min(until(), submitUntil),
    takes: { cancel: cancelUnsent(ctx, payment) },
  });
  if (woke !== 'due') return;
  if (ctx.now() >= submitUntil) {
    await endUnsent(ctx, payment, 'rejected', 'It was not sent before its time was over.');
  } else if (await mayBeSent(ctx, payment)) {
    payment.applySubmitted(await ctx.send(payment.data.submission, doing, call));
  }
}

/** The outcome of the submission is unknown: an operator finds out, or a postback names the order. */
export function awaitResolution(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  const waiting = {
    until: () => candidateDueAt(payment.data.candidates),
    awaiting: 'resolveSubmission by an operator',
    takes: takesFinding(ctx, payment),
  };
  return whenDue(ctx, payment, orderStages.resolve, waiting, tryCandidate);
}

/** No read finds its identifier: it may be the wrong one, or the order may have moved to another one. */
export function find(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  const waiting = { ...nextRead(payment), takes: takesFinding(ctx, payment) };
  return whenDue(ctx, payment, orderStages.find, waiting, readOrder);
}

/** Money is expected to move: reads until the order is settled or has failed. */
export function follow(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  return whenDue(ctx, payment, orderStages.follow, nextRead(payment), readOrder);
}

/** What most stages wait for. */
export function nextRead(payment: OrderPayment, awaiting = 'the next status of the service') {
  return { until: () => readDueAt(payment), awaiting };
}

/** Settled: it is read rarely until the end of its watch, which ends with a read that worked. */
export async function watch(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  const isKnown = payment.data.phase === 'known';
  const until = () => (isKnown ? readDueAt(payment) : voidDueAt(payment));
  const ends = Number.isFinite(watchEndsAt(payment));
  const awaiting = ends ? 'the end of the watch' : 'an operator, see attention';
  if ((await ctx.wait(orderStages.watch, { until, awaiting })) !== 'due') return;
  const isOver = ctx.now() >= watchEndsAt(payment);
  if (!isKnown) await tryCandidate(ctx, payment);
  const isSure = isKnown
    ? (isOver && closesUnread(payment)) || (await readOrder(ctx, payment))
    : openCandidate(payment.data.candidates) === undefined;
  if (isOver && isSure && ctx.now() >= watchEndsAt(payment)) payment.apply({ closed: true });
}

/** What came to nothing ends with its watch, but for what a postback has named and no read has decided. */
function voidDueAt(payment: OrderPayment): number {
  const { candidates } = payment.data;
  const named = candidateDueAt(candidates);
  return openCandidate(candidates) === undefined ? Math.min(named, watchEndsAt(payment)) : named;
}

function takesFinding(ctx: PaymentContext, payment: OrderPayment) {
  return {
    resolveSubmission: (command: CommandMessages['resolveSubmission']) => resolve(ctx, payment, command),
  };
}

/** What an operator found out about a submission of unknown outcome. @throws Refused; then nothing was changed */
async function resolve(
  ctx: PaymentContext,
  payment: OrderPayment,
  command: CommandMessages['resolveSubmission'],
): Promise<void> {
  const { record } = payment;
  if (command.service_id === undefined) return payment.apply(voided(), command);
  const serviceId = String(command.service_id);
  const startedAt = ctx.now();
  await refuseForeign(ctx, serviceId);
  const { everRead, serviceId: known } = record.data;
  if (payment.data.phase === 'known' && everRead && known !== null && !isSameIdentifier(known, serviceId)) {
    refuseKnown(await ctx.readOrder(known), known);
  }
  const read = await ctx.readOrder(serviceId);
  if (read.kind !== 'read') {
    const what = 'An order with that service_id could not be read. Nothing was changed.';
    throw new Refused('CouldNotRead', what);
  }
  const misfit = misfitOf(record, serviceId, read.reading);
  if (misfit !== null) {
    throw new Refused('InvalidMessage', `That order does not fit this one. ${misfit} Nothing was changed.`);
  }
  const { partner_code: code, status } = read.reading;
  if (code === null) await claim(ctx, payment, serviceId, startedAt);
  record.note(`Resolved: it is ${serviceId} at the service`, command);
  record.wasRead('command', status);
  record.set({ everRead: status !== null });
  payment.become(serviceId, status);
}

/** Nothing was sent in this run. After a reset that is no proof: then the outcome is unknown. */
export async function endUnsent(
  ctx: PaymentContext,
  payment: OrderPayment,
  status: 'rejected' | 'cancelled',
  what: string,
): Promise<void> {
  if (await ctx.wasReset()) payment.markUnknown(unknownAfterReset);
  else payment.endUnsent(status, what);
}

export function cancelUnsent(ctx: PaymentContext, payment: OrderPayment): () => Promise<void> {
  return () => endUnsent(ctx, payment, 'cancelled', 'Cancelled before anything was sent.');
}

/** Of one that was sent, and came to nothing by the service's answer alone, all that postbacks name is read first. */
export async function mayBeSent(ctx: PaymentContext, payment: OrderPayment): Promise<boolean> {
  if (!payment.wasAnswered) return true;
  const { candidates } = payment.data;
  if (ctx.now() >= candidateDueAt(candidates)) {
    await tryCandidate(ctx, payment);
    return false;
  }
  const open = openCandidate(candidates);
  if (open !== undefined) {
    payment.putOff(`A postback names order ${open.id}, which the service does not show just now.`);
  }
  return open === undefined;
}

/**
 * A postback named an order; it is ours only if the service's own answer carries our partner_code. Where that shows no
 * code at all it may be ours: of an order that was believed to have come to nothing an operator is asked.
 */
async function tryCandidate(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  const named = nextCandidate(payment.data.candidates);
  if (named === undefined) return;
  const { id: serviceId } = named;
  const { record } = payment;
  const read = await ctx.readOrder(serviceId);
  const whose = read.kind === 'read' ? await whoseIs(ctx, payment, serviceId, read.reading) : read.kind;
  const isRead = whose === 'this' || whose === 'perhaps' || whose === 'another';
  const time = { now: ctx.now(), scale: payment.start.scale };
  const candidates = afterRead(payment.data.candidates, named, isRead ? 'read' : whose, time);
  payment.set({ candidates });
  if (whose === 'this') {
    record.note(`A postback named ${serviceId}, and the service shows that it is this order.`);
    // Its status comes from a read like any other, which compares the value as well.
    return payment.become(serviceId, null);
  }
  if (whose !== 'perhaps' || read.kind !== 'read') return;
  const misfit = misfitOf(record, serviceId, read.reading) ?? '';
  const what = `A postback names order ${serviceId}, which the service holds and may be this one. ${misfit}`;
  payment.markUnknown(what.trim());
}

/** Whose order it is that a postback names: by the service's answer, else by what is known here. */
async function whoseIs(
  ctx: PaymentContext,
  payment: OrderPayment,
  serviceId: string,
  { partner_code: code }: OrderReading,
): Promise<'this' | 'perhaps' | 'another' | 'unreadable'> {
  if (code === payment.record.partnerCode) return 'this';
  // Of one that is of unknown outcome an operator is asked already.
  const isBelieved = payment.data.phase === 'void' || payment.wasAnswered;
  if (code !== null || !isBelieved) return 'another';
  try {
    return (await ctx.ownerOf(serviceId)) === null ? 'perhaps' : 'another';
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return 'unreadable';
  }
}
