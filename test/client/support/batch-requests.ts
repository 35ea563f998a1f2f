import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { run } from '../../cli/support/command-line.js';
import { gatewayWithoutTemporal } from '../../support/gateway-without-temporal.js';

const key = 'oms-key-0123456789abcdef';
const types = { json: 'application/json', csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
export type Format = keyof typeof types;

export const payout =
  '"partner_code":"salary-1","value":150.5,"pix":"ana@example.com","first_name":"Ana","last_name":"Lima","document":"52998224725"';
/** The same as a row of a batch. */
export const row = `"method":"pix",${payout}`;

/** Sends bodies to a gateway of this file, which answers 503 to whatever it does not refuse. */
export function postForAllTests() {
  const gateway = gatewayWithoutTemporal({
    apiKeys: [{ name: 'shop', key, scopes: ['oms', 'operator'] }],
    limits: { temporalCallMs: 100 },
  });
  let url: string;
  beforeAll(async () => {
    url = await gateway.listen();
  });
  afterAll(() => gateway.close());
  const post = async (path: string, body: string | Uint8Array, format: Format = 'json') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': types[format] };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as { errors?: object[] } };
  };
  /** The errors by which a body is refused. */
  const refused = async (...request: Parameters<typeof post>) => {
    const { body, status } = await post(...request);
    expect(status).toBe(400);
    return body.errors;
  };
  return { post, refused };
}

/** A file of that name, until the test is over. */
export async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, name), content);
  return join(dir, name);
}

const env = { DATA_DIR: tmpdir(), PAYLOAD_KEYS: 'none' };

/** Whoever gets further than the check of a file finds that nothing runs: 4. */
export const command = (...args: string[]) => run(args, env);

/** The same with this on standard input. */
export const commandReading = (input: string | Uint8Array, ...args: string[]) => run(args, env, input);

/** What the command line says of what it refuses. */
export async function refusedHere(...args: string[]): Promise<string> {
  const { code, output } = await command(...args);
  expect(code).toBe(2);
  return output;
}
