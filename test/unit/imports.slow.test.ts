/**
 * Who imports whom: the CPU mirror knows nothing of the GPU, browsers get nothing of Node, every mirror has its shader.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packages that the build takes into the bundle: development dependencies without dependencies of their own. */
const BUNDLED = ['robust-predicates'];

interface Node {
  type: string;
  source?: { value: unknown } | null;
  importKind?: string;
  exportKind?: string;
  [field: string]: unknown;
}

interface Import {
  specifier: string;
  isType: boolean;
}

/** Of each file that was parsed. */
const knownImports = new Map<string, Import[]>();

/** Every module that a file names: imports and exports, with and without types, static and dynamic. */
function importsOf(file: string): Import[] {
  const known = knownImports.get(file);
  if (known) return known;
  const found: Import[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    const { source } = node;
    if (/^(Import|Export)/.test(node.type ?? '') && source) {
      const specifier = source.value;
      if (typeof specifier !== 'string') throw new Error(`${file} imports something worked out at run time`);
      found.push({ specifier, isType: node.importKind === 'type' || node.exportKind === 'type' });
    }
    for (const [field, child] of Object.entries(node)) if (field !== 'source') visit(child);
  };
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }));
  knownImports.set(file, found);
  return found;
}

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(root, folder, file));
}

/** Files that `entry` loads, itself first, and the packages that they import. */
function graphOf(entry: string, includeTypes: boolean): { files: string[]; packages: string[] } {
  const files = new Set([join(root, entry)]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { specifier, isType } of importsOf(file)) {
      if (isType && !includeTypes) continue;
      if (specifier.startsWith('.')) files.add(resolve(dirname(file), specifier));
      else if (!BUNDLED.includes(specifier)) packages.add(specifier);
    }
  }
  return { files: Array.from(files, (file) => relative(root, file)), packages: [...packages] };
}

const sources = ['src', 'cli', 'verification'].flatMap((folder) => filesUnder(folder, '.ts'));

test('what is bundled is no dependency of those who install the package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string> | undefined
  >;
  expect(manifest.dependencies ?? {}).toEqual({});
  for (const name of BUNDLED) expect(manifest.devDependencies).toHaveProperty(name);
});

test('the parser sees every kind of import', () => {
  const dawn = importsOf(join(root, 'src/node/dawn.ts'));
  expect(dawn).toContainEqual({ specifier: 'webgpu', isType: false });
  expect(dawn).toContainEqual({ specifier: '../request/backend.ts', isType: true });
  const node = importsOf(join(root, 'src/node.ts'));
  expect(node).toContainEqual({ specifier: './tester/create-tester.ts', isType: false });
  expect(node).toContainEqual({ specifier: './api/types.ts', isType: false });
});

test('relative imports name files that exist', () => {
  const missing = sources.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => specifier.startsWith('.') && !existsSync(resolve(dirname(file), specifier)))
      .map(({ specifier }) => `${file}: ${specifier}`),
  );
  expect(missing).toEqual([]);
});

describe('the CPU mirror', () => {
  test('imports nothing from the GPU, not even types, directly or through others', () => {
    for (const file of filesUnder('src/cpu', '.ts')) {
      const { files, packages } = graphOf(relative(root, file), true);
      expect(
        files.filter((other) => other.startsWith('src/gpu/') || other.startsWith('src/generated/kernel')),
        file,
      ).toEqual([]);
      expect(packages, file).toEqual([]);
    }
  });

  test('narrowphase/cpu loads no GPU code', () => {
    const { files } = graphOf('src/cpu.ts', false);
    expect(files).toContain('src/cpu/gjk.ts');
    expect(files.filter((file) => file.includes('/gpu/'))).toEqual([]);
  });
});

