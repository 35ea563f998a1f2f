import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, type Connection, type ConnectionLike } from '@temporalio/client';
import { locateTemporal } from '../../../src/dev/embedded-temporal/locate.js';
import { inFull } from '../../support/tools.js';

const run = promisify(execFile);

type RawStart = {
  readonly connection: Connection | ConnectionLike;
  readonly namespace: string;
  readonly address: string;
  readonly type: string;
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly input: object;
};

type Starters = Readonly<Record<string, (start: RawStart) => Promise<unknown>>>;

const startersOfEveryTest: Starters = {
  'the TypeScript SDK': ({ connection, namespace, type, workflowId, taskQueue, input }) =>
    new Client({ connection, namespace }).workflow.start(type, { workflowId, taskQueue, args: [input] }),
  'the temporal command': async ({ address, namespace, type, workflowId, taskQueue, input }) =>
    run(await locateTemporal(process.env, () => undefined), [
      ...['workflow', 'start', '--address', address, '--namespace', namespace],
      ...['--type', type, '--workflow-id', workflowId],
      ...['--task-queue', taskQueue, '--input', JSON.stringify(input)],
    ]),
};

/** Their tools are installed for `FULL=1 npm test` alone. */
const startersInOtherLanguages: Starters = {
  "Python's SDK": ({ address, namespace, type, workflowId, taskQueue, input }) =>
    run(python, [script, address, namespace, type, workflowId, taskQueue, JSON.stringify(input)]),
  "Go's SDK": ({ address, namespace, type, workflowId, taskQueue, input }) =>
    run(goStarter, [address, namespace, type, workflowId, taskQueue, JSON.stringify(input)]),
};

/** Ways to start a workflow by its type with every default of Temporal's, its id reuse policy above all. */
export const starters: Starters = inFull()
  ? { ...startersOfEveryTest, ...startersInOtherLanguages }
  : startersOfEveryTest;

const script = fileURLToPath(new URL('start.py', import.meta.url));
/** A Python that has the package `temporalio`. */
const python = process.env.PYTHON ?? 'python3';
/** The program that `go build` makes of the folder `go`. */
const goStarter = process.env.GO_STARTER ?? 'go-starter';

/** Whether the tools of a way are on this machine; `.ci/run full` gets all of them. */
export function isHere(starter: string): boolean {
  switch (starter) {
    case "Python's SDK":
      return works(python, '-c', 'import temporalio');
    case "Go's SDK":
      return works(goStarter, '--version');
    default:
      return true;
  }
}

function works(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
