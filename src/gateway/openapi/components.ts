import { z } from 'zod';
import { creditCard, cardReference } from '../../contract/card.js';
import { paymentListing } from '../../contract/http/lists.js';
import { openValue } from '../../contract/fields.js';
import { jsonSchemaOptions } from '../../contract/json-schema.js';
import { notify } from '../../contract/notify.js';
import {
  address,
  cardOrderInput,
  customer,
  hostedCheckoutInput,
  risk,
  threeDSecureOrderInput,
} from '../../contract/order.js';
import { payoutRow } from '../../contract/payout-batch.js';
import { failureCause, payoutCorrections } from '../../contract/payout.js';
import { publishedSchemas } from '../../contract/schemas.js';
import { payoutAttempt, timelineEntry } from '../../contract/state.js';

/** What a sender writes (`input`), or what is answered (`output`). */
export type Direction = 'input' | 'output';

type Schema = Record<string, unknown>;
type Components = Record<string, Schema>;

/** Parts of the published schemas that have a name of their own in the document. */
const parts: Readonly<Record<string, z.ZodType>> = {
  Address: address,
  CardOrder: cardOrderInput.shape.order,
  CardReference: cardReference,
  CreditCard: creditCard,
  Customer: customer,
  FailureCause: failureCause,
  HostedCheckoutOrder: hostedCheckoutInput.shape.order,
  Notify: notify,
  OpenValue: openValue,
  PaymentListing: paymentListing,
  PayoutAttempt: payoutAttempt,
  PayoutCorrections: payoutCorrections,
  PayoutRow: payoutRow,
  Risk: risk,
  ThreeDSecureOrder: threeDSecureOrderInput.shape.order,
  TimelineEntry: timelineEntry,
};

const names = new Map<z.ZodType, string>();
for (const [name, schema] of Object.entries(publishedSchemas)) names.set(schema, pascalCase(name));
for (const [name, schema] of Object.entries(parts)) names.set(schema, name);

const refTo = (name: string) => `#/components/schemas/${name}`;

const registry = z.registry<{ id: string }>();
for (const [schema, id] of names) registry.add(schema, { id });

/** A reference to a named schema; any other schema as it is. */
export function schemaOf(schema: z.ZodType, direction: Direction): Schema {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: refTo(name) };
  const { $schema: _, ...json } = z.toJSONSchema(schema, { ...jsonSchemaOptions, io: direction });
  return typesApart(json);
}

/** All named schemas that a part of the document leads to. */
export function componentsFor(part: unknown, direction: Direction): Components {
  const { schemas } = z.toJSONSchema(registry, { ...jsonSchemaOptions, io: direction, uri: refTo });
  const found: Components = {};
  const visit = (value: unknown): void => {
    for (const name of namesIn(value)) {
      if (found[name] !== undefined) continue;
      const { $schema: _schema, $id: _id, id: _own, ...schema } = schemas[name] ?? {};
      found[name] = typesApart({ title: name, ...schema });
      visit(schema);
    }
  };
  visit(part);
  return found;
}

/** One alternative a type where there are several: not every generator reads a list of them. */
function typesApart(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value) || !Array.isArray(value.type)) {
      return value;
    }
    const { type, ...rest } = value;
    const isNullable = type.length === 2 && type.includes('null');
    return isNullable ? value : { ...rest, anyOf: type.map((each: unknown) => ({ type: each })) };
  }) as Schema;
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
