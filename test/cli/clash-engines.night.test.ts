/** The assembly of known clashes on the engines of this machine, and models in place of JSON scenes. */

import { beforeAll, describe, expect, test } from 'vitest';
import { ASSEMBLY_LIMITS, CLASHES_PER_CATEGORY, makeClashAssembly } from '../helpers/clash-assembly.ts';
import { collider, CUBE, glbFile, withShapes } from '../helpers/gltf.ts';
import { makeWorkplace } from './cli.ts';
import type { ClashJson } from './clash-scenes.ts';

const { narrowphase, write } = makeWorkplace();

const PARTS = 2000;
const { scene, expected } = makeClashAssembly(11, PARTS, CLASHES_PER_CATEGORY);
const { tolerance, clearance } = ASSEMBLY_LIMITS;

beforeAll(() => {
  write('assembly.json', scene);
});

async function clashesOf(args: string[]): Promise<ClashJson['clashes']> {
  const { code, stdout, stderr } = await narrowphase(['clash', ...args, '--format', 'json']);
  expect([0, 1], stderr).toContain(code);
  return (JSON.parse(stdout) as ClashJson).clashes;
}

test.each([
  ['cpu', 2e-6],
  ['dawn', 2e-4],
] as const)(
  `%s finds the known clashes of ${PARTS} parts, with their categories and depths, and no others`,
  async (engine, most) => {
    const limits = ['--tolerance', String(tolerance), '--clearance', String(clearance)];
    const clashes = await clashesOf(['assembly.json', '--engine', engine, ...limits]);
    const known = new Map(expected.map((clash) => [`${clash.a} and ${clash.b}`, clash]));
    expect(clashes.map(({ a, b }) => `${a} and ${b}`).sort()).toEqual([...known.keys()].sort());
    for (const { a, b, category, distance, inside, source } of clashes) {
      const clash = known.get(`${a} and ${b}`)!;
      const label = `seed 11: ${a} and ${b}`;
      expect({ category, inside, source }, label).toEqual({
        category: clash.category,
        inside: clash.inside,
        source: 'exact',
      });
      expect(Math.abs(distance - clash.distance), label).toBeLessThan(most);
    }
  },
);

/** Cubes of side 2 at these places along x, each an object. */
function objOf(places: Record<string, number>): string {
  const { positions, indices } = CUBE;
  const objects = Object.entries(places).map(([name, x], i) => {
    const vertices = Array.from({ length: positions.length / 3 }, (_, v) => {
      const [px, py, pz] = positions.slice(3 * v, 3 * v + 3);
      return `v ${px + x} ${py} ${pz}`;
    });
    const faces = Array.from({ length: indices.length / 3 }, (_, t) => {
      const corners = indices.slice(3 * t, 3 * t + 3).map((v) => v + 1 + (i * positions.length) / 3);
      return `f ${corners.join(' ')}`;
    });
    return [`o ${name}`, ...vertices, ...faces].join('\n');
  });
  return `${objects.join('\n')}\n`;
}

describe('models', () => {
  test('an OBJ file of closed meshes has exact depths by the names of its objects', async () => {
    write('cubes.obj', objOf({ left: 0, right: 1.9, 'right again': 1.9 }));
    const clashes = await clashesOf(['cubes.obj', '--engine', 'cpu']);
    const listed = clashes.map(({ a, b, category, distance, source }) => [a, b, category, distance.toFixed(5), source]);
    expect(listed).toEqual([
      ['left', 'right', 'overlap', '-0.10000', 'exact'],
      ['left', 'right again', 'overlap', '-0.10000', 'exact'],
      ['right', 'right again', 'duplicate', '-2.00000', 'exact'],
    ]);
    const allowed = await narrowphase(['clash', 'cubes.obj', '--engine', 'cpu', '--allow', '*:right*']);
    expect(allowed.code).toBe(0);
  });

  test('a GLB file with colliders', async () => {
    const gltf = withShapes({ type: 'sphere', sphere: { radius: 0.5 } });
    for (const [name, x] of [
      ['a', 0],
      ['b', 0.75],
      ['c', 2],
    ] as const) {
      gltf.root({ name, translation: [x, 0, 0], ...collider({ shape: 0 }) });
    }
    write('balls.glb', Buffer.from(glbFile(gltf)));
    const clashes = await clashesOf(['balls.glb', '--engine', 'cpu', '--clearance', '0.5']);
    expect(clashes.map(({ a, b, category, distance }) => [a, b, category, distance])).toEqual([
      ['a', 'b', 'overlap', -0.25],
      ['b', 'c', 'clearance', 0.25],
    ]);
  });

  test('an open mesh is named on stderr, and --hulls closes it', async () => {
    write('open.obj', objOf({ 'cut open': 0, other: 3 }).replace(/\nf \d+ \d+ \d+/, ''));
    const open = await narrowphase(['clash', 'open.obj', '--engine', 'cpu']);
    expect(open.stderr).toContain('narrowphase: open.obj: 1 body is an open mesh, so nothing is inside it: cut open\n');
    expect(open.code).toBe(0);
    const closed = await narrowphase(['clash', 'open.obj', '--engine', 'cpu', '--hulls']);
    expect(closed.stderr).not.toContain('open mesh');
  });
});
