import { changesPage, changesQuery } from '../../contract/http/changes.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { ownPart } from '../payments/ownership.js';

/** GET /v1/changes: what an OMS that was down has missed, over all kinds of payments. */
export function changesRoutes(app: GatewayApp, { payments }: GatewayServices): void {
  app.get(
    '/changes',
    {
      config: { purpose: 'read' },
      schema: {
        tags: ['changes'],
        operationId: 'listChanges',
        summary: 'List the payments that have changed since a moment, each at least once',
        querystring: changesQuery,
        response: { 200: changesPage },
      },
    },
    async (request) => payments.changes({ ...request.query, ...ownPart(request) }),
  );
}
