import { findNotifyTarget } from '../domain/notify-targets.js';
import type { NotifyTarget } from '../domain/notify-targets.js';
import type { GatewayApp } from './app.js';
import { invalidRequest } from './http-error.js';

/** Refuses whatever would be told to a webhook that is on no list, one payment or a batch of them. */
export function requireKnownWebhooks(
  app: GatewayApp,
  targets: readonly Pick<NotifyTarget, 'name' | 'url'>[],
): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const unknown = webhooksIn(request.body).filter(
      ({ webhook }) => findNotifyTarget(targets, webhook) === undefined,
    );
    const message = 'is not a webhook of this installation: they are set by NOTIFY_TARGETS';
    done(unknown.length === 0 ? undefined : invalidRequest(unknown.map(({ field }) => ({ field, message }))));
  });
}

function webhooksIn(body: unknown): { field: string; webhook: string }[] {
  const { payouts } = fieldsOf(body);
  const rows = Array.isArray(payouts) ? payouts : [];
  return [
    { field: 'notify.webhook', holder: body },
    ...rows.map((row: unknown, index) => ({
      field: `payouts.${String(index)}.notify.webhook`,
      holder: row,
    })),
  ].flatMap(({ field, holder }) => {
    const { webhook } = fieldsOf(fieldsOf(holder).notify);
    return typeof webhook === 'string' ? [{ field, webhook }] : [];
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
