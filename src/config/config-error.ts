/** The configuration can't be used; the message lists everything that is wrong with it, and repeats no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    const list = faults.map((fault) => `- ${fault}`).join('\n');
    super(`The configuration can't be used, so nothing was started:\n${list}`);
  }
}
