import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * The compiled files that others reach by their imports, of code and of types, or load by a URL beside them, with their
 * source maps; and the packages that they import, with the files that do.
 *
 * @param {string[]} entries paths of `.js` and `.d.ts` files
 * @returns {{ files: string[], packages: Map<string, string[]> }}
 */
export function reachedFrom(entries) {
  const files = new Set(entries);
  const packages = new Map();
  // A set also shows what is added to it while it is iterated.
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const name of importsOf(text)) {
      if (name.startsWith('.')) files.add(targetOf(file, name));
      else if (!name.startsWith('node:')) {
        const wanted = packageOf(name);
        packages.set(wanted, [...(packages.get(wanted) ?? []), file]);
      }
    }
    for (const [, name] of text.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)) {
      files.add(join(dirname(file), name));
    }
  }
  const maps = [...files].map((file) => `${file}.map`).filter((map) => existsSync(map));
  return { files: [...files, ...maps], packages };
}

function importsOf(text) {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** What is named `./x.js` in a `.d.ts` is `./x.d.ts`. */
function targetOf(file, name) {
  const path = join(dirname(file), name);
  return file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path;
}

function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
