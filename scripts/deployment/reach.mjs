const ports = {
  ...{ postgresql: 5432, temporal: 7233, gateway: 8080, worker: 9464 },
  ...{ sandbox: 8090, 'web-ui': 8080, prometheus: 9090 },
};
/** Who reaches each other, by the network that they share; nobody else may. */
const together = [
  ['postgresql', 'temporal'],
  ['gateway', 'temporal'],
  ['gateway', 'worker'],
  ['temporal', 'worker'],
  ['gateway', 'sandbox'],
  ['sandbox', 'worker'],
  ['gateway', 'web-ui'],
  ['gateway', 'prometheus'],
  ['prometheus', 'worker'],
].map((pair) => pair.join());

/** From within each container, at every address that each other one has, whether its name is known there or not. */
export async function reachFaults({ stack, networks, report }) {
  const names = Object.keys(ports);
  const pairs = names.flatMap((caller) =>
    names.filter((called) => called !== caller).map((called) => ({ caller, called })),
  );
  const seen = await Promise.all(
    pairs.map(async (pair) => ({ ...pair, isReached: await reaches({ ...pair, stack, networks }) })),
  );
  const reached = seen.filter(({ isReached }) => isReached).length;
  report(`containers that reach another: ${String(reached)} pairs of ${String(pairs.length)}`);
  return seen
    .filter((pair) => pair.isReached !== together.includes([pair.caller, pair.called].sort().join()))
    .map(
      ({ caller, called, isReached }) => `${caller} ${isReached ? 'reaches' : 'does not reach'} ${called}`,
    );
}

function reaches({ caller, called, stack, networks }) {
  const [from] = stack.containers(caller);
  const [to] = stack.containers(called);
  const attempts = networks.addressesOf(to.name).map((address) => `nc -z -w 1 ${address} ${ports[called]}`);
  return from.exec('sh', '-c', attempts.join(' || ')).then(
    () => true,
    (error) => {
      // nc ends with 1; anything else has tried nothing.
      if (error.code !== 1) throw error;
      return false;
    },
  );
}
