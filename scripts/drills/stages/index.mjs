import { stagesOfKind } from '../../../dist/src/domain/stages.js';
import { orderStages } from './orders.mjs';
import { payoutStages } from './payouts.mjs';
import { refundStages } from './refunds.mjs';
import { validationStages } from './account-validations.mjs';

/**
 * A stage in which a payment can be open: how one gets there, and how it then comes to its end.
 *
 * @typedef {object} OpenStage
 * @property {string} lifecycle
 * @property {string} stage of the lifecycle, by the lifecycle's own name for it
 * @property {string} [why] where there are several ways to be in it
 * @property {(mover: PaymentMover, code: string) => Promise<unknown>} open
 * @property {(state: object) => boolean} shows whether a payment's state is of one that is open so
 * @property {(mover: PaymentMover, code: string) => Promise<unknown>} [finish] undefined when nothing is left to happen
 * @property {string} end status at its end
 */

/** @type {OpenStage[]} */
export const stages = [...payoutStages, ...orderStages, ...refundStages, ...validationStages];

const covered = new Set(stages.map(({ lifecycle, stage }) => `${lifecycle} ${stage}`));
const missing = Object.entries(stagesOfKind)
  .flatMap(([lifecycle, table]) => Object.keys(table).map((stage) => `${lifecycle} ${stage}`))
  .filter((each) => !each.endsWith(' closed') && !covered.has(each));
if (missing.length > 0) throw new Error(`No payment is opened in: ${missing.join(', ')}`);
