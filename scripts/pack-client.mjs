// `npm run pack:client`: packs the TypeScript client alone, as durable-payments-client. It holds those files of dist/
// that the client reaches, and depends on the packages that they import. The tarball is written here, or into the
// directory given; its path is printed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { reachedFrom } from './reached-files.mjs';

/** What it exports, by the name of the file in dist/src: the client, and what workflows call by Nexus. */
const exported = { '.': 'client', './nexus': 'nexus' };
/** A hundred functions in 8 MB, of which the client needs three: these are written into the files that import it. */
const inlined = '@brazilian-utils/brazilian-utils';

const root = fileURLToPath(new URL('..', import.meta.url));
const destination = resolve(process.argv[2] ?? '.');
const staged = mkdtempSync(join(tmpdir(), 'durable-payments-client-'));
try {
  const entries = Object.values(exported).flatMap((name) =>
    ['js', 'd.ts'].map((ending) => join(root, `dist/src/${name}.${ending}`)),
  );
  const { files, packages } = reachedFrom(entries);
  for (const file of files) cpSync(file, inPackage(file));
  for (const file of new Set(packages.get(inlined))) await inline(file);
  cpSync(join(root, 'node_modules', inlined, 'LICENSE'), join(staged, 'licenses', inlined, 'LICENSE'));
  packages.delete(inlined);
  const manifest = manifestWith([...packages.keys()].sort());
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(staged, 'README.md'), readme());
  const args = ['pack', '--silent', '--pack-destination', destination];
  console.log(join(destination, execFileSync('npm', args, { cwd: staged, encoding: 'utf8' }).trim()));
} finally {
  rmSync(staged, { recursive: true });
}

function inPackage(file) {
  return join(staged, relative(root, file));
}

/** Its other imports stay as they are. */
async function inline(file) {
  const external = (name, importer, isResolved) =>
    !isResolved && importer === file && !name.startsWith(inlined);
  const bundle = await rolldown({ input: file, cwd: root, platform: 'node', external });
  const { output } = await bundle.generate({ file, format: 'esm' });
  await bundle.close();
  const [{ code }, ...others] = output;
  if (others.length > 0) throw new Error(`${inlined} can not be written into one file.`);
  writeFileSync(inPackage(file), code);
  rmSync(inPackage(`${file}.map`));
}

function manifestWith(packages) {
  const {
    name,
    version,
    private: unpublished,
    license,
    type,
    engines,
    dependencies,
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const missing = packages.filter((wanted) => dependencies[wanted] === undefined);
  if (missing.length > 0) throw new Error(`package.json lacks ${missing.join(', ')}.`);
  return {
    name: `${name}-client`,
    version,
    description: 'Starts, finds, reads and commands the payments of durable-payments.',
    ...{ private: unpublished, license, type, engines },
    exports: {
      ...Object.fromEntries(Object.entries(exported).map(([path, name]) => [path, entry(name)])),
      './package.json': './package.json',
    },
    files: ['dist', 'licenses'],
    dependencies: Object.fromEntries(packages.map((wanted) => [wanted, dependencies[wanted]])),
  };
}

function entry(name) {
  return { types: `./dist/src/${name}.d.ts`, default: `./dist/src/${name}.js` };
}

/** What the README of the project says of the client. */
function readme() {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const [, section] = /^### From TypeScript\n(.*?)^#{1,3} /ms.exec(text) ?? [];
  if (section === undefined) throw new Error('README.md lacks the section "From TypeScript".');
  return `# durable-payments-client\n${section.trimEnd()}\n`;
}
