/** The measurements' own kernels, which no build links: they still import what the package's shaders declare. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: scripts have no types
import { linkModules as linkUntyped } from '../../scripts/shaders/link.mjs';

const linkModules = linkUntyped as (folder: string, path: string) => Map<string, string>;

const ROOT = join(import.meta.dirname, '../..');
const paths = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.wgsl'))
  .map((path) => path.replace(/\.wgsl$/, ''));

test('there are some', () => {
  expect(paths).not.toEqual([]);
});

test.each(paths)('bench/%s.wgsl links', (path) => {
  const module = `../bench/${path}`;
  const modules = linkModules(join(ROOT, 'shaders'), module);
  expect([...modules.keys()].at(-1)).toBe(module);
});
