import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { codeBlocks, documents, root } from './markdown.js';

const examples = documents().flatMap((document) => codeBlocks(document, 'ts'));

test('every TypeScript example compiles against the project, as strictly as the project itself', () => {
  expect(examples.length).toBeGreaterThan(0);
  const files = new Map(examples.map(({ code }, index) => [join(root, `example-${String(index)}.ts`), code]));
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    noEmit: true,
    paths: {
      'durable-payments-client': [join(root, 'src/client.ts')],
      'durable-payments-client/nexus': [join(root, 'src/nexus.ts')],
    },
  };
  const program = ts.createProgram([...files.keys()], options, hostWith(files, options));
  const faults = [...files.keys()].flatMap((name, index) => {
    const source = program.getSourceFile(name);
    return ts
      .getPreEmitDiagnostics(program, source)
      .map(
        ({ messageText }) =>
          `${String(examples[index]?.at)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
  });
  expect(faults).toEqual([]);
});

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root).options;
}

/** The files of the disk, and these beside them. */
function hostWith(files: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (name) => files.has(name) || host.fileExists(name),
    readFile: (name) => files.get(name) ?? host.readFile(name),
    getSourceFile: (name, language, ...rest) => {
      const text = files.get(name);
      return text === undefined
        ? host.getSourceFile(name, language, ...rest)
        : ts.createSourceFile(name, text, language);
    },
  };
}
