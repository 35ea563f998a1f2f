import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { z } from 'zod';
import type { GatewayApp } from '../app.js';
import type { Scope } from '../http/api-keys.js';
import type { Purpose } from '../http/to-http-error.js';
import { componentsFor, schemaOf } from './components.js';
import { examples } from './examples.js';
import { problemTable } from '../http/problem-types.js';
import { linksOf } from './links.js';
import type { Operation } from './operation.js';
import { addRows, describeReport } from './other-forms.js';
import { headers, problemResponses, problemsOf, successHeaders } from './responses.js';

type OpenApi = Extract<
  Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0],
  { openapiObject: unknown }
>['openapiObject'];

/** What the document says of each operation beside its schemas. */
type Facts = {
  readonly purpose: Purpose;
  readonly scopes: readonly Scope[];
  readonly hasBody: boolean;
  readonly mayBeEmpty: boolean;
  /** Whether a field of the body or the query names what has to be there. */
  readonly namesOther: boolean;
};

const tags = [
  { name: 'payouts', description: 'Payouts by pix and bank transfer, one by one or in batches' },
  {
    name: 'orders',
    description: 'Charges of a credit card: with the card, by hosted checkout, by 3D Secure',
  },
  { name: 'refunds', description: 'Refunds of orders' },
  { name: 'cards', description: 'Cards in memory, for ten minutes at most' },
  { name: 'account validations', description: 'Validations of bank accounts' },
  { name: 'changes', description: 'What has changed since a moment, over all kinds of payments' },
  { name: 'webhooks', description: 'Notifications by webhook: what became of them, resending, a test' },
];

const description =
  'Card orders, refunds and payouts that never charge or pay twice. The `partner_code` is the idempotency key: each ' +
  'start is safe to send again, and after a timeout should be. Errors are `application/problem+json` (RFC 9457); ' +
  'programs decide by their `type`. New fields, statuses and types of problems may be added at any time.\n\n' +
  problemTable;

/** The operations of the scope that this is registered in, passed to the document as they are added. */
export class OpenApiDocument {
  readonly #operations = new Map<string, Facts>();

  /** The options of `@fastify/swagger`. */
  readonly options: FastifyDynamicSwaggerOptions = {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'durable-payments',
        version: '1',
        description,
        contact: { name: 'Whoever runs this gateway' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as { name: string },
      },
      servers: [{ url: '/', description: 'This gateway' }],
      tags,
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'A key of API_KEYS' },
        },
      },
    },
    transform: ({ schema, url }) => ({ schema: plainSchemas(schema), url }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('The document is not of OpenAPI.');
      return this.#complete(document.openapiObject);
    },
  };

  /** Takes up every route of a scope. Each needs an `operationId`. */
  describe(app: GatewayApp): void {
    app.addHook('onRoute', ({ config, schema }) => {
      if (schema === undefined || schema.hide === true) return;
      const { purpose = 'other', scopes = ['oms', 'operator'] } = config ?? {};
      const { operationId } = schema;
      if (operationId === undefined) throw new Error(`an operation has no id: ${schema.summary ?? ''}`);
      const { body, querystring } = schema;
      const mayBeEmpty = body instanceof z.ZodType && body.safeParse({}).success;
      this.#operations.set(operationId, {
        ...{ purpose, scopes, mayBeEmpty },
        hasBody: body !== undefined,
        namesOther: namesAnother(body) || namesAnother(querystring),
      });
    });
  }

  #complete(document: Partial<OpenApi>): Partial<OpenApi> {
    const bodies: unknown[] = [];
    const answers: unknown[] = [problemResponses];
    for (const path of Object.values(document.paths ?? {})) {
      for (const operation of Object.values(path ?? {})) {
        if (typeof operation !== 'object' || !('responses' in operation)) continue;
        const facts = this.#operations.get(operation.operationId ?? '');
        if (facts !== undefined) completeOperation(operation, facts);
        addRows(operation);
        describeReport(operation);
        bodies.push(operation.requestBody);
        answers.push(operation.responses);
      }
    }
    const schemas = { ...componentsFor(bodies, 'input'), ...componentsFor(answers, 'output') };
    for (const [name, schema] of Object.entries(schemas)) {
      if (examples[name] !== undefined) schema.examples = [examples[name]];
    }
    const responses = used(problemResponses, document.paths);
    return Object.assign(document, {
      components: {
        ...document.components,
        schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
        headers: used(headers, [document.paths, responses]),
        responses,
      },
    });
  }
}

