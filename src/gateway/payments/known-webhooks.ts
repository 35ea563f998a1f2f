import type { FieldProblem } from '../../contract/problems.js';
import { findNotifyTarget, notifyWorkflowProblem } from '../../domain/notify-targets.js';
import type { GatewayApp } from '../app.js';
import type { GatewayDeps } from '../deps.js';
import { invalidRequest } from '../http/http-error.js';
import { fieldsOf } from './fields-of.js';

type Targets = Pick<GatewayDeps, 'notifyTargets' | 'notifyWorkflows'>;

export const noWebhook = 'is not a webhook of this installation: they are set by NOTIFY_TARGETS';

/** Refuses a payment that would notify a webhook or a workflow that is on no list. */
export function requireKnownTargets(app: GatewayApp, targets: Targets): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const problem = problemOf(targets, request.body);
    done(problem === undefined ? undefined : invalidRequest([problem]));
  });
}

/** The rows of a batch that would notify a webhook or a workflow that is on no list. */
export function unknownTargets(targets: Targets, rows: unknown): FieldProblem[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown, index) => {
    const problem = problemOf(targets, row);
    return problem === undefined ? [] : [{ row: index + 1, ...problem }];
  });
}

function problemOf({ notifyTargets = [], notifyWorkflows = [] }: Targets, payment: unknown) {
  const { webhook, workflow_id: workflowId } = fieldsOf(fieldsOf(payment).notify);
  if (typeof webhook === 'string' && findNotifyTarget(notifyTargets, webhook) === undefined)
    return { field: 'notify.webhook', message: noWebhook };
  const message =
    typeof workflowId === 'string' ? notifyWorkflowProblem(notifyWorkflows, workflowId) : undefined;
  return message === undefined ? undefined : { field: 'notify.workflow_id', message };
}
