import { setTimeout as sleep } from 'node:timers/promises';
import { createContainer } from './container.mjs';
import { nameOfImage } from './images.mjs';

/**
 * Takes what comes to the ports that the compose file publishes to its containers, as Docker does; where a service has
 * several, they take turns. Resolves when each port answers.
 */
export async function publishPorts({ compose, images, networks, dir }) {
  const published = Object.entries(compose.services)
    .filter(([, { image }]) => images[nameOfImage(image)] !== undefined)
    .flatMap(([name, { ports }]) =>
      ports.map((port) => ({ name, port: port.replace('/tcp', '').split(':') })),
    );
  const forwarder = compose.services['gateway-for-sandbox'];
  const volumes = forwarder.volumes.filter(({ target }) => target.endsWith('.template'));
  for (const { name, port } of published) {
    const [host, from, to] = port;
    const environment = { ...forwarder.environment, LISTEN: `${host}:${from}`, TO: `${name}:${to}` };
    createContainer({
      ...{ networks, dir, secrets: {}, aliases: [] },
      name: `port-${from}`,
      service: { ...forwarder, environment, volumes },
      image: images['nginxinc/nginx-unprivileged'],
      sharedWith: { name: 'host', pid: process.pid },
    }).start();
    while (!(await answers(`http://${host}:${from}/`))) await sleep(100);
  }
}

function answers(url) {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
