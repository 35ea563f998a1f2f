type Address = { readonly host: string; readonly port: number };

/** Why nothing could listen there, by the error of a server. */
export function listenWords(error: unknown, { host, port: number }: Address): string {
  const port = String(number);
  const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
  switch (code) {
    case 'EADDRINUSE':
      return `The port ${port} is taken. Stop the program that has it, or set GATEWAY_PORT to another.`;
    case 'EACCES':
      return `This user may not listen on the port ${port}. Set GATEWAY_PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Set GATEWAY_HOST to one, or to 0.0.0.0 for all of them.`;
    default:
      return `Nothing can listen on ${host}, port ${port} (${String(code)}). Set GATEWAY_HOST and GATEWAY_PORT to others.`;
  }
}
