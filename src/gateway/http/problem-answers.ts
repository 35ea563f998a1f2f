import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CommandPendingError } from '../../client/errors.js';
import type { CommandPending } from '../../contract/http/command-pending.js';
import type { Problem } from '../../contract/http/problem.js';
import { withoutLongDigits } from '../../contract/problems.js';
import { HttpError } from './http-error.js';
import { locationOf, toHttpError } from './to-http-error.js';

const mediaType = 'application/problem+json; charset=utf-8';

function problemOf({ statusCode, slug, title, message, more }: HttpError): Problem {
  return {
    type: `urn:durable-payments:problem:${slug}`,
    title,
    status: statusCode,
    detail: message,
    ...(more.errors === undefined ? {} : { errors: [...more.errors] }),
    ...(more.errorCount === undefined ? {} : { error_count: more.errorCount }),
    ...(more.reason === undefined ? {} : { reason: more.reason }),
  };
}

/** Answers any error as application/problem+json, and logs what is our own fault. A command that is pending is none. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof CommandPendingError) return answerPending(error, reply);
  const answer = toHttpError(error, request.routeOptions.config.purpose ?? 'other');
  request.problem = answer.slug;
  if (answer.statusCode >= 500) {
    request.log.error(
      { status: answer.statusCode, failure: describe(error) },
      'a request could not be answered',
    );
  }
  if (answer.statusCode === 401) void reply.header('www-authenticate', 'Bearer');
  if (answer.more.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(answer.more.retryAfterSeconds));
  }
  if (answer.more.allow !== undefined) void reply.header('allow', answer.more.allow.join(', '));
  if (answer.more.location !== undefined) void reply.header('location', answer.more.location);
  return reply.code(answer.statusCode).header('content-type', mediaType).send(problemOf(answer));
}

function answerPending(
  { command, commandId, message, workflowId }: CommandPendingError,
  reply: FastifyReply,
) {
  const location = locationOf(workflowId);
  if (location !== undefined) void reply.header('location', location);
  const body: CommandPending = { workflow_id: workflowId, command, command_id: commandId, detail: message };
  return reply.code(202).send(body);
}

/** Answers a connection on which no HTTP request could be read. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status] ?? 'Bad Request';
  const detail = 'No HTTP request could be read on this connection. Nothing was done.';
  answerOn(socket, new HttpError(status, 'unreadable', title, detail));
}

/** Answers on a connection itself, and closes it. */
export function answerOn(socket: Socket, error: HttpError): void {
  const body = JSON.stringify(problemOf(error));
  const status = `${String(error.statusCode)} ${error.title}`;
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${mediaType}\r\nConnection: close\r\n`;
  socket.end(`${head}Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`);
}

/** What may be logged of a failure: its class and its message, never what was sent or answered. */
function describe(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: 'not an Error' };
  return {
    name: error.name,
    message: withoutLongDigits(error.message).slice(0, 500),
    ...(depth === 0 ? { at: error.stack?.split('\n').slice(1, 4).join('\n') } : {}),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: describe(error.cause, depth + 1) }),
  };
}
