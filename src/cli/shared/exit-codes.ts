/** What the exit code means to a program; `--help` prints it for people. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unavailable: 4, taken: 5 } as const;

export const exitCodesHelp = `
Exit codes:
  0  done
  1  something failed; the message says what
  2  wrong usage, configuration or request: nothing was done
  3  refused: no such payment, another request under the same code, or a command it can't follow now
  4  Temporal or the workers did not answer: repeat it, a start or a read is safe to repeat
  5  the payment has taken the command and executes or refuses it later; show prints its deadline

Configuration comes from the environment, the same as for the other processes; beside a running
\`durable-payments start\` none is needed (DATA_DIR says where its data is, .data by default).`;
