import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { InvalidRequestError } from '../../client.js';
import { jsonIn } from '../../client/json-text.js';
import { utf8TextOf } from '../../client/utf8-text.js';
import { fieldProblems } from '../../contract/problems.js';
import { UsageError } from './exit.js';

/** Why requests come in files. */
export const whyFiles = '\nA file, for what stands on a command line is seen by all users of the machine.';

/** What a file holds, or standard input for `-`. @throws UsageError; InvalidRequestError when it is no UTF-8 */
export async function contentOf(file: string): Promise<string> {
  if (file === '-') return utf8TextOf(await buffer(process.stdin));
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`The file ${file} can't be read. Nothing was started.`);
  });
  return utf8TextOf(bytes);
}

/** @throws UsageError when it is no JSON object; InvalidRequestError when a member is there twice */
export function objectIn(content: string): object {
  try {
    const value = jsonIn(content);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error;
    // Reported below: the parser's own words quote the content.
  }
  throw new UsageError('That is not a JSON object. Nothing was started.');
}

/** The request, checked before anything is connected to. @throws InvalidRequestError */
export function checked<Schema extends z.ZodType>(schema: Schema, request: object): z.output<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(fieldProblems(parsed.error));
}
