import type { z } from 'zod';
import { documentationOf, variableNames } from './variables.js';
import type { VariableName } from './variables.js';

export function notSet(name: VariableName): string {
  return `${name} is not set: ${documentationOf(name).description}. Set it, or ${name}_FILE to a file that holds it.`;
}

/** What is wrong, in a sentence: about the variable that the path ends in, or, without one, the message itself. */
export function faultOf({ code, path, message }: z.core.$ZodIssue): string {
  const name = variableNames.find((one) => one === path.at(-1));
  if (name === undefined) return message;
  // Each variable is text, so whatever has another type is missing.
  return code === 'invalid_type' ? notSet(name) : `${name} ${message}`;
}
