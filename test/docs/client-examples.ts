/** What runs the examples of docs/clients; clients.test.ts knows these programs. */
export const runners = ['python3', '.venv/bin/pip', '.venv/bin/python', 'node', 'go', 'mvn', 'java'];

/** The file of an example, in docs/clients, that a command runs; undefined when it runs none. */
export function exampleRunBy([program, ...args]: readonly string[]): string | undefined {
  const [first = '', second = '', third = ''] = args;
  switch (program) {
    case '.venv/bin/python':
      return `python/${first}`;
    case 'node':
      return `typescript/${first.replace(/^dist\/(.*)\.js$/, '$1.ts')}`;
    case 'go':
      return `go/${second}/main.go`;
    case 'java':
      return `java/src/main/java/${third}.java`;
    default:
      return undefined;
  }
}
