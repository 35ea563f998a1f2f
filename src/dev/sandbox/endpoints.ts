/** The endpoints of the document, as counters and armed faults name them. */
export const endpointNames = [
  'POST /v1/auth',
  'POST /v1/order',
  'GET /v1/order/{id}',
  'PUT /v1/order/{id}/refund',
  'POST /v1/checkout',
  'POST /v1/3ds/order',
  'PUT /v1/3ds/order/{id}',
  'GET /v1/3ds/token',
  'POST /v1/payout/transfer',
  'POST /v1/payout/pix',
  'GET /v1/payout/{id}',
  'GET /v1/payouts',
  'POST /v1/account/validate',
] as const;

export type EndpointName = (typeof endpointNames)[number];
