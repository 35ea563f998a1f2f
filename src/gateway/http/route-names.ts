/** Names a route as it was registered. The codec's path may be a secret, so it goes by another name. */
export function routeNames(codecPath: string | undefined): (url: string | undefined) => string {
  return (url) => {
    if (url === undefined) return '(none)';
    return codecPath !== undefined && url.startsWith(codecPath)
      ? `/codec${url.slice(codecPath.length)}`
      : url;
  };
}
