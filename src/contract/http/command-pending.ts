import { z } from 'zod';
import { commandNames } from '../../domain/stage-table.js';

/** The answer 202 of a command that the payment has taken and executes or refuses later; `Location` is its state. */
export const commandPending = z.object({
  workflow_id: z.string(),
  command: z.enum(commandNames),
  /** By which `pending_commands` of the state names it. */
  command_id: z.string(),
  /** What is waited for, and where its outcome is read. */
  detail: z.string(),
});
export type CommandPending = z.infer<typeof commandPending>;
