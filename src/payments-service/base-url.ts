/** Where the service is: its origin, and the path that every address there begins with. */
export type BaseUrl = { origin: string; pathPrefix: string };

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads the base URL of the service: https, or http on this machine.
 *
 * @throws Error in words for whoever configured it
 */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined) throw new Error('The base URL of the payments service is not a URL.');
  const encrypted = url.protocol === 'https:';
  if (!encrypted && !(url.protocol === 'http:' && loopback.test(url.hostname))) {
    throw new Error(
      'The base URL of the payments service must be https, or http on loopback: cards go there.',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('The base URL of the payments service must not have credentials, a query or a fragment.');
  }
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') };
}
