import type { CommandMessages, PaymentContext, Takes } from '../shared/context.js';
import { orderMisfit } from '../shared/order-misfit.js';
import { Refused } from '../shared/refused.js';
import type { OrderPayment } from './payment.js';

/** The outcome of the submission is unknown: an operator finds out, or a postback names the order. */
export async function awaitResolution(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  while (payment.stage === 'resolve') {
    const woke = await ctx.wait(() => payment.candidates.dueAt, 'resolveSubmission by an operator', {
      resolveSubmission: (command) => resolve(ctx, payment, command),
    });
    if (woke === 'due') await tryCandidate(ctx, payment);
  }
}

/** Money is expected to move: reads until the order is settled or has failed. */
export async function follow(
  ctx: PaymentContext,
  payment: OrderPayment,
  takes: Takes = {},
  awaiting?: string,
): Promise<void> {
  while (payment.stage === 'follow') {
    const woke = await ctx.wait(() => payment.readDueAt, awaiting ?? 'the next status of the service', takes);
    if (woke === 'due') await readOrder(ctx, payment);
  }
}

/** Settled: it is read rarely until the end of its watch, which ends with a read that worked. */
export async function watch(ctx: PaymentContext, payment: OrderPayment, takes: Takes = {}): Promise<void> {
  while (!payment.closed && payment.stage === 'watch') {
    const isKnown = payment.phase === 'known';
    const until = () =>
      isKnown ? payment.readDueAt : Math.min(payment.candidates.dueAt, payment.watchEndsAt);
    const ends = Number.isFinite(payment.watchEndsAt);
    const woke = await ctx.wait(until, ends ? 'the end of the watch' : 'an operator, see attention', takes);
    if (woke !== 'due') continue;
    const isOver = ctx.now() >= payment.watchEndsAt;
    if (!isKnown) await tryCandidate(ctx, payment);
    const isSure = !isKnown || payment.start.watchDays === 0 || (await readOrder(ctx, payment));
    if (isOver && isSure && ctx.now() >= payment.watchEndsAt) payment.close();
  }
}

/** `GET /v1/order/{id}`: applies what it shows; false when it could not be read or does not fit. */
export async function readOrder(ctx: PaymentContext, payment: OrderPayment): Promise<boolean> {
  const { record, reads, start } = payment;
  const serviceId = record.serviceId;
  if (serviceId === null) return false;
  const cause = reads.begin();
  const read = await ctx.readOrder(serviceId);
  if (read.kind === 'read') record.wasRead(cause, read.reading.status);
  else record.couldNotBeRead(cause, whyNot(read), start.scale);
  const usable = read.kind === 'read' && payment.applyReading(serviceId, read.reading);
  payment.afterRead(usable);
  return usable;
}

/** What an operator found out about a submission of unknown outcome. @throws Refused; then nothing was changed */
export async function resolve(
  ctx: PaymentContext,
  payment: OrderPayment,
  command: CommandMessages['resolveSubmission'],
): Promise<void> {
  const { record } = payment;
  if (command.service_id === undefined) {
    payment.markVoid(command);
    return;
  }
  const serviceId = String(command.service_id);
  const owner = await ctx.ownerOf(serviceId);
  if (owner !== null) {
    throw new Refused('InvalidMessage', `That identifier belongs to ${owner}. Nothing was changed.`);
  }
  const read = await ctx.readOrder(serviceId);
  if (read.kind !== 'read') {
    throw new Refused(
      'CouldNotRead',
      'An order with that service_id could not be read. Nothing was changed.',
    );
  }
  const misfit = orderMisfit(serviceId, record, read.reading);
  if (misfit !== null) {
    throw new Refused('InvalidMessage', `That order does not fit this one. ${misfit} Nothing was changed.`);
  }
  record.note(`Resolved: it is ${serviceId} at the service`, command);
  payment.become(serviceId, read.reading.status);
}

/** Nothing was sent in this run. After a reset that is no proof: then the outcome is unknown. */
export async function endUnsent(
  ctx: PaymentContext,
  payment: OrderPayment,
  status: 'rejected' | 'cancelled',
  what: string,
): Promise<void> {
  if (!(await ctx.wasReset())) return payment.end(status, what);
  payment.doubt('This run of the workflow is a reset: the run before it may have sent the request.');
}

export function cancelUnsent(ctx: PaymentContext, payment: OrderPayment): () => Promise<void> {
  return () =>
    endUnsent(ctx, payment, 'cancelled', 'Cancelled before anything was sent. Nothing was charged.');
}

/** A postback named an order; it is ours only if the service's own answer carries our partner_code. */
async function tryCandidate(ctx: PaymentContext, payment: OrderPayment): Promise<void> {
  const found = await payment.candidates.next(ctx);
  if (found === undefined) return;
  payment.record.note(`A postback named ${found.serviceId}, and the service shows that it is this order.`);
  payment.become(found.serviceId, found.status);
}

function whyNot(read: { kind: 'not_found' } | { kind: 'unreadable'; reason: string }): string {
  return read.kind === 'not_found' ? 'The service knows no order by its identifier.' : read.reason;
}
