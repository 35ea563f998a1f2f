import type { Endpoint } from './endpoint.js';
import { planOf } from './plan.js';
import type { Service } from './service.js';
import { parseOrRefuse } from './service-error.js';
import { accountValidationBody } from './wire.js';

export function validationEndpoints(service: Service): readonly Endpoint[] {
  return [
    {
      name: 'POST /v1/account/validate',
      operation: 'create',
      prepare: ({ body }) => {
        const fields = parseOrRefuse(accountValidationBody, body);
        const plan = planOf([fields.account, fields.last_name ?? ''], fields.partner_code);
        return {
          subject: { partnerCode: fields.partner_code, plan },
          effect: async () => {
            const validation = service.validations.create(fields, plan);
            if (plan.postbacks === 'early') await service.postbacks.announceFirst(validation);
            const { id, status, partnerCode } = validation;
            return { body: { id, status }, nestedUnder: 'account_validation', partnerCode };
          },
        };
      },
    },
  ];
}
