import { ConfigError } from './config/config-error.js';
import { readEnvironment, typoFaults, unknownFaults } from './config/environment.js';
import type { Env } from './config/environment.js';
import { faultOf, notSet } from './config/faults.js';
import { readersOf, rules, schemas, variableNamesOf } from './config/roles.js';
import type { Role } from './config/roles.js';
import type { Configs } from './config/settings.js';
import { documentationOf, variableNames } from './config/variables.js';

export { ConfigError };
export { headerFile, loadOrGenerateKeys, readGeneratedKeys } from './config/generated-keys.js';

/** Each variable that this program reads, with what is to be known about it. */
export const configVariables = variableNames.map((name) => ({
  ...documentationOf(name),
  roles: readersOf(name),
}));

/** The variables of this process. Nothing else reads them. */
export function processEnvironment(): Env {
  return process.env;
}

/**
 * Reads and checks what a process of that role needs.
 *
 * @throws ConfigError with everything that is wrong, each as a sentence with what to do.
 */
export function loadConfig<R extends Role>(env: Env, role: R): Configs[R] {
  const environment = readEnvironment(env);
  const { values } = environment;
  const parsed = schemas[role].safeParse({ variables: values, temporal: values, traces: values });
  const broken = rules[role].map((rule) => rule.safeParse(values));
  const issues = [parsed, ...broken].flatMap(({ error }) => error?.issues ?? []);
  const faults = [...new Set([...environment.faults, ...issues.map(faultOf)])];
  const typos = typoFaults(values, variableNamesOf(role), (name) => faults.includes(notSet(name)));
  const strange = unknownFaults(values).filter((fault) => !typos.some((typo) => isAboutTheSame(typo, fault)));
  const all = [...faults, ...typos, ...strange];
  if (!parsed.success || all.length > 0) throw new ConfigError(all);
  return parsed.data;
}

/** Both begin with the name of a variable; the one that knows what is meant says more. */
function isAboutTheSame(typo: string, fault: string): boolean {
  return typo.split(' ')[0] === fault.split(' ')[0];
}
