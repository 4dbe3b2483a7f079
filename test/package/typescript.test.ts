/**
 * The package's declarations in strict projects of each version of TypeScript, our declarations checked too: the
 * recipe of docs/getting-started.md, which libraries of types a project needs, and how many errors a mistake makes.
 */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { readmeSample } from '../setup/readme.ts';
import { makeProject, pack, runTool, temporaryFolder } from './projects.ts';

const STRICTEST = ['dom-bundler', 'dom-nodenext', 'dom-node', 'neither-unchecked'] as const;

/** Packages of the compilers, and the types that each needs besides the DOM library. */
const ALL_COMPILERS = [
  { name: 'TypeScript 5.9', tool: 'typescript-5.9', types: ['@webgpu/types'] },
  { name: 'TypeScript 6', tool: 'typescript-6', types: [] },
  { name: 'TypeScript 7', tool: 'typescript', types: [] },
];
/** In CI only version 7: those before it take seconds per project. */
const compilers = atNight(ALL_COMPILERS.slice(-1), ALL_COMPILERS);

/** A consumer of all entries that names nothing of the DOM but devices and signals. */
const consumer = `
import { createTester, NarrowphaseError, type Batch, type Contacts, type Tester } from 'narrowphase';
import { createTester as createNodeTester } from 'narrowphase/node';
import { contact, createShape, planar, type CpuContact } from 'narrowphase/cpu';
import { layouts, resultsWgsl } from 'narrowphase/wgsl';
const tester: Tester = await createTester({ backend: 'cpu' });
const plane = await createNodeTester({ dimension: 2, backend: 'cpu' });
const box = tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
const quaternions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1);
const bodies = { shapes: Uint32Array.of(box, box), positions: new Float32Array(6), quaternions };
const { signal } = new AbortController();
const contacts: Contacts = await tester.contacts(bodies, await tester.findPairs(bodies), { bounds: true, signal });
export const heights: number[] = [...contacts].map(({ distance, normal }) => distance * normal[1]);
// @ts-expect-error: there may be no such element.
export const first: number = contacts.distance[0];
// @ts-expect-error: an option that is left out is not one that is undefined.
await tester.contacts(bodies, Uint32Array.of(0, 1), { margin: undefined });
// @ts-expect-error: the types of WebGPU are there.
await createTester({ device: 5 });
const heightsAlone = await tester.contacts(bodies, Uint32Array.of(0, 1), { fields: ['distance', 'normal'] });
export const [{ distance, normal }] = [...heightsAlone] as [{ distance: number; normal: [number, number, number] }];
// @ts-expect-error: it is not in the list.
export const missing = heightsAlone.pair;
const sphere = createShape({ type: 'sphere', radius: 1 });
const pose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
export const found: CpuContact = contact(sphere, pose, sphere, pose);
export const batch: Batch<Contacts> = await tester.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 });
const circle = planar.createShape({ type: 'circle', radius: 1 });
export const others = [plane.dimension, circle, layouts.Contact.size, resultsWgsl, NarrowphaseError] as const;
`;

type Resolution = 'Bundler' | 'NodeNext';

/** The strictest projects. */
const strictest = (resolution: Resolution, lib: string[], types: string[], skipLibCheck = false): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: resolution === 'Bundler' ? 'ESNext' : resolution,
      moduleResolution: resolution,
      lib: ['ES2022', ...lib],
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck,
      noEmit: true,
    },
    include: ['strict'],
  });

/** What `createTester` gives, by its type. Every line has to compile. */
const right = `
import { createTester, type PlanarTester, type Tester, type TesterOptions } from 'narrowphase';
import { createTester as createNodeTester } from 'narrowphase/node';
export const space: Tester[] = [
  await createTester(),
  await createTester({}),
  await createTester({ backend: 'cpu' }),
  await createTester({ dimension: 3 }),
  await createNodeTester(),
];
export const plane: PlanarTester[] = [await createTester({ dimension: 2 }), await createNodeTester({ dimension: 2, backend: 'cpu' })];
const options: TesterOptions = { backend: 'cpu' };
export const either = await createTester(options);
if (either.dimension === 2) either.addShape({ type: 'circle', radius: 1 });
else either.addShape({ type: 'sphere', radius: 1 });
// @ts-expect-error: its dimension is not known.
export const one: Tester = either;
`;

/** Options with one mistake each, of testers of space and of the plane, and the column of the mistake in its line. */
const mistakes: [options: string, isPlanar: boolean][] = [
  ["{ backend: 'gpu' }", false],
  ["{ bakend: 'cpu' }", false],
  ['{ dimension: 4 }', false],
  ["{ dimension: '2' }", false],
  ['{ device: 5 }', false],
  ["{ powerPreference: 'high' }", false],
  ['{ onDeviceLost: 5 }', false],
  ["{ dimension: 2, backend: 'gpu' }", true],
  ["{ powerPreference: 'high', dimension: 2 }", true],
  ['{ dimension: 2, gpu: 5 }', true],
];

