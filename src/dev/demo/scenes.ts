import type { PaymentState } from '../../contract/state.js';
import { cardOf, orderOf, payoutOf } from './requests.js';
import type { Answer, Oms } from './oms.js';

/** How a payment of the demo ended, by its own word. */
export type Ending = {
  readonly name: string;
  /** Every partner_code that the service must know exactly once. */
  readonly codes: readonly string[];
  readonly requested: number;
  readonly moved: 'charged' | 'paid' | 'failed';
  /** What is not as it should be. */
  readonly faults: readonly string[];
};

type Scene = {
  readonly title: string;
  readonly play: (
    oms: Oms,
    codeOf: (name: string) => string,
    report: (text: string) => void,
  ) => Promise<Ending[]>;
};

/** What the demo shows, in its order. */
export const scenes: readonly Scene[] = [
  {
    title: 'A card order, from its submission to settlement',
    play: async (oms, codeOf) => {
      const code = codeOf('order');
      const started = await oms.post('/v1/orders/card', {
        ...orderOf(code, 150),
        credit_card: cardOf('4111111111111111'),
      });
      const state = await oms.follow(`/v1/orders/${code}`, hasStatus('compensated'));
      const faults = [...expectStatus(started, 201, 202), ...expectState(state, 'compensated')];
      return [{ name: 'card order', codes: [code], requested: 150, moved: 'charged', faults }];
    },
  },
  {
    title: 'A card that is denied',
    play: async (oms, codeOf) => {
      const code = codeOf('denied');
      await oms.post('/v1/orders/card', { ...orderOf(code, 80), credit_card: cardOf('4000000000001000') });
      const state = await oms.follow(`/v1/orders/${code}`, hasStatus('denied'));
      const faults = expectState(state, 'denied');
      return [{ name: 'denied card', codes: [code], requested: 80, moved: 'failed', faults }];
    },
  },
  {
    title: 'A pix payout that fails, and is retried with a corrected key',
    play: async (oms, codeOf) => {
      const code = codeOf('pix');
      const path = `/v1/payouts/${code}`;
      await oms.post('/v1/payouts/pix', payoutOf(code, 42.5, 'sandbox+error@example.com'));
      const failed = await oms.follow(path, ({ attention }) => attention === 'payout_failed');
      const corrections = { pix: 'ana.lima@example.com' };
      const retried = await oms.post(`${path}/retry`, { corrections, reason: 'wrong key' });
      const state = await oms.follow(path, hasStatus('done'));
      const faults = [
        ...expectState(failed, 'error'),
        ...expectStatus(retried, 200),
        ...expectState(state, 'done'),
      ];
      return [{ name: 'pix, retried', codes: [code, `${code}-r2`], requested: 42.5, moved: 'paid', faults }];
    },
  },
  {
    title: 'A payout that the service takes, and then drops the connection',
    play: async (oms, codeOf) => {
      const code = codeOf('dropped');
      const key = 'sandbox+accepted-then-dropped@example.com';
      await oms.post('/v1/payouts/pix', payoutOf(code, 33.33, key));
      const state = await oms.follow(`/v1/payouts/${code}`, hasStatus('done'));
      const faults = expectState(state, 'done');
      return [{ name: 'pix, dropped', codes: [code], requested: 33.33, moved: 'paid', faults }];
    },
  },
  {
    title: 'Twenty equal requests at once, and a twenty-first for another amount',
    play: async (oms, codeOf, report) => {
      const code = codeOf('twenty');
      const send = (value: number) =>
        oms.post('/v1/payouts/pix', payoutOf(code, value, 'ana.lima@example.com'));
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(12)));
      const started = answers.filter(({ status }) => status === 201 || status === 202).length;
      const repeated = answers.filter(({ status }) => status === 200).length;
      report(`${code}: ${String(started)} started it, ${String(repeated)} found that one`);
      const other = await send(13);
      report(`${code}: the request for another amount was answered ${String(other.status)}`);
      const state = await oms.follow(`/v1/payouts/${code}`, hasStatus('done'));
      const faults = [
        ...(started === 1 && repeated === 19 ? [] : ['not one start and 19 repeats']),
        ...expectStatus(other, 409),
        ...expectState(state, 'done'),
      ];
      return [{ name: '20 × the same pix', codes: [code], requested: 12, moved: 'paid', faults }];
    },
  },
];

function hasStatus(wanted: string): (state: PaymentState) => boolean {
  return ({ status }) => status === wanted;
}

function expectState({ status }: PaymentState, wanted: string): string[] {
  return status === wanted ? [] : [`is ${status}, not ${wanted}`];
}

function expectStatus({ status }: Answer, ...wanted: number[]): string[] {
  return wanted.includes(status) ? [] : [`answered ${String(status)}`];
}
