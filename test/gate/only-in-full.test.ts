import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onlyInFull } from '../only-in-full.js';

const isTest = (name: string) => existsSync(`test/${name}.test.ts`);

test.each(Object.entries(onlyInFull))(
  '%s is there, and so is what protects the same in every run',
  (name, protection) => {
    expect(isTest(name)).toBe(true);
    const others = protection.match(/[\w-]+\/[\w./-]+/g) ?? [];
    expect(others).not.toEqual([]);
    expect(others.filter((other) => !isTest(other) || other in onlyInFull)).toEqual([]);
  },
);
