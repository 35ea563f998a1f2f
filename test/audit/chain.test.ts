import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuditLog } from '../../src/audit/audit-log.js';
import { auditFaults } from '../../src/audit/chain.js';
import { run } from '../cli/support/command-line.js';

/** The lines of one process that writes so many entries. */
function written(entries: number): string[] {
  const lines: string[] = [];
  const audit = createAuditLog({ write: (line) => lines.push(line.trimEnd()) });
  for (let entry = 1; entry <= entries; entry += 1)
    audit({
      key: 'shop',
      address: '::1',
      command: 'retryPayout',
      outcome: 'accepted',
      payee: `pix …${String(entry)}`,
    });
  return lines;
}

const [one, two, three] = written(3) as [string, string, string];
const [other] = written(1) as [string];
const log = '{"level":"info","msg":"ready"}';

test('the lines of several processes, among others, are as they were written', async () => {
  expect(await auditFaults([log, one, other, two, 'not JSON', three])).toEqual({ lines: 4, faults: [] });
});

test.for([
  ['was changed', [one, two.replace('…2', '…9'), three], ['line 2 is not as it was written']],
  ['is lost', [one, three], ['line 3 follows line 1']],
  ['is there twice', [one, two, two, three], ['line 2 follows line 2']],
  ['was lost at the beginning', [two, three], ['line 2 follows line 0']],
  [
    'comes from elsewhere',
    [one, other.replace(/"chain":"[^"]*"/, /"chain":"[^"]*"/.exec(one)?.[0] ?? '')],
    ['line 1 follows line 1'],
  ],
] as const)('a line that %s is seen', async ([, lines, faults]) => {
  const found = await auditFaults(lines);
  expect(found.faults.map((fault) => fault.replace(/^chain \S+ /, ''))).toEqual(faults);
});

test('durable-payments audit reads a file, or standard input, and fails when a line is not as it was', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'audit-')), 'audit.log');
  onTestFinished(() => {
    rmSync(dirname(file), { recursive: true });
  });
  writeFileSync(file, [log, one, two, three].join('\n'));
  expect(await run(['audit', file], {})).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('3 lines of the audit stream are there') as string,
  });
  const faulty = await run(['audit', '--json'], {}, [one, three].join('\n'));
  expect(faulty.code).toBe(1);
  expect(JSON.parse(faulty.stdout)).toEqual({ lines: 2, faults: [expect.stringContaining('line 3')] });
  expect(await run(['audit', `${file}.gone`], {})).toMatchObject({ code: 2 });
});

test('a line that is changed with its own hash does not fit the next one', async () => {
  const changed = two.replace('…2', '…9').replace(/"hash":"[^"]*"/, '"hash":"0"');
  expect((await auditFaults([one, changed, three])).faults).toHaveLength(2);
});
