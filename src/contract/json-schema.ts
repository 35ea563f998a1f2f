import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** How published JSON Schemas are written: of what a sender writes (`input`), or of what is answered (`output`). */
export const jsonSchemaOptions = {
  target: 'draft-2020-12',
  unrepresentable: 'any',
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    writeEitherOr(jsonSchema);
    // The format says the same, and more than generators can read in so long a pattern.
    if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern;
    if (jsonSchema.anyOf !== undefined) writeNullable(jsonSchema);
  },
} as const satisfies z.core.ToJSONSchemaParams;

const eitherOrKey = 'x-either-or';

/** Which fields exclude each other, and whether one of them has to be there. */
type EitherOr = { readonly names: readonly string[]; readonly needed: boolean };

/** Says in the JSON Schema of an object that its fields of these names exclude each other; its refinement checks it. */
export function eitherOr(names: readonly string[], needed: boolean): Record<string, EitherOr> {
  return { [eitherOrKey]: { names, needed } };
}

/** One alternative a field, so that generated types can't hold two of them. */
function writeEitherOr(schema: JsonSchema): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { [eitherOrKey]: rule, ...rest } = schema as JsonSchema & { [eitherOrKey]?: EitherOr };
  if (rule === undefined) return;
  const only = (name: string | undefined) => ({
    type: 'object' as const,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([field]) => field === name || !rule.names.includes(field)),
    ),
    required: name === undefined ? required : [...required, name],
    additionalProperties,
  });
  const alternatives = [...(rule.needed ? [] : [undefined]), ...rule.names].map(only);
  for (const key of Object.keys(schema)) delete schema[key];
  const { type: _type, properties: _all, required: _required, additionalProperties: _more, ...about } = rest;
  Object.assign(schema, about, { oneOf: alternatives });
}

/** `type: [x, null]` in the place of an alternative that is nothing but null. */
function writeNullable(schema: JsonSchema): void {
  const [first, second, ...more] = schema.anyOf ?? [];
  if (first === undefined || second?.type !== 'null' || more.length > 0) return;
  if (typeof first.type !== 'string' || first.$ref !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, first, { type: [first.type, 'null'] });
  if (first.enum !== undefined) schema.enum = [...first.enum, null];
}
