/** Calls of a gateway, as an order-management service makes them. */
export function httpOf(url, apiKey) {
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      // An answer may be lost on the way, and then never comes.
      signal: AbortSignal.timeout(40_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && !path.endsWith('/report');
    return { status: answer.status, text, body: isJson ? JSON.parse(text) : undefined };
  };
}
