import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig, processEnvironment } from '../config.js';
import { createLogger } from '../processes/logger.js';
import { closing } from '../processes/running.js';
import { startSandbox } from '../dev/sandbox/server.js';
import { untilStopped } from './shared/until-stopped.js';

type Options = {
  host: string;
  name?: string[];
  port: number;
  clientId: string;
  clientSecret: string;
  clientSecretFile?: string;
  tokenMinutes: number;
  timeScale: number;
};

/** `durable-payments sandbox`: the payments service, played from its document. */
export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Run the payments service as its document has it, in memory. It moves no money.')
    .option('--host <host>', 'interface to listen on', '127.0.0.1')
    .option('--name <name...>', 'names by which it is called, besides localhost and its addresses')
    .option('--port <port>', 'port to listen on; 0 takes any', portNumber, 8090)
    .option('--client-id <id>', 'the client id that it accepts', 'sandbox')
    .option('--client-secret <secret>', 'the client secret that it accepts', 'sandbox')
    .option('--client-secret-file <file>', 'a file that holds it: every user of a machine sees command lines')
    .option('--token-minutes <n>', 'life of a token', positive, 30)
    .option('--time-scale <n>', 'multiplies each of its delays', positive, 1)
    .action(async ({ clientSecretFile, name: names = [], ...options }: Options) => {
      const { logLevel } = loadConfig(processEnvironment(), 'sandbox');
      const logger = createLogger('sandbox', logLevel);
      const clientSecret =
        clientSecretFile === undefined
          ? options.clientSecret
          : readFileSync(clientSecretFile, 'utf8').trimEnd();
      const sandbox = await startSandbox({ ...options, names, clientSecret, logger });
      logger.info({ url: sandbox.url, client_id: options.clientId }, 'sandbox is running');
      await untilStopped(
        closing(() => sandbox.close()),
        () => logger.info('sandbox is stopping'),
      );
    });
}

function portNumber(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}
