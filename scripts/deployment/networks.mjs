import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (...args) => run('ip', args);
/** Where each container asks for names, as in Docker. */
export const nameServer = '127.0.0.11';
const addressIn = (network, last) => `10.89.${String(network.index)}.${String(last)}`;

/**
 * The networks of a compose file, each a bridge; nothing leads from one to another. A container has a loopback, for each
 * of its networks an interface and an address, and a name server that knows those alone that share a network with it.
 * This machine is in all of them, and knows those by name that it can publish a port of: none in an internal network.
 */
export async function createNetworks(dir, described) {
  const networks = Object.fromEntries(
    Object.entries(described).map(([name, { internal }], index) => [
      name,
      { index, internal, bridge: `net-${String(index)}` },
    ]),
  );
  const outward = Object.keys(networks).filter((name) => !networks[name].internal);
  const members = new Map();
  let last = 1;
  await ip('link', 'set', 'lo', 'up');
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '0');
  for (const network of Object.values(networks)) {
    await ip('link', 'add', network.bridge, 'type', 'bridge');
    await ip('addr', 'add', `${addressIn(network, 1)}/24`, 'dev', network.bridge);
    await ip('link', 'set', network.bridge, 'up');
  }
  // The network of the machine itself, as it is here.
  writeFileSync('/run/netns/host', '');
  await run('mount', ['--bind', '/proc/self/ns/net', '/run/netns/host']);
  await add('host', [], new Map(outward.map((name) => [name, addressIn(networks[name], 1)])));

  async function add(name, names, addresses) {
    const member = { names, addresses, hosts: join(dir, `hosts-${name}`) };
    members.set(name, member);
    writeFileSync(member.hosts, '');
    member.dns = await startNameServer(name, member.hosts);
    publish();
  }

  /** To each the addresses that it shares a network with. */
  function publish() {
    const all = [...members.values()];
    for (const { addresses: own, hosts, dns } of all) {
      const known = all.flatMap(({ names, addresses }) =>
        [...addresses]
          .filter(([network]) => names.length > 0 && own.has(network))
          .map(([, address]) => `${address} ${names.join(' ')}\n`),
      );
      writeFileSync(hosts, known.join(''));
      dns?.kill('SIGHUP');
    }
  }

  const addressesOf = (name) => [...(members.get(name)?.addresses.values() ?? [])];
  return {
    addressesOf,
    /** The networks of a container that starts. Docker promises it no address over a restart; here it never keeps one. */
    join: async (name, names, joined) => {
      last += 1;
      const addresses = new Map(joined.map((each) => [each, addressIn(networks[each], last)]));
      await ip('netns', 'add', name);
      await ip('-n', name, 'link', 'set', 'lo', 'up');
      for (const [index, [each, address]] of [...addresses].entries()) {
        const [network, inner, outer] = [networks[each], `eth${String(index)}`, outerOf(address)];
        await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
        await ip('link', 'set', outer, 'master', network.bridge, 'up');
        await ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', inner);
        await ip('-n', name, 'link', 'set', inner, 'up');
        if (!network.internal) await ip('-n', name, 'route', 'add', 'default', 'via', addressIn(network, 1));
      }
      await add(name, names, addresses);
    },
    /** End with their container, as in Docker: whoever shared them is left with a loopback alone. */
    leave: async (name) => {
      for (const address of addressesOf(name)) await ip('link', 'del', outerOf(address));
      await ip('netns', 'del', name);
      members.get(name)?.dns?.kill('SIGKILL');
      members.delete(name);
      publish();
    },
  };
}

/** The end of a container's interface that is outside of it. */
function outerOf(address) {
  return `v-${address.split('.').slice(2).join('-')}`;
}

/** Resolves when it answers: a signal that comes before that would end it. */
function startNameServer(name, hosts) {
  const dns = spawn(
    'nsenter',
    [
      ...[`--net=/run/netns/${name}`, 'dnsmasq', '--no-daemon', '--conf-file=/dev/null', '--no-resolv'],
      ...['--no-hosts', `--addn-hosts=${hosts}`, `--listen-address=${nameServer}`, '--bind-interfaces'],
      ...['--local-ttl=0', '--pid-file='],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  return new Promise((resolve, reject) => {
    let output = '';
    dns.stderr.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-10_000);
      if (output.includes('started, version')) resolve(dns);
    });
    dns.once('error', reject);
    dns.once('close', (code) => reject(new Error(`dnsmasq ended with ${String(code)}: ${output}`)));
  });
}
