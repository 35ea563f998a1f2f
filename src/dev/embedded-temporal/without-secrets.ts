import { configVariables } from '../../config.js';

type Env = Readonly<Record<string, string | undefined>>;

const secrets = new Set<string>(configVariables.flatMap(({ name, secret }) => (secret ? [name] : [])));

/** An environment for a program of someone else, such as one that downloads or builds Temporal: it needs no secret of ours. */
export function withoutSecrets(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.has(name)));
}
