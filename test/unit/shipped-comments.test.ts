/** What the package ships to editors: doc comments, and the layouts for shaders. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { layouts, planarResultsWgsl, planarShapesWgsl, raysWgsl, resultsWgsl, shapesWgsl } from '../../src/wgsl.ts';

test('doc comments link to addresses: the package has no docs', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
    .map((file) => `src/${file}`);
  expect(files.length).toBeGreaterThan(50);
  const relative = /(?<![\w/.-])(?:\.{1,2}\/)*docs\/[\w/-]*\.md|\]\((?!https:|#)[^)]*\)/;
  const found = files.filter((file) => {
    const comments = readFileSync(file, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
    return comments.some((comment) => relative.test(comment));
  });
  expect(found).toEqual([]);
});

test('the layouts of narrowphase/wgsl are those of its structs', () => {
  const text = [resultsWgsl, shapesWgsl, planarResultsWgsl, planarShapesWgsl, raysWgsl].join('\n');
  const structs = new Set(Array.from(text.matchAll(/^struct (\w+)/gm), ([, name]) => name));
  // Cores are in no buffer.
  for (const name of ['Core', 'PlanarCore']) structs.delete(name);
  expect(Object.keys(layouts).sort()).toEqual([...structs].sort());
});
