import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One import or re-export of a source file. */
export type Import = {
  readonly file: string;
  /** A package, `node:…`, or the path of a file of ours from the root. */
  readonly of: string;
  readonly typesOnly: boolean;
};

/** The source files under these folders, by their paths from the root. */
export function sourceFiles(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|cjs|js)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
}

export function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** Everything that a file imports: by import, export … from, import(), import() types and require(). */
export function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typesOnly: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    const of = text.startsWith('.')
      ? relative(ROOT, join(ROOT, file, '..', text)).replace(/\.js$/, '.ts')
      : text;
    found.push({ file, of, typesOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypesOnly(node.importClause));
    else if (ts.isExportDeclaration(node))
      add(node.moduleSpecifier, node.isTypeOnly || areTypes(node.exportClause));
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (ts.isCallExpression(node) && isImportCall(node)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(parsed(file));
  return found;
}

function isImportCall({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  );
}

function isTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  return clause.name === undefined && areTypes(clause.namedBindings);
}

function areTypes(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return false;
  const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = [...bindings.elements];
  return elements.length > 0 && elements.every(({ isTypeOnly }) => isTypeOnly);
}
