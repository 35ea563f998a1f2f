import { expect, test } from 'vitest';
import { comparedWith } from '../../src/contract/canonical.js';
import { refundInput } from '../../src/contract/refund.js';
import { identifiersIn } from '../../src/domain/postback-identifiers.js';
import { noCandidates, withNamed } from '../../src/domain/candidates.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { orderMisfit } from '../../src/domain/misfit.js';
import { identifierKey, isSameIdentifier, spellingsOf } from '../../src/domain/service-ids.js';

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const capitals = small.toUpperCase();

test.for([
  [small, capitals, true],
  [small, small, true],
  ['ord_abc', 'ORD_ABC', false],
  ['7f9c24e8', '7F9C24E8', false],
  ['7', '7', true],
  [null, null, true],
  [null, small, false],
] as const)('%s and %s are one identifier: %s', ([one, other, isSame]) => {
  expect(isSameIdentifier(one, other)).toBe(isSame);
});

test('a UUID names one refund, one candidate and one order in either spelling', () => {
  expect(refundWorkflowId(capitals)).toBe(refundWorkflowId(small));
  expect(refundWorkflowId('ORD_1')).not.toBe(refundWorkflowId('ord_1'));
  const named = [small, capitals].map((id) => JSON.stringify({ id })).reduce(withNamed, noCandidates);
  expect(named.unread).toHaveLength(1);
  expect(identifiersIn(JSON.stringify({ id: capitals }))).toEqual([capitals]);
  const shown = { service_id: capitals, partner_code: 'a', value_centavos: 100 };
  const wanted = { serviceId: small, partnerCode: 'a', rightCentavos: [100] };
  expect(orderMisfit(wanted, shown)).toBeNull();
});

test('is searched for in all its spellings, and compared by one', () => {
  expect(spellingsOf(capitals)).toEqual([capitals, small]);
  expect(spellingsOf('ord_Abc')).toEqual(['ord_Abc']);
  expect(identifierKey(capitals)).toBe(small);
});

test('a refund that is started again with its order in other capitals is the same request', () => {
  const started = { partner_code: 'a', service_id: small, value: 5 };
  const compare = (again: object) =>
    comparedWith(refundInput.parse({ ...started, ...again }), (recorded) => refundInput.parse(recorded));
  expect(compare({ service_id: capitals }).isSame(started)).toBe(true);
  expect(compare({ service_id: capitals, value: 6 }).differing(started)).toEqual(['value']);
  expect(compare({ service_id: 'ord_1' }).differing(started)).toEqual(['service_id']);
});
