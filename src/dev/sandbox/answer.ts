import type { FastifyReply } from 'fastify';
import type { Clock } from './clock.js';
import type { Fault, Reshape } from './fault.js';

/** A right answer of the service; the wrong ones are made from it. */
export type Answer = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly nestedUnder?: string;
  readonly partnerCode?: string;
};

type Sending = { readonly status: number; readonly headers: Record<string, string>; readonly text: string };
type Effect = () => Answer | Promise<Answer>;

const json = { 'content-type': 'application/json; charset=utf-8' };

/** Does the work of a call and answers it, as the fault has it. */
export async function perform(
  reply: FastifyReply,
  effect: Effect,
  fault: Fault | undefined,
  clock: Clock,
): Promise<FastifyReply> {
  if (fault === undefined) return send(reply, sendingOf(await effect(), undefined));
  const waiting = () => clock.wait(fault.delay_ms ?? 0);
  if (fault.effect === 'late' && !(await waiting())) return cut(reply);
  const answer = fault.effect === 'none' ? undefined : await effect();
  if (fault.effect !== 'late' && !(await waiting())) return cut(reply);
  if (fault.drop) return cut(reply);
  const sending = sendingOf(answer, fault);
  return fault.truncate ? sendHalf(reply, sending) : send(reply, sending);
}

function sendingOf(answer: Answer | undefined, fault: Fault | undefined): Sending {
  const status = fault?.status ?? (answer === undefined ? 503 : 200);
  const body =
    fault?.body ?? (answer === undefined ? disturbance(status) : reshaped(answer, fault?.reshape ?? []));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? { 'content-type': 'text/plain; charset=utf-8' } : json;
  return { status, headers: { ...type, ...fault?.headers }, text };
}

function disturbance(status: number) {
  return { error: { code: 'sandbox', message: `The sandbox answers ${String(status)}; nothing was done.` } };
}

function reshaped(answer: Answer, shapes: readonly Reshape[]): Record<string, unknown> {
  const body = shapes.reduce((previous, shape) => reshape(previous, shape, answer), { ...answer.body });
  return shapes.includes('nested') ? { [answer.nestedUnder ?? 'data']: body } : body;
}

function reshape(body: Record<string, unknown>, shape: Reshape, answer: Answer): Record<string, unknown> {
  const { id, status, ...rest } = body;
  switch (shape) {
    case 'id-integer':
      return { ...body, id: Number(id) };
    case 'id-absent':
      return { status, ...rest };
    case 'id-unsafe':
      return { ...body, id: 2 ** 53 + 2 };
    case 'id-other':
      return { ...body, id: '1' };
    case 'status-absent':
      return { id, ...rest };
    case 'status-unknown':
      return { ...body, status: 'under_review' };
    case 'status-upper':
      return { ...body, status: typeof status === 'string' ? status.toUpperCase() : status };
    case 'value-other':
      return { ...body, value: 987654.32 };
    case 'extra-fields':
      return { ...body, created_by: 'sandbox', links: [{ rel: 'self' }], meta: { trace: null } };
    case 'with-partner-code':
      return { ...body, partner_code: answer.partnerCode };
    case 'nested':
      return body;
  }
}

function send(reply: FastifyReply, { status, headers, text }: Sending): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}

function sendHalf(reply: FastifyReply, { status, headers, text }: Sending): FastifyReply {
  const whole = Buffer.from(text);
  reply.hijack();
  reply.raw.writeHead(status, { ...headers, 'content-length': whole.length });
  reply.raw.write(whole.subarray(0, Math.floor(whole.length / 2)), () => reply.raw.socket?.destroy());
  return reply;
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.destroy();
  return reply;
}
