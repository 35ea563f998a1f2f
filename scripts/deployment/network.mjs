import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const bridge = 'deployment';
const prefix = '10.89.0.';
/** Where the names of all services are answered, as Docker answers them at 127.0.0.11. */
export const nameServer = `${prefix}1`;

/**
 * A network of its own, as Compose makes one for a project: each container has a loopback, an interface `eth0` and an
 * address, and finds the others by the names of their services.
 */
export async function createNetwork(dir) {
  const hosts = join(dir, 'hosts');
  const addresses = new Map();
  let last = 1;
  const ip = (...args) => run('ip', args);
  await ip('link', 'set', 'lo', 'up');
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('addr', 'add', `${nameServer}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  // The network of the machine itself, as it is here.
  writeFileSync('/run/netns/host', '');
  await run('mount', ['--bind', '/proc/self/ns/net', '/run/netns/host']);
  writeFileSync(hosts, '');
  const dns = spawn(
    'dnsmasq',
    [
      ...['--no-daemon', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', `--addn-hosts=${hosts}`],
      ...[`--listen-address=${nameServer}`, '--bind-interfaces', '--local-ttl=0', '--pid-file='],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await started(dns);
  const publish = () => {
    const known = [...addresses.values()].filter(({ address }) => address !== undefined);
    writeFileSync(hosts, known.map(({ address, names }) => `${address} ${names.join(' ')}\n`).join(''));
    dns.kill('SIGHUP');
  };
  const interfaceOf = (name) => `v-${[...addresses.keys()].indexOf(name)}`;
  return {
    addressOf: (name) => addresses.get(name)?.address,
    /** The network of a container that starts. Docker promises it no address over a restart; here it never keeps it. */
    join: async (name, names) => {
      last += 1;
      const address = `${prefix}${String(last)}`;
      addresses.set(name, { address, names });
      const outer = interfaceOf(name);
      await ip('netns', 'add', name);
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      await ip('link', 'set', outer, 'master', bridge, 'up');
      await ip('-n', name, 'link', 'set', 'lo', 'up');
      await ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      await ip('-n', name, 'link', 'set', 'eth0', 'up');
      publish();
    },
    /** Ends with its container, as Docker does it: whoever shared it is left with a loopback alone. */
    leave: async (name) => {
      await ip('link', 'del', interfaceOf(name));
      await ip('netns', 'del', name);
      addresses.set(name, { address: undefined, names: [] });
      publish();
    },
  };
}

/** A signal that comes before dnsmasq handles it would end it. */
function started(dns) {
  return new Promise((resolve, reject) => {
    let output = '';
    dns.stderr.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-10_000);
      if (output.includes('started, version')) resolve();
    });
    dns.once('error', reject);
    dns.once('close', (code) => reject(new Error(`dnsmasq ended with ${String(code)}: ${output}`)));
  });
}
