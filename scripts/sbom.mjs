// `npm run sbom`: what runs in production, as CycloneDX. `npm sbom --omit dev` leaves out what development needs as
// well, zod for one; so npm is asked about a project that has nothing of development in it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const manifest = { ...read('package.json'), devDependencies: undefined };
const lock = read('package-lock.json');
const production = Object.entries(lock.packages).flatMap(([path, entry]) =>
  entry.dev || entry.devOptional ? [] : [[path, { ...entry, devDependencies: undefined }]],
);

const temporary = mkdtempSync(join(tmpdir(), 'sbom-'));
// npm names the project by its directory.
const dir = join(temporary, manifest.name);
try {
  mkdirSync(dir);
  const write = (name, content) => writeFileSync(join(dir, name), JSON.stringify(content));
  write('package.json', manifest);
  write('package-lock.json', { ...lock, packages: Object.fromEntries(production) });
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  process.exitCode = spawnSync('npm', args, { cwd: dir, stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(temporary, { recursive: true });
}
