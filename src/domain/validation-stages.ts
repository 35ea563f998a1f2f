import type { StageTable } from './stage-table.js';

/** What an account validation does now, and which commands it takes while it does. */
export const validationStages = {
  /** Requests it. */
  request: ['cancel'],
  /** Waits for an answer. */
  await: [],
  closed: [],
} as const satisfies StageTable;

export type ValidationStage = keyof typeof validationStages;