/** Only what something refers to. */
function used<Part>(parts: Readonly<Record<string, Part>>, where: unknown): Record<string, Part> {
  const text = JSON.stringify(where);
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`/${name}"`)));
}

const waits: Partial<Record<Purpose, string>> = {
  start:
    '201: the service has answered, also when it refused; 202: not yet; 200: this very request started it before; 409: another payment has this code, and nothing was started.',
  read: 'Changes nothing.',
  command:
    'Answered once the payment has executed the command. A command that was answered with an error has no effect later, but for 500 and 503: then read the state first.',
};

function namesAnother(schema: unknown): boolean {
  return schema instanceof z.ZodObject && ['workflow_id', 'webhook'].some((name) => name in schema.shape);
}

function completeOperation(
  operation: Operation,
  { purpose, scopes, hasBody, mayBeEmpty, namesOther }: Facts,
): void {
  const { parameters = [], responses = {}, summary = '' } = operation;
  const takesWait = purpose === 'start' || parameters.some((parameter) => isNamed(parameter, 'until'));
  operation.description = [
    `${summary}.`,
    waits[purpose],
    `Takes a key with the scope ${scopes.join(' or ')}.`,
  ].join(' ');
  operation.security = [{ apiKey: [] }];
  if (hasBody) operation.requestBody = { ...operation.requestBody, required: !mayBeEmpty };
  if (takesWait) operation.parameters = [...parameters, prefer];
  const hasCode = namesOther || parameters.some((parameter) => isIn(parameter, 'path'));
  const links = linksOf(operation.operationId);
  const successes = Object.entries(responses).map(([status, response]) => [
    status,
    {
      ...response,
      description: meanings[status] ?? 'The answer',
      ...(links === undefined ? {} : { links }),
      headers: successHeaders(purpose === 'start'),
    },
  ]);
  operation.responses = {
    ...(Object.fromEntries(successes) as Record<string, object>),
    ...problemsOf(purpose, { hasBody, hasCode }),
  };
}

const meanings: Readonly<Record<string, string>> = {
  200: 'As it is now; of a start: this very request started it before',
  201: 'Started, and the service has answered',
  202: 'Started; the service has not answered yet',
};

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`wait=N`: answer once there is something to report (a GET up to two seconds later), after N seconds at most (30 at most)',
  schema: { type: 'string' },
  example: 'wait=2',
};

function isNamed(parameter: unknown, name: string): boolean {
  return (
    typeof parameter === 'object' && parameter !== null && 'name' in parameter && parameter.name === name
  );
}

function isIn(parameter: unknown, place: string): boolean {
  return typeof parameter === 'object' && parameter !== null && 'in' in parameter && parameter.in === place;
}

type RouteSchema = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transform']>>[0]['schema'];

/** A route's schemas as JSON Schemas, named ones by reference. */
function plainSchemas(schema: RouteSchema): RouteSchema {
  if (schema === undefined || schema === null) return schema;
  const { body, params, querystring, response, ...rest } = schema;
  const plain = (part: unknown) => (part instanceof z.ZodType ? schemaOf(part, 'input') : undefined);
  const answers = Object.entries((response ?? {}) as Record<string, unknown>).map(([status, answer]) => [
    status,
    answer instanceof z.ZodType ? schemaOf(answer, 'output') : answer,
  ]);
  return {
    ...rest,
    ...(body === undefined ? {} : { body: plain(body) }),
    ...(params === undefined ? {} : { params: plain(params) }),
    ...(querystring === undefined ? {} : { querystring: plain(querystring) }),
    ...(response === undefined ? {} : { response: Object.fromEntries(answers) }),
  };
}
