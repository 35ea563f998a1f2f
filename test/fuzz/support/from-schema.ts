import fc from 'fast-check';
import { strangeText, strangeValue } from './arbitraries.js';

/** As much of JSON Schema as the OpenAPI document uses. */
export type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
};

const formats: Record<string, fc.Arbitrary<string>> = {
  email: fc.emailAddress(),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
};

/** Values as a schema describes them, and now and then others. */
export function fromSchema(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fitting(schema) }, { weight: 1, arbitrary: strangeValue });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(fromSchema));
  if (schema.allOf !== undefined) {
    return fc.tuple(...schema.allOf.map(fitting)).map((parts) => Object.assign({}, ...parts) as unknown);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
        name,
        fromSchema(field),
      ]);
      return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [],
      });
    }
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}), { maxLength: 5 });
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double(), fc.integer({ min: 1, max: 100 }));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return text(schema);
    default:
      return strangeValue;
  }
}

function text({ pattern, format }: Schema): fc.Arbitrary<string> {
  if (format !== undefined && formats[format] !== undefined) return formats[format];
  if (pattern === undefined) return fc.oneof(strangeText, fc.constant('529.982.247-25'), fc.string());
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // It uses what the generator does not know.
    return strangeText;
  }
}
