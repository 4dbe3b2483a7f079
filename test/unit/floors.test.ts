/**
 * The floors of the house: a file imports from its own folder and from floors below it, types included, and no files
 * import each other in a circle. ARCHITECTURE.md draws them.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** From the ground up. Folders that share a line stand side by side and know nothing of each other. */
const FLOORS = [
  ['src/generated'],
  ['src/api'],
  ['src/util'],
  ['src/shapes'],
  ['src/bvh'],
  ['src/records'],
  ['src/broad-phase'],
  ['src/request'],
  ['src/cpu', 'src/gpu'],
  ['src/capture'],
  ['src/dimension'],
  ['src/parts'],
  ['src/tester'],
  ['src/node'],
  ['src'],
  ['verification', 'scripts'],
  ['cli/scene'],
  ['cli'],
  ['bench', 'demos', 'test'],
];

/** The folder of `FLOORS` that a file is in. */
function floorOf(file: string): number {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const floor = FLOORS.findIndex((folders) => folders.includes(folder));
    if (floor >= 0) return floor;
  }
  throw new Error(`${file} is on no floor`);
}

function folderOf(file: string): string {
  const folders = FLOORS[floorOf(file)];
  return folders.find((folder) => file.startsWith(`${folder}/`))!;
}

interface Node {
  type?: string;
  source?: { value?: unknown } | null;
}

/** Files that a file names in imports and exports, with and without types, static and dynamic, and in types. */
function filesNamedIn(file: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const { type = '', source } = value as Node;
    if (/^(Import|Export|TSImportType)/.test(type) && typeof source?.value === 'string') found.push(source.value);
    Object.values(value).forEach(visit);
  };
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }));
  return found
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, resolve(root, dirname(file), specifier)));
}

const files = ['src', 'verification', 'cli', 'bench', 'demos', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.includes('dist/'))
    .map((file) => join(folder, file)),
);
const named = new Map(files.map((file) => [file, filesNamedIn(file)]));
const imports = new Map([...named].map(([file, others]) => [file, others.filter((other) => other.endsWith('.ts'))]));

test('imports go down', () => {
  const upward: string[] = [];
  for (const [file, others] of imports) {
    for (const other of others) {
      const isAllowed = folderOf(file) === folderOf(other) || floorOf(other) < floorOf(file);
      if (!isAllowed) upward.push(`${file} imports ${other}`);
    }
  }
  expect(upward).toEqual([]);
});

test('no files import each other in a circle', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' > '));
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const other of imports.get(file) ?? []) visit(other);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  expect(circles).toEqual([]);
});

test('what ships imports neither tests nor benchmarks', () => {
  const shipped = files.filter((file) => /^(src|verification|cli)\//.test(file));
  expect(shipped.length).toBeGreaterThan(200);
  for (const file of shipped) {
    expect(
      imports.get(file)!.filter((other) => /^(test|bench)\//.test(other)),
      file,
    ).toEqual([]);
  }
});

test('tests, benchmarks and demos know nothing of each other, data included', () => {
  const tops = FLOORS[FLOORS.length - 1];
  const topOf = (file: string): string | undefined => tops.find((folder) => file.startsWith(`${folder}/`));
  const across: string[] = [];
  for (const [file, others] of named) {
    const own = topOf(file);
    if (own === undefined) continue;
    for (const other of others) if (![undefined, own].includes(topOf(other))) across.push(`${file} names ${other}`);
  }
  expect(across).toEqual([]);
});

test('src has at most six loose files', () => {
  expect(readdirSync(join(root, 'src')).filter((file) => file.endsWith('.ts')).length).toBeLessThanOrEqual(6);
});

test('no line is longer than 140 characters', () => {
  const long = ['bench', 'cli', 'demos', 'scripts', 'shaders', 'src', 'test', 'verification'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs|wgsl)$/.test(file) && !file.startsWith('generated/'))
      .flatMap((file) => {
        const lines = readFileSync(join(root, folder, file), 'utf8').split('\n');
        return lines.flatMap((line, i) => (line.length > 140 ? [`${folder}/${file}:${i + 1}`] : []));
      }),
  );
  expect(long).toEqual([]);
});
