import {
  dailyCadence,
  followCadence,
  payoutWatchCadence,
  reconciledCadence,
  type CadenceStep,
} from './cadence.js';
import type { PayoutStage } from './payout-attempts.js';

/** How often a payout is read in each of its stages. */
export function payoutCadence(stage: PayoutStage, isReconciled: boolean): readonly CadenceStep[] {
  switch (stage) {
    case 'resolve':
    case 'decide':
      return dailyCadence;
    case 'watch':
      return payoutWatchCadence;
    case 'submit':
    case 'verify':
    case 'follow':
      return isReconciled ? reconciledCadence : followCadence;
  }
}
