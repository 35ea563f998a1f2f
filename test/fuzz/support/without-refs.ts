/** A JSON document with whatever its references lead to in their place. It must not lead to itself. */
export function withoutRefs(document: unknown): unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') return resolve(at(value.$ref));
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part)]));
  };
  const at = (ref: string): unknown =>
    ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document);
  return resolve(document);
}