describe('what browsers load', () => {
  test.each(['src/index.ts', 'src/cpu.ts', 'src/cpu/threads/worker.ts', 'src/wgsl.ts'])(
    '%s needs no package and nothing of Node',
    (entry) => {
      const { files, packages } = graphOf(entry, false);
      expect(files.length).toBeGreaterThan(1);
      expect(packages).toEqual([]);
      expect(files).not.toContain('src/node/vulkan.ts');
    },
  );

  test('importing the package touches no global', async () => {
    const before = Object.getOwnPropertyNames(globalThis).sort();
    await import('../../src/index.ts');
    await import('../../src/wgsl.ts');
    expect(Object.getOwnPropertyNames(globalThis).sort()).toEqual(before);
  });
});

function functionsOf(file: string): string[] {
  const pattern = file.endsWith('.wgsl') ? /^fn (\w+)\(/gm : /^(?:export )?function (\w+)[(<]/gm;
  return Array.from(readFileSync(file, 'utf8').matchAll(pattern), (match) => match[1]);
}

describe('what mirrors what', () => {
  /** Mirrors whose file stands elsewhere than its shader, or that mirror several. */
  const SHADERS: Record<string, string[]> = {
    math: ['shared/math'],
    pair: ['shared/pair'],
    support: ['shared/support', 'shared/support-of-polytope'],
    curved: ['shared/curved'],
    'queries/result': ['shared/results', 'queries/contacts/result', 'queries/distances/result'],
    'queries/contacts': [
      'queries/contacts/closed',
      'queries/contacts/gjk',
      'queries/contacts/epa',
      'queries/contacts/compact-epa',
      'queries/contacts/arcs-normal',
      'queries/contacts/arcs-points',
      'queries/contacts/refine',
      'queries/contacts/outside',
    ],
    'queries/distances': ['queries/distances/closed', 'queries/distances/newton', 'queries/distances/gjk'],
    'queries/intersects': ['queries/intersects/closed', 'queries/intersects/gjk'],
    'queries/manifolds': ['queries/manifolds/contact'],
    'queries/motion': ['queries/impacts/motion'],
    'planar/queries/result': ['planar/results'],
    'planar/queries/motion': ['planar/queries/impacts/motion'],
    'planar/queries/impacts': [
      'planar/queries/impacts/linear',
      'planar/queries/impacts/rotating',
      'planar/queries/impacts/result',
    ],
    'queries/impacts': [
      'queries/impacts/linear',
      'queries/impacts/closed',
      'queries/impacts/rotating',
      'queries/impacts/result',
    ],
  };
  /** Quicker forms of an algorithm for some pairs: its mirror is theirs. */
  const QUICKER: Record<string, string> = {
    'box-manifold': 'manifold',
    'compact-epa': 'epa',
    'compact-polytope': 'polytope',
  };
  /**
   * What no kernel has: the CPU backend's own frame, searches over parts, and the trace of a search; and parts of `arcs` and
   * `triangle-intersection`, which depart from their shaders and say so.
   */
  const WITHOUT_SHADER = [
    'arcs/known',
    'arcs/search',
    'arcs/witness',
    'triangle-intersection/coplanar',
    'triangle-intersection/meeting',
    'triangle-intersection/precise',
    'triangle-intersection/predicates',
    'recorder',
    'trace',
    'one-pair',
    'backend',
    'options',
    'planar/one-pair',
    'planar/arguments',
    'planar/recorder',
    'planar/reference',
    'planar/trace',
    'planar/motion',
    'answer-pair',
    'answer-pairs',
    'asked-pairs',
    'planar/answer-pair',
    'write-record',
    'warm-ids',
  ];
  const FOLDERS_WITHOUT_SHADERS = /^(planar\/trace|parts|threads|trace)\//;

  const mirrors = filesUnder('src/cpu', '.ts')
    .map((file) => relative(join(root, 'src/cpu'), file).replace(/\.ts$/, ''))
    .filter((name) => !WITHOUT_SHADER.includes(name) && !FOLDERS_WITHOUT_SHADERS.test(name));
  const shadersOf = (name: string): string[] =>
    (SHADERS[name] ?? [name]).map((shader) => join(root, 'shaders', `${shader}.wgsl`));

  test.each(mirrors)('%s has its shader, and says so', (name) => {
    for (const shader of shadersOf(name)) expect(existsSync(shader), shader).toBe(true);
    expect(readFileSync(join(root, 'src/cpu', `${name}.ts`), 'utf8')).toMatch(
      /^\/\*\*\s+(\* )?Mirror of (the records in )?shaders\//,
    );
  });

  test('every algorithm in shaders/ has its mirror', () => {
    const algorithms = readdirSync(join(root, 'shaders'))
      .filter((file) => file.endsWith('.wgsl'))
      .map((file) => file.replace(/\.wgsl$/, ''));
    expect(algorithms).toContain('gjk');
    expect(algorithms.filter((name) => !mirrors.includes(QUICKER[name] ?? name))).toEqual([]);
  });

  test('every algorithm in shaders/planar has its mirror', () => {
    const algorithms = readdirSync(join(root, 'shaders/planar'))
      .filter((file) => file.endsWith('.wgsl'))
      .map((file) => file.replace(/\.wgsl$/, ''));
    expect(algorithms).toContain('gjk');
    const records = ['shapes', 'results', 'read-results'];
    expect(algorithms.filter((name) => !records.includes(name) && !mirrors.includes(`planar/${name}`))).toEqual([]);
  });

  // Kernels of tests count too.
  const kernels = [...filesUnder('shaders', '.wgsl'), ...filesUnder('test/kernels', '.wgsl')].map((file) =>
    readFileSync(file, 'utf8'),
  );

  test.each(mirrors.filter((name) => !name.includes('queries/')))(
    'functions of %s that the shader exports to others have their names',
    (name) => {
      const [shader] = shadersOf(name);
      const path = relative(join(root, 'shaders'), shader)
        .replace(/\.wgsl$/, '')
        .replaceAll('/', '::');
      const imported = new Set(
        kernels.flatMap((text) =>
          [...text.matchAll(new RegExp(`import package::${path}::\\{([^}]*)\\}`, 'g'))].flatMap((match) =>
            match[1].split(',').map((word) => word.trim()),
          ),
        ),
      );
      const shared = functionsOf(shader).filter((fn) => imported.has(fn) && !ONLY_IN_WGSL.has(fn));
      const mirrored = functionsOf(join(root, 'src/cpu', `${name}.ts`));
      expect(shared.length).toBeGreaterThan(0);
      expect(shared.filter((fn) => !mirrored.includes(fn))).toEqual([]);
    },
  );
});

/**
 * What the mirror has no use for: bits of f32, supports that come with their positions, packed numbers and planes
 * computed again to save memory, a start that shares its support with the search, validation that the host did before,
 * candidates kept in vectors, records put together from several arrays (`cornerAt`, `idsOf`), numbers that are loaded
 * once instead of at each use (`rankOfName`, `areaBeside`, `firstVertex`), pairs that don't change, rotations by
 * quaternions, which take fewer registers than matrices, and sines that can be relied on (`cosineAndSine`,
 * `turnedBySixth`). `cellOf` is in `src/shapes/polygon.ts`, `ellipsoidBall` in `src/shapes/ellipsoid.ts`.
 */
const ONLY_IN_WGSL = new Set([
  'cellOf',
  'ellipsoidBall',
  'isCurved',
  'supportVertex',
  'isFinite',
  'isFinite3',
  'isFiniteFrom',
  'isPositiveUpTo',
  'isWithin',
  'isWithin3',
  'scaleToUnit',
  'inversePowerOfTwo',
  'pack',
  'unpack',
  'positionOf',
  'cornersOf',
  'planeOf',
  'startFaces',
  'idOf',
  'isValidBody',
  'farther',
  'rankOfName',
  'areaBeside',
  'firstVertex',
  'chosenPoints',
  'movedBy',
  'conjugate',
  'rotated',
  'worldRotation',
  'toWorld',
  'fromWorld',
  'cosineAndSine',
  'turnedBySixth',
  'unitAxis',
  'cornerAt',
  'idsOf',
]);
