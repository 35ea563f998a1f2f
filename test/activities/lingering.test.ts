import { describe, expect, test } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { Lingerers } from '../../activities/shared/lingerers.js';
import { answers, type Behaviour } from '../payments-service/raw-server.js';
import { dispatched, pixPayout } from './support.js';

const bounds = { readAfterMs: [1, 2, 3], endsMs: 200, most: 1 };
const made = answers(201, '{"id":4711,"status":"claimed"}');
const answered = { outcome: 'answered', service_id: '4711', status: 'claimed' };
const shown = (status: string) => answers(200, JSON.stringify({ id: 4711, status, value: 1234.5 }));
const nothing: Behaviour = () => undefined;

/** What reads are answered one after the other; the last one again and again. */
async function lingering(reads: readonly Behaviour[], post = made, lingerers = new Lingerers(bounds)) {
  let asked = 0;
  const service: Behaviour = (socket, request) => {
    if (request.startsWith('POST')) return post(socket, request);
    const behave = reads[Math.min(asked, reads.length - 1)] ?? nothing;
    asked += 1;
    behave(socket, request);
  };
  const heartbeats: unknown[] = [];
  const { outcome } = await dispatched(createPixPayout, pixPayout, {
    service,
    worker: (deps, dispatch) => {
      Object.assign(deps, { lingerers });
      dispatch.onHeartbeat((detail) => heartbeats.push({ detail, reads: asked }));
    },
  });
  return { heartbeats, outcome, reads: asked };
}

describe('a payout that was answered', () => {
  test('is answered with the read that shows it as final, after its identifier was heartbeated', async () => {
    const { heartbeats, outcome, reads } = await lingering([shown('processing'), shown('done')]);
    const read = { shown: { service_id: '4711', status: 'done', value_centavos: 123_450 } };
    expect(outcome).toMatchObject({ ...answered, read });
    expect(reads).toBe(2);
    expect(heartbeats).toEqual([{ detail: answered, reads: 0 }]);
  });

  test('is answered with the time of that read', async () => {
    const begunAt = Date.now();
    const { outcome } = await lingering([shown('done')]);
    const readAt = 'read' in outcome ? Date.parse(outcome.read?.read_at ?? '') : NaN;
    expect(readAt).toBeGreaterThanOrEqual(begunAt);
    expect(readAt).toBeLessThanOrEqual(Date.now());
  });

  test.for([
    ['fails', answers(503), undefined],
    ['does not find it', answers(404), undefined],
    ['has no end', nothing, undefined],
    ['shows no status', answers(200, '{"id":4711}'), null],
    ['shows that it is under way', shown('processing'), 'processing'],
  ] as const)('stays so when each read %s', async ([, behave, status]) => {
    const { outcome } = await lingering([behave]);
    expect(outcome).toMatchObject(answered);
    expect('read' in outcome ? outcome.read?.shown.status : undefined).toBe(status);
  });

  test('is answered with what was read before a read failed', async () => {
    const { outcome } = await lingering([shown('processing'), answers(503)]);
    expect(outcome).toMatchObject({ ...answered, read: { shown: { status: 'processing' } } });
  });

  test('is answered at once when no place is free, and gives back the one it has had', async () => {
    const lingerers = new Lingerers(bounds);
    const leave = lingerers.enter();
    const crowded = await lingering([shown('done')], made, lingerers);
    expect(crowded).toMatchObject({ outcome: answered, reads: 0, heartbeats: [] });
    leave?.();
    for (let time = 0; time < 3; time += 1)
      expect(await lingering([shown('done')], made, lingerers)).toMatchObject({ outcome: { read: {} } });
  });
});

test.for([
  ['refused', answers(422), 'refused'],
  ['answered without an identifier', answers(201, '{"status":"claimed"}'), 'unknown'],
  ['throttled', answers(429), 'throttled'],
] as const)('a payout that was %s is not read', async ([, post, outcome]) => {
  expect(await lingering([shown('done')], post)).toMatchObject({
    outcome: { outcome },
    reads: 0,
    heartbeats: [],
  });
});
