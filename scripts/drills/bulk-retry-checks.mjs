/** @throws Error when it is not so */
export function check(holds, what) {
  if (!holds) throw new Error(`Not as it should be: ${what}`);
}

/**
 * Compares the report of a bulk retry, over HTTP and from the command line, with what the service really did. `failed`:
 * the codes of which the service had a failed attempt when it began.
 */
export async function verify({ fleet, state, payouts, failed, id }) {
  const { text } = await fleet.http('GET', `/v1/bulk-retries/${id}/report`);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  check(lines.length === failed.size, `${String(failed.size)} lines, not ${String(lines.length)}`);
  const reported = new Set(lines.map((line) => line.partner_code));
  check(reported.size === lines.length, 'a line each');
  check(
    [...failed].every((code) => reported.has(code)),
    'a line for each that had failed at the service',
  );

  const records = new Map();
  for (const record of fleet.sandbox.ledger().payouts) {
    check(!records.has(record.partner_code), `${record.partner_code} was made twice`);
    records.set(record.partner_code, record);
  }
  for (const { partner_code: code } of payouts) {
    check(!records.has(`${code}-r3`), `${code} was sent a third time`);
    const mayBeSent = failed.has(code) && /^(once|again)-/.test(code);
    check(mayBeSent || !records.has(`${code}-r2`), `${code} was sent again`);
  }
  for (const line of lines) check(isTrue(line, records), `the report says ${JSON.stringify(line)}`);

  for (const outcome of ['pending', 'retried', 'done', 'failed_again', 'refused']) {
    const some = lines.filter((line) => line.outcome === outcome);
    const centavos = some.reduce((sum, { value }) => sum + Math.round(value * 100), 0);
    check(state.counts[outcome] === some.length, `the count of ${outcome}`);
    check(Math.round(state.values[outcome] * 100) === centavos, `the sum of ${outcome}`);
  }
  const csv = await fleet.cli('bulk-retry', 'report', id, '--csv');
  check(csv.trimEnd().split('\n').length === lines.length + 1, 'the CSV has a line each');
}

/** Whether the ledger holds what a line of the report says. */
function isTrue({ detail, outcome, partner_code: code }, records) {
  const status = records.get(`${code}-r2`)?.status;
  switch (outcome) {
    case 'done':
      return code.startsWith('once-') && status === 'done';
    case 'failed_again':
      return status === undefined || (code.startsWith('again-') && status === 'error');
    case 'refused':
      return code.startsWith('returned-') && status === undefined && detail.startsWith('DecisionNeeded');
    default:
      return false;
  }
}
