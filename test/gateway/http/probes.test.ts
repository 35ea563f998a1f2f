import { expect, onTestFinished, test } from 'vitest';
import { gatewayWithoutTemporal } from '../../support/gateway-without-temporal.js';

/** A gateway that begins no answer to what is asked of one address, until the test is over. */
async function gatewayThatHolds(path: string) {
  const { app, close, listen } = gatewayWithoutTemporal({ limits: { requestsAtOnceWithoutKey: 2 } });
  let letGo: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (letGo = resolve));
  let held = 0;
  app.addHook('preHandler', async (request) => {
    if (request.url !== path) return;
    held += 1;
    await over;
  });
  const url = await listen();
  const statusOf = async (asked: string) => {
    const answer = await fetch(url + asked);
    await answer.arrayBuffer();
    return answer.status;
  };
  const all = [statusOf(path), statusOf(path)];
  onTestFinished(async () => {
    letGo();
    await Promise.all(all);
    await close();
  });
  await expect.poll(() => held).toBe(2);
  return statusOf;
}

test('an address that has all under way that it may has its probes answered', async () => {
  const statusOf = await gatewayThatHolds('/openapi.json');
  expect(await statusOf('/openapi.json')).toBe(429);
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf('/metrics')).toBe(200);
  // Temporal is away; that is what it says.
  expect(await statusOf('/readyz')).toBe(503);
});

test('probes have a bound, too, and what else the address asks for is answered', async () => {
  const statusOf = await gatewayThatHolds('/metrics');
  for (const probe of ['/healthz', '/readyz', '/metrics']) expect(await statusOf(probe)).toBe(429);
  expect(await statusOf('/openapi.json')).toBe(200);
});
