import { orderKinds, type PaymentKind } from './kinds.js';

/**
 * What a worker is given first while it can't keep up: Temporal hands out work of a lower number first, from 1 to 5,
 * where its server has priorities. Activities and child workflows have that of their workflow.
 */
export const priorityKeys = {
  /** All calls of the service wait for its token. */
  tokenRenewal: 1,
  /** Somebody waits at a checkout. */
  order: 2,
  /** What Temporal takes where none is given, as with a start by another SDK. */
  usual: 3,
  /** A batch goes on for minutes as it is. */
  batch: 4,
} as const;

/** Of a payment that is started by itself. */
export function priorityKeyOf(kind: PaymentKind): number {
  const isOrder = orderKinds.some((each) => each === kind);
  return isOrder ? priorityKeys.order : priorityKeys.usual;
}
