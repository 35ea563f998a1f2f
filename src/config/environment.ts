import { readFileSync } from 'node:fs';
import { configVariables } from './variables.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are set, each from itself or from the file that its `…_FILE` names; and what is wrong with them. */
export type Environment = {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
};

/** An empty variable counts as not set, as most tools that pass variables on have it. */
export function readEnvironment(env: Env): Environment {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value !== '') values[name] = value;
  const faults: string[] = [];
  for (const { name } of configVariables) {
    const file = values[`${name}_FILE`];
    if (file === undefined) continue;
    if (values[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set. Keep one of them.`);
    else {
      const content = contentOf(file);
      if (content === null)
        faults.push(`${name}_FILE names ${file}, which can't be read. Check its path and rights.`);
      else if (content === '') faults.push(`${name}_FILE names ${file}, which is empty.`);
      else values[name] = content;
    }
  }
  return { values, faults };
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
