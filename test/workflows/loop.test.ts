import { expect, test, vi } from 'vitest';
import { scanBackMs } from '../../src/domain/call-limits.js';
import { asRecord } from '../../src/domain/records.js';
import { refundStages } from '../../src/domain/refund-stages.js';
import { failed, resolvedAs, unknown } from '../../src/domain/refund.js';
import { newSubmission } from '../../src/domain/submission.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import type { Engine } from '../../workflows/shared/engine.js';
import { boundCommand } from '../../workflows/shared/incoming.js';
import { Loop } from '../../workflows/shared/loop.js';
import { refusalOf } from '../support/refusal.js';
import { factsOf, firstRun, startsAt } from '../exploration/world.js';

/** A refused refund, which waits for a decision, on an engine that a test may change. */
function refused(changes: Partial<Engine> = {}) {
  const clock = { now: startsAt };
  const payment = new RefundPayment(
    { partner_code: 'a', service_id: '7', value: 150.25 },
    factsOf('refund-7', firstRun, clock),
  );
  payment.apply(failed('refused', 'The service refused it.'));
  const newRun = vi.fn(() => new Promise<never>(() => undefined));
  const engine: Engine = {
    sleepUntil: (at, wakes) => {
      if (!wakes()) clock.now = at;
      return Promise.resolve();
    },
    sleepUntilTurn: () => Promise.resolve(true),
    call: () => Promise.reject(new Error('no call is made')),
    hint: () => Promise.resolve(),
    publish: () => undefined,
    needsNewRun: () => false,
    settled: () => Promise.resolve(),
    newRun,
    handOver: () => Promise.resolve(),
    ...changes,
  };
  const loop = new Loop(payment, engine);
  const done: string[] = [];
  const resolve = () => loop.queue.execute(boundCommand(payment, 'resolveRefund', finding));
  /** One wait, until so long after the start. */
  const wait = (ms: number | (() => number)) =>
    loop.wait(refundStages.decide, {
      until: () => startsAt + (typeof ms === 'number' ? ms : ms()),
      awaiting: 'a decision',
      takes: {
        retryRefund: () => void done.push('retried'),
        resolveRefund: () => void done.push('resolved'),
      },
    });
  return { clock, done, loop, newRun, payment, resolve, wait };
}

const finding = { by: 'ana', reason: 'a test', outcome: 'refunded' };
const hour = 3_600_000;

test('a command that came in is executed before a stage that is due', async () => {
  const { done, resolve, wait } = refused();
  const answer = resolve();
  expect(await wait(0)).toBe('command');
  expect(done).toEqual(['resolved']);
  await expect(answer).resolves.toMatchObject({ kind: 'refund' });
});

test('a command that comes in while a run is to end is executed in that run', async () => {
  let needed = true;
  const { done, newRun, resolve, wait } = refused({
    needsNewRun: () => needed,
    settled: (wakes) => {
      needed = false;
      void resolve();
      expect(wakes()).toBe(true);
      return Promise.resolve();
    },
  });
  expect(await wait(hour)).toBe('command');
  expect(done).toEqual(['resolved']);
  expect(newRun).not.toHaveBeenCalled();
});

test('a run that is to end goes on in a new one with its snapshot, once nobody waits for an answer', async () => {
  const { loop, newRun, payment, wait } = refused({ needsNewRun: () => true });
  void wait(hour);
  await vi.waitFor(() => {
    expect(newRun).toHaveBeenCalledWith(payment.snapshot());
  });
  expect(loop.leaving).toBe(true);
});

test('a cancel request is executed once', async () => {
  const { loop, payment, wait } = refused();
  loop.requestCancel();
  expect(await wait(hour)).toBe('command');
  expect(payment.view().timeline.at(-1)?.what).toContain('A cancel request came and changes nothing');
  expect(await wait(hour)).toBe('due');
});

test('a hint that comes in between two waits makes the read due at once', async () => {
  const { clock, payment, wait } = refused({
    sleepUntil: () => Promise.reject(new Error('It sleeps.')),
  });
  payment.reads.hint('postback');
  expect(await wait(() => payment.reads.nextReadAt - startsAt)).toBe('due');
  expect(clock.now).toBe(startsAt);
});

test('a sleep that ends before its time ends no wait', async () => {
  let sleeps = 0;
  const { clock, wait } = refused({
    sleepUntil: (at) => {
      sleeps += 1;
      if (sleeps === 3) clock.now = at;
      return Promise.resolve();
    },
  });
  expect(await wait(hour)).toBe('due');
  expect(sleeps).toBe(3);
});

