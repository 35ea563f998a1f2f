// Takes the pictures of docs/pictures: an operator in the Temporal Web UI, in a real Chromium, before a payout that
// has failed. `npm run build` first; CHROMIUM names another program than Debian's.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'docs', 'pictures');
const dataDir = mkdtempSync(join(tmpdir(), 'durable-payments-pictures-'));
const partnerCode = 'rent-2031-07';
const ports = { gateway: await freePort(), ui: await freePort() };
const payoutUrl = `http://127.0.0.1:${ports.ui}/namespaces/default/workflows/payout-${partnerCode}`;

mkdirSync(pictures, { recursive: true });
const program = await start();
let browser;
try {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...[
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-sync',
      ],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });
  await failingPayout();
  await withoutCodec();
  await withCodec();
} finally {
  await browser?.close();
  program.child.kill('SIGTERM');
  await program.ended;
  rmSync(dataDir, { recursive: true, force: true });
}

/** The Web UI where nobody decodes: nothing of the payment can be read. */
async function withoutCodec() {
  const page = await newPage();
  await page.route('**/codec-*/**', (route) => route.abort());
  await page.goto(payoutUrl);
  await shows(page, 'encryption-key-id');
  if (/Maria|sandbox\+error|submit attempt/.test(await textOf(page))) {
    throw new Error('Something can be read without the codec.');
  }
  await take(page, 'web-ui-without-codec');
  await page.context().close();
}

/** The same with it: input, summaries and details are plain; and a retry is sent from there. */
async function withCodec() {
  const page = await newPage();
  await page.goto(payoutUrl);
  await shows(page, '"pix": "sandbox+error-once@example.com"');
  await shows(page, 'submit attempt 1 of R$ 1850.00');
  await take(page, 'web-ui-payout-failed');

  await page.getByText('User Metadata').first().click();
  await shows(page, 'abandonPayout');
  await take(page, 'web-ui-current-details');

  await retryFromThere(page);
  await page.context().close();
}

/** Sends the Signal `retryPayout` by the Web UI's own dialog, and waits until it has worked. */
async function retryFromThere(page) {
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.locator('.menu-item-wrapper:visible').getByText('Send a Signal').first().click();
  const dialog = page.locator('#signal-confirmation-modal:visible').first();
  await dialog.getByTestId('signal-select-button').click();
  await dialog.getByRole('option').getByText('retryPayout').click();
  await dialog.getByRole('textbox').last().click();
  await page.keyboard.insertText('{ "reason": "the bank was closed", "by": "ana" }');
  await take(page, 'web-ui-retry');
  await dialog.getByTestId('confirm-modal-button').click();
  const ended = await statusOf(partnerCode, 'done');
  if (ended !== 'done') throw new Error(`The retry did not come through: the payout is ${ended}.`);
  await page.reload();
  await shows(page, 'the bank was closed');
  await take(page, 'web-ui-retried');
}

async function newPage() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

/** Waits until the page shows a text. */
async function shows(page, text) {
  const deadline = Date.now() + 30_000;
  while (!(await textOf(page)).includes(text)) {
    if (Date.now() > deadline) throw new Error(`The Web UI does not show "${text}".`);
    await page.waitForTimeout(200);
  }
}

/** All that can be read, also in the frame where the Web UI puts Markdown. */
async function textOf(page) {
  const texts = page.frames().map((frame) => frame.evaluate(() => globalThis.document.body.innerText));
  return (await Promise.all(texts.map((text) => text.catch(() => '')))).join('\n');
}

async function take(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  console.log(`docs/pictures/${name}.png`);
}

async function failingPayout() {
  await call('POST', '/v1/payouts/pix', {
    ...{ partner_code: partnerCode, value: 1850, pix: 'sandbox+error-once@example.com' },
    ...{ first_name: 'Maria', last_name: 'Silva', document: '529.982.247-25' },
  });
  const status = await statusOf(partnerCode, 'error');
  if (status !== 'error') throw new Error(`The payout did not fail: it is ${status}.`);
}

/** The status of a payout, as soon as it is the wanted one or after half a minute. */
async function statusOf(code, wanted) {
  const { status } = await call('GET', `/v1/payouts/${code}?until=${wanted}`);
  return status;
}

async function call(method, path, body) {
  const headers = {
    authorization: `Bearer ${program.key}`,
    'content-type': 'application/json',
    prefer: 'wait=30',
  };
  const url = `http://127.0.0.1:${ports.gateway}${path}`;
  const answer = await globalThis.fetch(url, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.json();
}

async function start() {
  const child = spawn(process.execPath, [join(root, 'dist/src/cli/main.js'), 'start'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      GATEWAY_PORT: String(ports.gateway),
      TEMPORAL_UI_PORT: String(ports.ui),
      POLL_SCALE: '0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  await new Promise((resolve) => {
    child.once('close', resolve);
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('durable-payments.log')) resolve();
    });
  });
  const [, key] = /API key +(\S+)/.exec(output) ?? [];
  if (key === undefined) throw new Error(`It did not start:\n${output}`);
  return { child, ended, key };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
