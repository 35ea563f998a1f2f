import { setTimeout as sleep } from 'node:timers/promises';

/** An OMS at work until it is stopped, one request each so many milliseconds; what is under way is then awaited. */
export function startLoad(oms, everyMs = [40, 90]) {
  let isStopped = false;
  const underWay = new Set();
  const begin = (work) => {
    const done = work.finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const work = async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      begin(oms.startSome());
      if (turn % 6 === 3) begin(oms.refundSome());
      await sleep(oms.random.between(...everyMs));
    }
  };
  const working = work();
  return {
    stop: async () => {
      isStopped = true;
      await working;
      await Promise.all(underWay);
    },
  };
}
