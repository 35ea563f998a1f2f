const ofPayee = ['kind', 'first_name', 'last_name', 'document', 'email', 'phone'];

/** The fields of a payout that a further attempt may change; the value never. */
const correctable: Record<'pix' | 'transfer', readonly string[]> = {
  pix: [...ofPayee, 'pix'],
  transfer: [...ofPayee, 'bank_code', 'agency', 'account', 'account_type'],
};

/** What is wrong with the form of corrections, in words for their sender; undefined when nothing is. */
export function correctionsProblem(corrections: unknown, method: 'pix' | 'transfer'): string | undefined {
  if (corrections === undefined || corrections === null) return undefined;
  if (typeof corrections !== 'object' || Array.isArray(corrections)) return 'corrections must be an object.';
  for (const [field, value] of Object.entries(corrections)) {
    if (field === 'value')
      return 'corrections.value: the value of a payout never changes. Start another payout.';
    if (!correctable[method].includes(field))
      return `corrections: a payout by ${method} has no field ${field.slice(0, 40)} to correct.`;
    if (typeof value !== 'string' || value === '') return `corrections.${field} must be a text.`;
  }
  return undefined;
}
