import { accountValidation } from '../../drills/requests.mjs';
import { throughput } from './throughput.mjs';

export const validations = throughput(
  'validation',
  'account validation by client, one postback',
  async (bench) => {
    const code = bench.freshCode();
    await bench.direct.startAccountValidation(accountValidation(code));
    await bench.ended(`account-validation-${code}`, 'answered');
    return `account-validation-${code}`;
  },
);

export const bareValidations = throughput(
  'bare-validation',
  'bare account validation, one postback',
  async (bench) => {
    const handle = await bench.bareWorkflow('bareValidation', [accountValidation(bench.freshCode())]);
    await handle.result();
    return handle.workflowId;
  },
);
