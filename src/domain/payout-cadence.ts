import {
  dailyCadence,
  followCadence,
  payoutWatchCadence,
  reconciledCadence,
  type CadenceStep,
} from './cadence.js';
import type { PayoutStage } from './payout-stages.js';

/** How often a payout is read in each of its stages. */
export function payoutCadence(stage: PayoutStage, isReconciled: boolean): readonly CadenceStep[] {
  switch (stage) {
    case 'resolve':
    case 'decide':
    case 'decide_unread':
      return dailyCadence;
    case 'watch':
      return payoutWatchCadence;
    case 'validate':
    case 'submit':
    case 'verify':
    case 'find':
    case 'follow':
    case 'closed':
      return isReconciled ? reconciledCadence : followCadence;
  }
}
