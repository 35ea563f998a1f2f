import { readFile, readdir, readlink } from 'node:fs/promises';
import { request } from 'node:http';

export type Listening = { readonly host: string; readonly port: number };
export type Reply = { readonly status: number; readonly body: string };

/** The loopback addresses that processes listen on, by the sockets they have open: every user of the machine sees them. */
export async function listening(...pids: number[]): Promise<Listening[]> {
  const links = (await Promise.all(pids.map(linksOf))).flat();
  const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const found = tables
    .flatMap((text) => text.split('\n'))
    .flatMap((line): Listening[] => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      if (state !== '0A' || !sockets.has(inode)) return [];
      return [{ host: address.length === 8 ? ipv4(address) : '127.0.0.1', port: parseInt(port, 16) }];
    });
  return found.sort((a, b) => a.port - b.port);
}

export async function commandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}

/** Sends whatever an attacker may, with any Host; status 0 where nobody speaks HTTP. */
export function send(
  { host, port }: Listening,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve) => {
    const sent = request({ host, port, path, method, headers, timeout: 5_000 }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('close', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve({ status: 0, body: '' }));
    sent.end(body);
  });
}

async function linksOf(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${String(pid)}/fd`);
  return Promise.all(fds.map((fd) => readlink(`/proc/${String(pid)}/fd/${fd}`).catch(() => '')));
}

function ipv4(hex: string): string {
  const bytes = [...Buffer.from(hex, 'hex')].reverse();
  return bytes[0] === 0 ? '127.0.0.1' : bytes.join('.');
}
