import { spawn } from 'node:child_process';
import { once } from 'node:events';

const program = `
  const { getHeapSnapshot } = require('node:v8');
  process.stdin.once('data', (data) => {
    globalThis.kept = JSON.parse(data);
    process.stdin.destroy();
    getHeapSnapshot().pipe(process.stdout);
  });
`;

/** The heap of another process that holds a value and nothing else of interest. */
export async function holdsInMemory(value: object): Promise<Buffer> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.write(JSON.stringify(value));
  await once(child, 'close');
  return Buffer.concat(chunks);
}
