import { expect, test } from 'vitest';
import { RetryPage } from '../../workflows/bulk-retry/page.js';

const line = (code: string) => ({
  ...{ partner_code: code, attempt: 1, centavos: 15_025 },
  cause: 'service_error',
  words: '',
});

test('a page that has retried only some of the payouts it took goes on with the next one, or is idle when paused', () => {
  const page = new RetryPage(
    {
      ...{ bulk_retry_id: 'again', page: 1, per_second: 50, reason: 'the bank is back', by: 'ana', scale: 1 },
      payouts: ['first', 'second', 'third'].map(line),
    },
    0,
  );
  page.allow({ number: 1, up_to: 3, last: true });
  const codes = () => page.take(50, 0).map(({ partner_code: code }) => code);
  expect(codes()).toEqual(['first', 'second', 'third']);
  page.taken(page.take(50, 0), [{ outcome: 'retried', detail: null }], 0);
  expect(codes()).toEqual(['second', 'third']);
  page.taken(page.take(50, 0), [], 0);
  expect(codes()).toEqual(['second', 'third']);
  expect(page.progress(0)).toMatchObject({ next: 1, idle: false });

  page.allow({ number: 2, up_to: 0, last: false });
  expect(page.progress(0)).toMatchObject({ next: 1, allowed: 2, idle: true, over: false });
});