/** Lists of fields with one mistake each, which stands at the given place. */
const lists: [query: string, list: string, mistake: string][] = [
  ['contacts', "['distance', 'normla']", "'normla'"],
  ['distances', "['featureA']", "'featureA'"],
  ['manifolds', "['pair', 'count', 'normal']", "'count'"],
  ['intersects', "'hit'", 'fields'],
];

/** Each mistake and a correct use of the tester behind it. */
const wrong = [
  "import { createTester } from 'narrowphase';",
  ...mistakes.map(([options, isPlanar], i) => {
    const shape = isPlanar ? "{ type: 'circle', radius: 1 }" : "{ type: 'sphere', radius: 1 }";
    return `const tester${i} = await createTester(${options}); export const shape${i}: number = tester${i}.addShape(${shape});`;
  }),
].join('\n');

const withList = (i: number, query: string): string =>
  `const result${i} = await tester.${query}(bodies, new Uint32Array(2), { fields: `;

/** The same with lists of fields. Each result is used as if it had all arrays. */
const wrongLists = [
  "import { createTester } from 'narrowphase';",
  'const tester = await createTester();',
  'const bodies = { shapes: new Uint32Array(1), positions: new Float32Array(3), quaternions: new Float32Array(4) };',
  ...lists.map(
    ([query, list], i) => `${withList(i, query)}${list} }); export const pair${i}: number = result${i}.pair[0];`,
  ),
].join('\n');

/** The lines and columns of the errors in what a compiler says, by file. */
function placesOf(message: string): Record<string, number[][]> {
  const places: Record<string, number[][]> = {};
  for (const [, file, line, column] of message.matchAll(/^(\S+)\((\d+),(\d+)\): error TS\d+/gm))
    (places[file] ??= []).push([Number(line), Number(column)]);
  return places;
}

const tsconfig = (types: string[]): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'Bundler',
      lib: ['ES2022', 'DOM'],
      types,
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ['right', 'wrong'],
  });

let folder: string;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder, 'project');
  const tarball = await pack(folder);
  const tools = compilers.map(({ tool }) => tool);
  await makeProject(project, tarball, [...tools, '@webgpu/types', '@types/node'], {
    'strict/consumer.ts': consumer,
    'right/testers.ts': right,
    'right/usage.ts': readmeSample('usage'),
    'right/browser.ts': readmeSample('browser'),
    'wrong/options.ts': wrong,
    'wrong/lists.ts': wrongLists,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(compilers)('$name', ({ tool, types }) => {
  const configs = {
    'dom-bundler': strictest('Bundler', ['DOM'], types),
    'dom-nodenext': strictest('NodeNext', ['DOM'], types),
    'dom-node': strictest('NodeNext', ['DOM'], [...types, 'node']),
    worker: strictest('Bundler', ['WebWorker'], types),
    neither: strictest('NodeNext', [], ['node']),
    'neither-unchecked': strictest('NodeNext', [], ['node', '@webgpu/types'], true),
    mistakes: tsconfig(types),
  };

  async function check(name: keyof typeof configs): Promise<void> {
    const file = `${tool}.${name}.json`;
    await writeFile(join(project, file), configs[name]);
    await runTool(project, tool, 'bin/tsc', ['-p', file, '--pretty', 'false']);
  }

  test.each(STRICTEST)('%s: the strictest project compiles', check);

  // `@webgpu/types` names elements of pages.
  if (types.length > 0)
    test('the library of workers will not do where it does not declare WebGPU', () =>
      expect(check('worker')).rejects.toThrow(/@webgpu\/types.*TS2552: Cannot find name 'HTMLImageElement'/));
  else test('the library of workers will do where it declares WebGPU', () => check('worker'));

  test('a project with neither library has to skip the check of libraries', () =>
    expect(check('neither')).rejects.toThrow(/narrowphase.*Cannot find name 'GPUBuffer'/));

  test('a mistake is one error, at its place; the recipe of docs/ and testers of both dimensions compile', async () => {
    const message = await check('mistakes').then(
      () => expect.fail('it compiled'),
      (error: Error) => error.message,
    );
    const options = mistakes.map(([given], i) => [
      i + 2,
      `const tester${i} = await createTester(`.length +
        1 +
        given.search(/(?:backend|bakend|device|powerPreference|onDeviceLost|gpu|dimension: [4'])/),
    ]);
    const elements = lists.map(([query, list, mistake], i) => {
      const line = `${withList(i, query)}${list}`;
      return [i + 4, 1 + line.lastIndexOf(mistake)];
    });
    expect(placesOf(message)).toEqual({ 'wrong/options.ts': options, 'wrong/lists.ts': elements });
    expect(message).toContain(`Did you mean '"normal"'?`);
  });
});
