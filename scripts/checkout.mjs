import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A checkout of a commit, with today's packages and this one file of today, for as long as it is used. */
export async function withCheckout(commit, file, use) {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-'));
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    git('worktree', 'add', '--detach', dir, commit);
    await symlink(await realpath(join(root, 'node_modules')), join(dir, 'node_modules'));
    await cp(join(root, file), join(dir, file));
    return await use(`${dir}/`);
  } finally {
    git('worktree', 'remove', '--force', dir);
    await rm(dir, { recursive: true, force: true });
  }
}
