import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const program = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Debian's Chromium, or the one that CHROMIUM names; `.ci/run` installs it. */
export const hasBrowser = existsSync(program);

/** An operator's browser, for which one name leads to this machine, as an attacker's name server may have it. */
export function startBrowser(foreignName: string): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
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
      // Chromium's own protection from pages that look into local networks is not what is tested here.
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
      `--host-resolver-rules=MAP ${foreignName} 127.0.0.1`,
      // Browsers load nothing from some ports, one of which the machine may have given to the program.
      '--explicitly-allowed-ports=1-65535',
    ],
  });
}
