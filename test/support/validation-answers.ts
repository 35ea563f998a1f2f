/** What the validations ask about that are answered so. */
export const askedAbout = {
  ...{ partner_code: 'check-1', first_name: 'José', last_name: 'da Silva', document: '529.982.247-25' },
  ...{ bank_code: '341', account: '12345-6' },
};

/** Answers that let a transfer go. */
export const favourableAnswers: readonly unknown[] = [
  { status: 'valid' },
  { success: true, data: { valid: true } },
  { status: 'success', result: 'approved' },
  { data: { status: 'MATCHED' } },
  { status: 'approved', data: { account: { bank: { valid: true } } } },
  { id: '17', partner_code: 'check-1', valid: true, message: null, errors: [] },
  { valid: true, name: 'JOSE DA SILVA', document: '52998224725', bank_code: '0341', account: '123456' },
  { valid: true, nameMatch: 'matched', bank_name: 'Itaú Unibanco', created_at: '2026-03-01T10:00:00Z' },
  { validation: { id: 9, is_valid: true }, account_type: 'checking' },
  { validation_id: '7f9c24e8-3b12', valid: true, type: 'Conta Corrente', date: '2026-03-01 10:00' },
];

const nested = Array.from({ length: 9 }).reduce<object>((data) => ({ data }), { valid: false });

/** Answers after which a person decides. */
export const otherAnswers: readonly unknown[] = [
  // Without a statement in favour.
  { success: true },
  { status: 'done' },
  { success: true, status: 'processing' },
  'valid',
  null,
  // With something against it.
  { success: true, data: { valid: false } },
  { status: 'success', data: { status: 'invalid' } },
  { status: 'ok', validation: { valid: false } },
  { valid: true, data: { status: 'rejected' } },
  { valid: true, status: 'pending' },
  { status: 'approved', data: { account: { valid: false } } },
  { valid: true, checks: [{ account: { result: 'rejected' } }] },
  { status: 'valid', a: { b: { c: { d: { e: { success: false } } } } } },
  { valid: true, data: nested },
  { valid: true, name_match: false },
  { valid: true, error: true },
  { valid: true, blocked: 'true' },
  { valid: true, mismatch: true },
  { valid: true, not_valid: true },
  { status: 'approved', beneficiaryVerificationStatus: 'NOT_MATCHED' },
  { status: 'validated', valid: 0 },
  { status: 'valid', is_valid: 'false' },
  { valid: true, errors: [{ code: 'E17' }] },
  { valid: true, errors: ['account closed'] },
  { valid: true, errors: [{ message: 'account closed' }] },
  { valid: true, match: 'partial' },
  { valid: true, match: 'no' },
  { valid: true, nameMatch: 'não' },
  { valid: true, score: 0 },
  { valid: true, holder: { status: 'mismatch' } },
  { valid: true, bank: 'error' },
  { valid: true, error_code: 51 },
  { valid: true, error_id: 17 },
  { valid: true, reason_id: 3 },
  { valid: true, errors: [{ type: 'holder_divergence' }] },
  { valid: true, type: 'blocked' },
  { valid: true, date: 'closed 2020' },
  { valid: true, id: 'closed 2020' },
  { valid: true, invalid_fields: { account: '12345-6' } },
  { valid: true, id: 0 },
  // Of another account or payee than was asked for.
  { valid: true, name: 'Maria Souza' },
  { valid: true, document: '111.444.777-35' },
  { valid: true, data: { account: '99999-9' } },
  // Not understood.
  { valid: true, message: 'Conta localizada' },
  { valid: true, level: 3 },
];
