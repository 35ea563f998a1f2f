// Takes the pictures of docs/pictures: an operator in the Temporal Web UI, in a real Chromium. `npm run pictures`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, newPage, shows, take, textOf } from './camera.mjs';
import { startProgram } from './program.mjs';

const dataDir = mkdtempSync(join(tmpdir(), 'durable-payments-pictures-'));
const partnerCode = 'rent-2031-07';

const program = await startProgram(dataDir);
const payoutPage = program.page(`workflows/payout-${partnerCode}`);
let browser;
try {
  browser = await launch();
  await failingPayouts();
  await withoutCodec();
  await list();
  await failedPayout();
  await bulkRetry();
} finally {
  await browser?.close();
  await program.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The Web UI where nobody decodes: nothing of the payment can be read. */
async function withoutCodec() {
  const page = await newPage(browser);
  await page.route('**/codec/**', (route) => route.abort());
  await page.goto(payoutPage);
  await shows(page, 'encryption-key-id');
  if (/Maria|sandbox\+error|submit attempt/.test(await textOf(page))) {
    throw new Error('Something can be read without the codec.');
  }
  await take(page, 'web-ui-without-codec');
  await page.context().close();
}

/** The payments that need an operator. */
async function list() {
  const page = await newPage(browser);
  const query = encodeURIComponent('PaymentAttention IS NOT NULL');
  await page.goto(program.page(`workflows?query=${query}`));
  await shows(page, `payout-${partnerCode}`);
  await take(page, 'web-ui-list');
  await page.context().close();
}

/** With the codec: input, summaries and details are plain. A retry is refused at first, and then sent from there. */
async function failedPayout() {
  const page = await newPage(browser);
  await page.goto(payoutPage);
  await shows(page, '"pix": "sandbox+error-once@example.com"');
  await shows(page, 'submit attempt 1 of R$ 1850.00');
  await take(page, 'web-ui-payout-failed');

  await page.getByText('User Metadata').first().click();
  await shows(page, 'abandonPayout');
  await take(page, 'web-ui-current-details');

  await send(page, 'Update', 'retryPayout', '{ "attempt": 7, "reason": "the bank was closed", "by": "ana" }');
  await shows(page, 'The latest attempt is number 1, not 7.');
  await take(page, 'web-ui-refusal');
  await page.reload();

  const retry = '{ "reason": "the bank was closed", "by": "ana" }';
  await send(page, 'Signal', 'retryPayout', retry, 'web-ui-retry');
  const { status } = await program.call('GET', `/v1/payouts/${partnerCode}?until=done`);
  if (status !== 'done') throw new Error(`The retry did not come through: the payout is ${status}.`);
  await page.reload();
  await shows(page, 'the bank was closed');
  await take(page, 'web-ui-retried');
  await page.context().close();
}

/** Sends a message by the Web UI's own dialog. */
async function send(page, kind, name, input, picture) {
  await page.getByRole('button', { name: 'More Actions' }).click();
  const item = kind === 'Signal' ? 'Send a Signal' : 'Send an Update';
  await page.locator('.menu-item-wrapper:visible').getByText(item).first().click();
  const dialog = page.locator(`#${kind.toLowerCase()}-confirmation-modal:visible`).first();
  await dialog.getByTestId(`${kind.toLowerCase()}-select-button`).click();
  await dialog.getByRole('option').getByText(name).click();
  await dialog.getByRole('textbox').last().click();
  await page.keyboard.insertText(input);
  if (picture !== undefined) await take(page, picture);
  // The first click may only take the focus from the editor.
  const submit = dialog.getByTestId('confirm-modal-button');
  await submit.click();
  await page.waitForTimeout(1_000);
  if (await submit.isEnabled().catch(() => false)) await submit.click();
}

/** The page of a bulk retry, with its counts and causes as tables. */
async function bulkRetry() {
  const id = 'september';
  const { status } = await program.call('POST', '/v1/bulk-retries', {
    ...{ bulk_retry_id: id, reason: 'the service is back', filter: { cause: 'service_error' } },
    ...{ canary: 2, per_second: 50 },
  });
  if (typeof status !== 'string') throw new Error('The bulk retry did not start.');
  const page = await newPage(browser);
  await page.goto(program.page(`workflows/bulk-retry-${id}`));
  await page.getByText('User Metadata').first().click();
  await shows(page, 'outcome awaited');
  await take(page, 'web-ui-bulk-retry');
  await page.context().close();
}

async function failingPayouts() {
  await payout(partnerCode, 1850, 'sandbox+error-once@example.com');
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await payout(`rent-2031-08-${number}`, 1000 + number, 'sandbox+error-once@example.com');
  }
}

async function payout(code, value, pix) {
  await program.call('POST', '/v1/payouts/pix', {
    ...{ partner_code: code, value, pix },
    ...{ first_name: 'Maria', last_name: 'Silva', document: '529.982.247-25' },
  });
  const { status } = await program.call('GET', `/v1/payouts/${code}?until=error`);
  if (status !== 'error') throw new Error(`The payout did not fail: it is ${status}.`);
}
