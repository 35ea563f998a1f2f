import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { z } from 'zod';
import { InvalidRequestError } from '../../client.js';
import { fieldProblems } from '../../contract/problems.js';
import { UsageError } from './exit.js';

/** Why requests come in files. */
export const whyFiles = '\nA file, for what stands on a command line is seen by all users of the machine.';

/** What a file holds, or standard input for `-`. @throws UsageError */
export async function contentOf(file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin);
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} can't be read. Nothing was started.`);
  });
}

/** @throws UsageError when it is no JSON object */
export function objectIn(content: string, called = 'a JSON object'): object {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below: the parser's own words quote the content.
  }
  throw new UsageError(`That is not ${called}. Nothing was started.`);
}

/** The request, checked before anything is connected to. @throws InvalidRequestError */
export function checked<Schema extends z.ZodType>(schema: Schema, request: object): z.output<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(fieldProblems(parsed.error));
}