test.for<[string, number | null, string]>([
  ['in time waits for its turn', 25_000, 'again'],
  ['after the time of a first dispatch is of unknown outcome', 100_000, 'unknown'],
  ['as no history shows is of unknown outcome', null, 'unknown'],
])(
  'a call that no worker took, of which the workflow learned late, and that timed out %s',
  async ([, afterMs, kind]) => {
    const lateMs = 10 * 60_000;
    const recorded = { kind: 'completed', result: { timed_out_after_ms: afterMs }, tookMs: 0 };
    const timedOut = { kind: 'timed_out', how: 'never_started', heartbeat: undefined, tookMs: lateMs };
    const call = (name: string) => Promise.resolve((name === 'readTimeout' ? recorded : timedOut) as never);
    const { loop } = refused({ call });
    const sent = await loop.send(newSubmission(startsAt), 'request the refund', ({ requestRefund }, once) =>
      requestRefund({ ...once, input: {}, previous_failure: null, right_centavos: [] }),
    );
    expect(sent.kind).toBe(kind);
  },
);

test('a turn that comes may end the wait', async () => {
  let until = hour;
  const { wait, loop } = refused();
  const woke = loop.wait(refundStages.decide, {
    until: () => startsAt + until,
    awaiting: 'its turn',
    onTurn: () => {
      until = 0;
    },
    takes: { retryRefund: () => undefined, resolveRefund: () => undefined },
  });
  expect([await woke, until]).toEqual(['due', 0]);
  expect(await wait(hour)).toBe('due');
});

test('a sleep is to end sooner when a command, a cancel request or an earlier moment has come', async () => {
  let until = hour;
  const woken: boolean[] = [];
  const { clock, loop, payment, wait } = refused({
    sleepUntil: (at, wakes) => {
      woken.push(wakes());
      until = hour / 2;
      woken.push(wakes());
      until = hour;
      loop.requestCancel();
      woken.push(wakes());
      clock.now = at;
      return Promise.resolve();
    },
  });
  expect(await wait(() => until)).toBe('command');
  expect(woken).toEqual([false, true, true]);
  expect(payment.view().timeline.at(-1)?.what).toContain('cancel request');
});

test('a command that the stage does not take any more has no effect, and says why', async () => {
  const { done, loop, payment, resolve, wait } = refused();
  const [first, second] = [resolve(), resolve().then(() => undefined, refusalOf)];
  expect(await wait(0)).toBe('command');
  await first;
  payment.apply(resolvedAs(payment.data, 'refunded'));
  const takes = { retryRefund: () => void done.push('retried') };
  await loop.wait(refundStages.watch, { until: () => startsAt, awaiting: 'the end of the watch', takes });
  expect(await second).toBe('NotParked');
  expect(done).toEqual(['resolved']);
});

test('a command is checked once more when it is executed', async () => {
  const { done, loop, payment, wait } = refused();
  const command = boundCommand(payment, 'retryRefund', { by: 'ana', reason: 'a test' });
  const answer = loop.queue.execute(command).then(() => undefined, refusalOf);
  payment.apply(unknown('The connection broke.'));
  expect(await wait(hour)).toBe('command');
  expect(await answer).toBe('DecisionNeeded');
  expect(done).toEqual([]);
});

test.for<[string, number, number]>([
  ['half an hour', 0, 30],
  ['as long as is left before its deadline, less a minute for reads', 45, 14],
])('a scan for a command has %s', async ([, waitedMinutes, minutes]) => {
  const allowed: unknown[] = [];
  const call: Engine['call'] = (_name, _input, { withinMs }) => {
    allowed.push(withinMs);
    return Promise.resolve({ kind: 'completed', result: { found: [] }, tookMs: 0 } as never);
  };
  const { clock, loop, resolve } = refused({ call });
  void resolve();
  clock.now += waitedMinutes * 60_000;
  const scan = (for_command: boolean) => loop.scanPayouts({ attempts_of: 'a', for_command }, 'scan');
  await loop.wait(refundStages.decide, {
    ...{ until: () => Infinity, awaiting: 'a decision' },
    takes: { retryRefund: () => undefined, resolveRefund: async () => void (await scan(true)) },
  });
  await scan(false);
  expect(allowed).toEqual([minutes * 60_000, undefined]);
});

test('a scan looks back to the start of a payment, however late it is', async () => {
  const from = new Set<unknown>();
  const call: Engine['call'] = (_name, input) => {
    from.add(asRecord(input).not_before);
    return Promise.resolve({ kind: 'completed', result: { found: [] }, tookMs: 0 } as never);
  };
  const { clock, loop } = refused({ call });
  for (const later of [0, 90 * 24 * 3_600_000]) {
    clock.now += later;
    await loop.scanPayouts({ attempts_of: 'a' }, 'scan');
  }
  expect([...from]).toEqual([new Date(startsAt - scanBackMs(true)).toISOString()]);
});

test('a stage that is due and does nothing about it ends with an error, not in a loop without an end', async () => {
  const { wait } = refused();
  const goRound = async () => {
    for (;;) await wait(0);
  };
  await expect(goRound()).rejects.toThrow('does nothing about it');
});
