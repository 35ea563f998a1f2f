import { accountValidationBody } from '../../contract/account-validation.js';
import { untilQuery, validationParams } from '../../contract/http/payments.js';
import { accountValidationState } from '../../contract/state.js';
import { workflowIdOf } from '../../domain/ids.js';
import { answerStart } from '../payments/answer-start.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { startedAccountValidation } from '../payments/started-states.js';
import { auditedStart } from '../payments/commands.js';
import { reachable, startedFor } from '../payments/ownership.js';
import { stateOrWait } from '../payments/reads.js';

const tags = ['account validations'];

/** POST /v1/account-validations and GET /v1/account-validations/{partner_code}: the service's `POST /v1/account/validate`. */
export function accountValidationRoutes(app: GatewayApp, services: GatewayServices): void {
  const { payments, validationWaits, metrics, now } = services;

  app.post(
    '/account-validations',
    {
      config: { purpose: 'start', scopes: ['oms'] },
      schema: {
        tags,
        operationId: 'startAccountValidation',
        summary: 'Have a bank account validated; the answer comes later and is never verified',
        body: accountValidationBody,
        response: { 200: accountValidationState, 201: accountValidationState, 202: accountValidationState },
      },
    },
    async (request, reply) =>
      answerStart(request, reply, {
        ...(await auditedStart(
          request,
          'startAccountValidation',
          workflowIdOf('account_validation', request.body.partner_code),
          () => payments.startAccountValidation(request.body, startedFor(request)),
        )),
        initial: startedAccountValidation(request.body, now(), request.caller?.name),
        waits: validationWaits,
        metrics,
        location: `/v1/account-validations/${request.body.partner_code}`,
      }),
  );

  app.get(
    '/account-validations/:partner_code',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'getAccountValidation',
        summary: 'Show a validation; with Prefer: wait=N, once its status is one of ?until=',
        params: validationParams,
        querystring: untilQuery,
        response: { 200: accountValidationState },
      },
    },
    async (request) =>
      stateOrWait(
        request,
        await reachable(request, payments.accountValidation(request.params.partner_code)),
        validationWaits,
      ),
  );
}
