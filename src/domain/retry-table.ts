/**
 * How each call of the service may be repeated:
 * `safe` it changes nothing, `verify_first` only after a read has shown that the previous call did nothing,
 * `never` there is no read that could show it, so only an operator can decide.
 */
export type RetryRule = 'safe' | 'verify_first' | 'never';

/** Endpoint by endpoint. POST /v1/auth makes a token and moves no money. */
export const retryTable = {
  'POST /v1/auth': 'safe',
  'POST /v1/order': 'never',
  'GET /v1/order/{id}': 'safe',
  'PUT /v1/order/{id}/refund': 'never',
  'POST /v1/checkout': 'never',
  'POST /v1/3ds/order': 'never',
  'PUT /v1/3ds/order/{id}': 'never',
  'GET /v1/3ds/token': 'safe',
  'POST /v1/payout/transfer': 'verify_first',
  'POST /v1/payout/pix': 'verify_first',
  'GET /v1/payout/{id}': 'safe',
  'GET /v1/payouts': 'safe',
  'POST /v1/account/validate': 'never',
} as const satisfies Record<string, RetryRule>;

export type Endpoint = keyof typeof retryTable;
