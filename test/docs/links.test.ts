import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchors, documents, prose, root, textOf } from './markdown.js';

const testFiles = new Set(
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
);

describe.each(documents())('%s', (document) => {
  test('links to files and headings that are there', () => {
    const links = [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !link.startsWith('https://') && !leadsSomewhere(document, link))).toEqual(
      [],
    );
  });

  test('names files that are there', () => {
    const named = [
      ...prose(document).matchAll(
        /`((?:src|activities|workflows|docs|test|scripts|deploy|\.ci)\/[\w./-]+)`/g,
      ),
    ].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const tests = [...prose(document).matchAll(/`([\w-]+(?:\.\w+)?\.test\.ts)`/g)].map(
      ([, name = '']) => name,
    );
    expect(tests.filter((name) => !testFiles.has(name))).toEqual([]);
  });

  test('cites no section of a document that is not here', () => {
    expect(textOf(document)).not.toContain('§');
  });
});

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, document) : join(root, dirname(document), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchors(relative(root, target)).includes(anchor);
}
