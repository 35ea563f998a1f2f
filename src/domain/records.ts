import { parseJson } from './parse-json.js';

/** Any JSON value as an object whose fields are unknown; what is none has no fields. */
export function asRecord(value: unknown): Record<string, unknown> {
  return hasFields(value) ? value : {};
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What a text holds as JSON; the text itself when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
