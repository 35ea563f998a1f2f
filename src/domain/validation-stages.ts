import type { StageTable } from './stage-table.js';
import { hasEnded, type Validation } from './validation.js';

/** What an account validation does now, and which commands it takes while it does. */
export const validationStages = {
  /** Requests it. */
  request: ['cancel'],
  /** Waits for an answer. */
  await: [],
  closed: [],
} as const satisfies StageTable;

export type ValidationStage = keyof typeof validationStages;

export function validationStage(validation: Validation, now: number): ValidationStage {
  if (hasEnded(validation, now)) return 'closed';
  return validation.phase === 'to_send' ? 'request' : 'await';
}
