import { randomInt } from 'node:crypto';
import { freePort, isFreePort } from '../free-port.js';
import { readEmbeddedState } from './state-file.js';

const LOOPBACK = '127.0.0.1';
const USUAL_PORT = 7233;
const USUAL_UI_PORT = 8233;

export type Ports = { readonly port: number; readonly uiPort: number };

/**
 * The ports requested; where none is, those of the last time in `dataDir`, so that a restart is found again, else
 * Temporal's usual ones, else any that are free.
 *
 * @throws Error when a requested port is taken.
 */
export async function choosePorts(
  wanted: { readonly port?: number; readonly uiPort?: number },
  dataDir: string | null,
): Promise<Ports> {
  for (const port of [wanted.port, wanted.uiPort]) {
    if (port !== undefined && !(await isFreePort(port, LOOPBACK))) {
      throw new Error(
        `Temporal can't be started: port ${String(port)} is taken. Free it, or choose another.`,
      );
    }
  }
  const last = dataDir === null ? { port: 0, ui_port: 0 } : await readEmbeddedState(dataDir);
  return {
    port: wanted.port ?? (await freePort(last?.port ?? USUAL_PORT)),
    uiPort: wanted.uiPort ?? (await freePort(last?.ui_port ?? USUAL_UI_PORT)),
  };
}

/**
 * Where Temporal's own Web UI listens, which asks nobody for a key: at an address of this machine that no web page can
 * guess. Null where there is none: Linux has all of 127.0.0.0/8, other systems 127.0.0.1 alone.
 */
export async function hiddenUiAddress(
  isBindable: IsBindable = canBeBound,
): Promise<{ readonly host: string; readonly port: number } | null> {
  const any = () => String(randomInt(1, 255));
  const host = `127.${any()}.${any()}.${any()}`;
  return (await isBindable(host)) ? { host, port: await freePort(0, host) } : null;
}

/** Whether a program may listen at that address of this machine. */
export type IsBindable = (host: string) => Promise<boolean>;

const canBeBound: IsBindable = (host) => isFreePort(0, host);
