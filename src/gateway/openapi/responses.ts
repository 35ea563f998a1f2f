import { STATUS_CODES } from 'node:http';
import type { Purpose } from '../http/to-http-error.js';
import { problemTypes, typesOf } from '../http/problem-types.js';

const rateLimit = {
  'ratelimit-limit': { $ref: '#/components/headers/RateLimitLimit' },
  'ratelimit-remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'ratelimit-reset': { $ref: '#/components/headers/RateLimitReset' },
};

const whole = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** The headers that answers have. */
export const headers = {
  RateLimitLimit: whole('How many requests a minute this key may send', 6_000),
  RateLimitRemaining: whole('How many of them are left in this minute', 5_999),
  RateLimitReset: whole('Seconds until the minute is over', 42),
  RetryAfter: whole('Seconds to wait before the request is sent again', 5),
  Location: {
    description: 'Where the payment is read',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/payouts/rent-2026-05',
  },
  Allow: {
    description: 'The methods that this address takes',
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  WwwAuthenticate: { description: 'Bearer', schema: { type: 'string' }, example: 'Bearer' },
};

const ofStatus: Readonly<Record<number, object>> = {
  401: { 'www-authenticate': { $ref: '#/components/headers/WwwAuthenticate' } },
  405: { allow: { $ref: '#/components/headers/Allow' } },
  409: { location: { $ref: '#/components/headers/Location' } },
  429: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
  503: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
};

const problemStatuses = [...new Set(Object.values(problemTypes).map(([status]) => status))];

/** How each error looks, by its status. */
export const problemResponses = Object.fromEntries(
  problemStatuses.map((status) => [nameOf(status), problemResponse(status)]),
);

/** The errors that an operation may answer. */
export function problemsOf(
  purpose: Purpose,
  { hasBody, hasCode }: { hasBody: boolean; hasCode: boolean },
): Record<string, { $ref: string }> {
  const statuses = [
    ...[400, 401, 403, 429, 500, 503],
    ...(hasCode ? [404] : []),
    ...(hasBody ? [408, 413, 415] : []),
    ...(purpose === 'start' || purpose === 'command' ? [409] : []),
  ].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

/** The headers of a success. */
export function successHeaders(isStart: boolean) {
  return { ...(isStart ? { location: { $ref: '#/components/headers/Location' } } : {}), ...rateLimit };
}

function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/[^A-Za-z]/g, '');
}

function problemResponse(status: number) {
  const types = typesOf(status).filter((type) => type !== 'codec');
  return {
    description: types.map((type) => `\`${type}\`: ${problemTypes[type][1]}`).join('\n\n'),
    headers: { ...ofStatus[status], ...rateLimit },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          types.map((type) => [
            type,
            {
              summary: problemTypes[type][1],
              value: {
                type: `urn:durable-payments:problem:${type}`,
                title: STATUS_CODES[status] ?? 'Error',
                status,
                detail: problemTypes[type][1],
              },
            },
          ]),
        ),
      },
    },
  };
}
