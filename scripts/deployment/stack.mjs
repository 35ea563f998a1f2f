import { setTimeout as sleep } from 'node:timers/promises';
import { createContainer } from './container.mjs';
import { nameOfImage } from './images.mjs';

const longestStartMs = 90_000;

/**
 * The containers of a compose file, of some services several: those that share the networks of one are there as often.
 * `up` starts them in the order of `depends_on`.
 */
export function createStack({ compose, images, networks, dir, replicas, report }) {
  const { services, secrets } = compose;
  const here = Object.fromEntries(
    Object.entries(services).filter(([, { image }]) => images[nameOfImage(image)] !== undefined),
  );
  const ownerOf = (name) => here[name].network_mode?.replace(/^service:/, '');
  const countOf = (name) => replicas[ownerOf(name) ?? name] ?? 1;
  const byService = new Map();

  function make(name) {
    const service = here[name];
    const made = Array.from({ length: countOf(name) }, (_, index) =>
      createContainer({
        ...{ service, secrets, networks, dir },
        name: `${name}-${String(index + 1)}`,
        aliases: [name],
        image: images[nameOfImage(service.image)],
        sharedWith: byService.get(ownerOf(name))?.[index],
      }),
    );
    byService.set(name, made);
  }

  /** As `depends_on` has it, so that each comes after those that it needs. */
  function inOrder() {
    const ordered = [];
    const visit = (name) => {
      if (ordered.includes(name) || here[name] === undefined) return;
      for (const needed of Object.keys(here[name].depends_on)) visit(needed);
      ordered.push(name);
    };
    for (const name of Object.keys(here)) visit(name);
    return ordered;
  }

  async function isMet(name, condition) {
    const containers = byService.get(name) ?? [];
    const all = (states) => states.every(Boolean);
    if (condition === 'service_completed_successfully')
      return all(containers.map(({ exitCode, pid }) => exitCode === 0 && pid === undefined));
    if (condition === 'service_healthy')
      return all(await Promise.all(containers.map((container) => container.isHealthy())));
    return all(containers.map(({ pid }) => pid !== undefined));
  }

  async function until(name, condition) {
    const deadline = Date.now() + longestStartMs;
    while (!(await isMet(name, condition))) {
      if (Date.now() > deadline) throw new Error(`${name} is not ${condition}:\n${tailOf(name)}`);
      await sleep(250);
    }
  }

  function untilUp(name) {
    return until(name, isWhole(name) ? 'service_healthy' : 'service_started');
  }

  /** Whether all that it needs can be started here; else its health check has to fail. */
  function isWhole(name) {
    return Object.keys(here[name].depends_on).every((needed) => here[needed] !== undefined);
  }

  function tailOf(name) {
    return byService
      .get(name)
      .map((container) => `-- ${container.name}\n${container.tail()}`)
      .join('\n');
  }

  return {
    containers: (name) => byService.get(name),
    left: Object.keys(services).filter((name) => here[name] === undefined),
    until,
    untilUp,
    up: async () => {
      const order = inOrder();
      for (const name of order) make(name);
      for (const name of order) {
        for (const [needed, { condition }] of Object.entries(here[name].depends_on))
          if (here[needed] !== undefined) await until(needed, condition);
        for (const container of byService.get(name)) container.start();
        report(
          `started: ${byService
            .get(name)
            .map((container) => container.name)
            .join(', ')}`,
        );
      }
      for (const name of order) if (!isOneShot(here[name])) await untilUp(name);
    },
    /** The last that each has printed. */
    tails: () => [...byService.keys()].map(tailOf).join('\n'),
  };
}

function isOneShot({ restart = 'no' }) {
  return restart === 'no' || restart.startsWith('on-failure');
}
