import type { FieldProblem } from '../../contract/problems.js';
import { findNotifyTarget } from '../../domain/notify-targets.js';
import type { NotifyTarget } from '../../domain/notify-targets.js';
import type { GatewayApp } from '../app.js';
import { invalidRequest } from '../http/http-error.js';
import { fieldsOf } from './fields-of.js';

type Targets = readonly Pick<NotifyTarget, 'name' | 'url'>[];

const message = 'is not a webhook of this installation: they are set by NOTIFY_TARGETS';

/** Refuses a payment whose webhook is not configured. */
export function requireKnownWebhooks(app: GatewayApp, targets: Targets): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const unknown = isUnknown(targets, request.body);
    done(unknown ? invalidRequest([{ field: 'notify.webhook', message }]) : undefined);
  });
}

/** The rows of a batch whose webhook is not configured. */
export function unknownWebhooks(targets: Targets, rows: unknown): FieldProblem[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown, index) =>
    isUnknown(targets, row) ? [{ row: index + 1, field: 'notify.webhook', message }] : [],
  );
}

function isUnknown(targets: Targets, payment: unknown): boolean {
  const { webhook } = fieldsOf(fieldsOf(payment).notify);
  return typeof webhook === 'string' && findNotifyTarget(targets, webhook) === undefined;
}
