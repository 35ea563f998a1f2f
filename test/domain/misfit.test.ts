import { describe, expect, test } from 'vitest';
import { orderMisfit, payoutMisfit } from '../../src/domain/misfit.js';

const nothing = { service_id: null, partner_code: null, value_centavos: null };

describe('a reading of an order', () => {
  const wanted = { serviceId: 'ord_1', partnerCode: 'code', rightCentavos: [1990, 1890] };
  test.for([
    ['shows nothing', {}, '(none)'],
    ['shows the same in all', { service_id: 'ord_1', partner_code: 'code', value_centavos: 1990 }, '(none)'],
    ['shows another identifier', { service_id: 'ord_2' }, 'order ord_2 when asked for ord_1'],
    ['shows what an operator has accepted', { value_centavos: 1890 }, '(none)'],
    ['shows another value', { value_centavos: 1991 }, 'R$ 19.91, asked for were R$ 19.90'],
    ['shows no value at all', { value_centavos: 0 }, 'R$ 0.00'],
    ['shows a value below nothing', { value_centavos: -1990 }, 'R$ -19.90'],
    ['shows what is no exact amount', { value_unclear: '1.255' }, 'value 1.255, which is no exact amount'],
    ['shows another partner_code', { partner_code: 'other' }, 'partner_code other'],
  ] as const)('that %s', ([, shown, misfit]) => {
    expect(orderMisfit(wanted, { ...nothing, ...shown }) ?? '(none)').toContain(misfit);
  });
  test.for([{ value_centavos: 7 }, { value_unclear: '1.255' }])(
    'fits any value when none is known: %j',
    (shown) => {
      expect(orderMisfit({ ...wanted, rightCentavos: [0] }, { ...nothing, ...shown })).toBeNull();
    },
  );
});

describe('a record of a payout', () => {
  test.for([
    ['shows nothing', {}, '(none)'],
    ['shows the same, as any one', { service_id: '9', partner_code: 'a-r2', value_centavos: 5 }, '(none)'],
    ['shows what an operator has accepted', { value_centavos: 4 }, '(none)'],
    ['shows another value', { value_centavos: 6 }, 'R$ 0.06 for a-r2, asked for were R$ 0.05'],
    ['shows the code of another attempt', { partner_code: 'a' }, 'partner_code a for a-r2'],
  ] as const)('that %s', ([, shown, misfit]) => {
    expect(payoutMisfit({ partnerCode: 'a-r2' }, [5, 4], { ...nothing, ...shown }) ?? '(none)').toContain(
      misfit,
    );
  });
});
