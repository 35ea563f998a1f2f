import createClient from 'openapi-fetch';
import type { paths } from './generated.js';

const [baseUrl = '', key = '', partner_code = ''] = process.argv.slice(2);
const payments = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const payee = { first_name: 'Ana', last_name: 'Lima', document: '52998224725', pix: 'ana.lima@example.com' };

const body = { partner_code, value: 150.5, ...payee };
const started = await payments.POST('/v1/payouts/pix', { body, params: { header: { Prefer: 'wait=10' } } });
if (started.data === undefined) throw new Error(started.error.detail);
const repeated = await payments.POST('/v1/payouts/pix', { body });
const conflict = await payments.POST('/v1/payouts/pix', { body: { ...body, value: 1 } });
const invalid = await payments.POST('/v1/payouts/pix', { body: { ...body, value: -1 } });
console.log(
  [
    started.data.attempts[0]?.number,
    repeated.response.status,
    conflict.error?.type,
    invalid.error?.errors?.[0]?.field,
  ].join(' '),
);
