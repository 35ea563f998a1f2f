// What the requests of a route are made of: its limits and schemas as the running gateway reports them, its example
// as the OpenAPI document has it. A shape is all that the search knows of a route.

/** The shapes of all routes. Fails when the document has a route that the gateway did not report. */
export function shapesOf({ headerBytes, routes }, document) {
  const operations = new Map();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      operations.set(`${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`, operation);
  const unknown = [...operations.keys()].filter((route) => !routes.some((each) => each.route === route));
  if (unknown.length > 0) throw new Error(`The gateway has no such routes: ${unknown.join(', ')}`);
  return routes.map(({ route, bodyBytes, types, body, query }) => {
    const operation = operations.get(route) ?? {};
    const parameters = operation.parameters ?? [];
    return {
      ...{ route, bodyBytes, headerBytes, types },
      example: exampleOf(operation, document),
      fields: [...fieldsOf(body)],
      params: [...route.matchAll(/:(\w+)/g)].map(([, name]) => name),
      query: Object.keys(query.properties ?? {}),
      headers: parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
    };
  });
}

/** A valid body; an empty one where the document has none. */
function exampleOf({ requestBody }, document) {
  const json = requestBody?.content?.['application/json'];
  const schema = resolved(json?.schema ?? {}, document);
  return json?.example ?? schema.examples?.[0] ?? schema.example ?? {};
}

function resolved(schema, document) {
  if (schema.$ref === undefined) return schema;
  return schema.$ref
    .split('/')
    .slice(1)
    .reduce((part, name) => part[name], document);
}

/** Each field by its path, `*` for any element of an array, with its type and the longest text that it takes. */
export function* fieldsOf(schema, path = '') {
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* fieldsOf(choice, path);
  const inner = (name) => (path === '' ? name : `${path}.${name}`);
  if (path !== '') {
    const isOpen = typeof schema.additionalProperties === 'object';
    yield { path, type: schema.type, most: schema.maxLength, isOpen };
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* fieldsOf(field, inner(name));
  if (schema.items !== undefined) yield* fieldsOf(schema.items, inner('*'));
}
