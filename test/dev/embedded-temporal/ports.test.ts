import { expect, test } from 'vitest';
import { hiddenUiAddress } from '../../../src/dev/embedded-temporal/ports.js';

test('Temporal’s own Web UI listens at a loopback address that nobody can guess, if the system has it', async () => {
  const asked: string[] = [];
  const addresses = [];
  for (let count = 0; count < 20; count += 1) {
    const address = await hiddenUiAddress((host) => Promise.resolve(asked.push(host) > 0));
    addresses.push(address?.host);
  }
  expect(addresses).toEqual(asked);
  expect(new Set(asked).size).toBe(20);
  for (const host of asked) expect(host).toMatch(/^127\.(?!0\.)\d+\.(?!0\.)\d+\.(?!0$)\d+$/);
});

test('Temporal’s own Web UI never listens at 127.0.0.1, also where there is no other loopback address', async () => {
  const onlyOne = (host: string) => Promise.resolve(host === '127.0.0.1');
  expect(await hiddenUiAddress(onlyOne)).toBeNull();
});
