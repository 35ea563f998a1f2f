// A real Chromium, and what the pictures need of its pages.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const pictures = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
mkdirSync(pictures, { recursive: true });

/** CHROMIUM names another program than Debian's. */
export function launch() {
  return chromium.launch({
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
}

export async function newPage(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

/** Waits until the page shows a text. */
export async function shows(page, text) {
  const deadline = Date.now() + 30_000;
  while (!(await textOf(page)).includes(text)) {
    if (Date.now() > deadline) throw new Error(`The Web UI does not show "${text}".`);
    await page.waitForTimeout(200);
  }
}

/** All that can be read, also in the frame where the Web UI puts Markdown. */
export async function textOf(page) {
  const texts = page.frames().map((frame) => frame.evaluate(() => globalThis.document.body.innerText));
  return (await Promise.all(texts.map((text) => text.catch(() => '')))).join('\n');
}

export async function take(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  console.log(`docs/pictures/${name}.png`);
}
