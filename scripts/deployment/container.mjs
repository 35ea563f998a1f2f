import { execFile, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nameServer } from './networks.mjs';

const run = promisify(execFile);
const knownUser = '1000';
const basePath = ['/opt/busybox', '/usr/local/bin', '/usr/sbin', '/usr/bin'];
const firstBackoffMs = 100;

/**
 * One container of a service: its program in namespaces of its own by bubblewrap, with the files, secrets, environment
 * and networks that the compose file gives it, restarted by the compose file's policy. Without privileges, as the images
 * have it; limits of memory and processes are not set.
 */
export function createContainer({ name, aliases, service, image, networks, dir, secrets, sharedWith }) {
  const log = join(dir, 'logs', name);
  mkdirSync(join(dir, 'logs'), { recursive: true });
  writeFileSync(log, '');
  const environment = {
    PATH: [...(image.path ?? []), ...basePath].join(':'),
    HOME: '/tmp',
    ...image.environment,
    ...service.environment,
  };
  const command =
    service.entrypoint.length > 0
      ? [...service.entrypoint, ...service.command]
      : [
          ...(image.entrypoint ?? []),
          ...(service.command.length > 0 ? service.command : (image.command ?? [])),
        ];
  const user = image.user ?? knownUser;
  const healthcheck = service.healthcheck ?? image.healthcheck;
  const container = { name, log, starts: 0, pid: undefined, exitCode: undefined };
  let isWanted = false;

  container.start = () => {
    isWanted = true;
    void keepRunning();
  };

  async function keepRunning() {
    const [policy, most = 'Infinity'] = (service.restart ?? 'no').split(':');
    let backoffMs = firstBackoffMs;
    while (isWanted) {
      const startedAt = Date.now();
      await runOnce().catch((error) => {
        appendFileSync(log, `${String(error)}\n`);
        container.exitCode = 125;
      });
      if (Date.now() - startedAt > 10_000) backoffMs = firstBackoffMs;
      const again =
        policy === 'unless-stopped' ||
        (policy === 'on-failure' && container.exitCode !== 0 && container.starts <= Number(most));
      if (!isWanted || !again) return;
      await sleep(backoffMs);
      backoffMs *= 2;
    }
  }

  async function runOnce() {
    container.starts += 1;
    container.exitCode = undefined;
    if (sharedWith === undefined) await networks.join(name, aliases, service.networks);
    else if (sharedWith.pid === undefined) throw new Error(`${sharedWith.name} is not running`);
    const [program, ...args] = joined(sharedWith?.name ?? name, bubblewrap());
    const child = spawn(program, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => appendFileSync(log, chunk));
    let info = '';
    child.stdio[3].on('data', (chunk) => {
      info += String(chunk);
      container.pid ??= Number(/"child-pid": (\d+),/.exec(info)?.[1]) || undefined;
    });
    const status = await new Promise((resolve) => child.once('close', resolve));
    container.pid = undefined;
    container.exitCode = status ?? 137;
    if (sharedWith === undefined) await networks.leave(name);
  }

  function bubblewrap() {
    const files = ['hosts', 'passwd', 'resolv.conf', 'nsswitch.conf'];
    const mounted = service.volumes.map(({ source, target }) => [mountSource(source), target]);
    return [
      'bwrap',
      ...['--unshare-user', '--unshare-pid', '--unshare-uts', '--unshare-ipc', '--as-pid-1'],
      ...['--uid', user, '--gid', user, '--hostname', name, '--die-with-parent', '--new-session'],
      ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
      ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
      ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives', '--ro-bind-try', '/etc/ssl', '/etc/ssl'],
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'],
      ...files.flatMap((file) => ['--ro-bind', etcFile(file), `/etc/${file}`]),
      ...(image.alpine === true ? alpineShell : []),
      ...image.binds.flatMap(([source, target]) => ['--ro-bind', source, target]),
      ...mounted.flatMap(([[kind, source], target]) => [kind, source, target]),
      ...service.secrets.flatMap(({ source }) => [
        '--ro-bind',
        secrets[source].file,
        `/run/secrets/${source}`,
      ]),
      ...(service.read_only ? ['--remount-ro', '/', '--remount-ro', '/run'] : []),
      ...['--chdir', image.cwd ?? '/tmp', '--clearenv'],
      ...Object.entries(environment).flatMap(([variable, value]) => ['--setenv', variable, value]),
      ...['--info-fd', '3', '--'],
      ...(service.ulimits?.core === 0 ? ['prlimit', '--core=0', '--'] : []),
      ...command,
    ];
  }

  function mountSource(source) {
    if (isAbsolute(source)) return ['--ro-bind', source];
    const volume = join(dir, 'volumes', source);
    mkdirSync(volume, { recursive: true, mode: 0o700 });
    return ['--bind', volume];
  }

  function etcFile(file) {
    const path = join(dir, `etc-${name}-${file}`);
    const addresses = networks.addressesOf(sharedWith?.name ?? name);
    const contents = {
      hosts: ['127.0.0.1 localhost', ...addresses.map((address) => `${address} ${name}`), ''].join('\n'),
      passwd: `service:x:${knownUser}:${knownUser}::/tmp:/bin/sh\n`,
      'resolv.conf': `nameserver ${nameServer}\noptions ndots:0\n`,
      'nsswitch.conf': 'passwd: files\nhosts: files dns\n',
    };
    writeFileSync(path, contents[file]);
    return path;
  }

  /** Runs a command in the container, as `docker compose exec` does. */
  container.exec = (...args) => {
    if (container.pid === undefined) return Promise.reject(new Error(`${name} is not running`));
    const target = [
      '-t',
      String(container.pid),
      '--preserve-credentials',
      '-U',
      '-n',
      '-m',
      '-p',
      '-u',
      '-r',
    ];
    return run('nsenter', [...target, '-w', '--', ...args], {
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    });
  };
  container.isHealthy = () =>
    container.exec(...(healthcheck?.test.slice(1) ?? ['true'])).then(
      () => true,
      () => false,
    );
  container.kill = () => process.kill(container.pid, 'SIGKILL');
  container.stop = () => {
    isWanted = false;
    if (container.pid !== undefined) process.kill(container.pid, 'SIGTERM');
  };
  container.tail = (characters = 6_000) => readFileSync(log, 'utf8').slice(-characters);
  return container;
}

const alpineShell = [
  ...['--ro-bind', '/usr/bin/busybox', '/usr/bin/dash'],
  ...['--symlink', '/usr/bin/busybox', '/opt/busybox/wget'],
];

function joined(networkOf, command) {
  return ['nsenter', `--net=/run/netns/${networkOf}`, ...command];
}
