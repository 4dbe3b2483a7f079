/**
 * Rays that only touch: in the plane of a face, along an edge, through a vertex, tangent to a round body. They miss bodies
 * that have an inside, on both backends and however the bodies are turned. Flat bodies are hit by rays that cross them, and
 * missed by those in their plane.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Bodies, Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { dimensions, type Dimension } from '../helpers/dimensions.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { manyRays } from '../helpers/many-rays.ts';

const SEED = 20_261_127;
/** How often each body and its ray are turned: for more rays than are cast on the CPU at once. */
const TURNS = 9;
/** Bodies are so far apart. */
const SPACING = 32;
/** Beyond the tolerance of all shapes. */
const DEEPER = 2e-4;

/** A ray in the shape's frame. */
interface Case {
  name: string;
  shape: ShapeDescription | PlanarShapeDescription;
  origin: number[];
  direction: number[];
  hits: boolean;
  /** Into the body: a ray that is moved by a little this way hits. */
  inward?: number[];
}

const down = [0, -1, 0];
const along = [1, 0, 0];
const octahedron = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
const square = [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1];
const box: ShapeDescription = { type: 'box', halfExtents: [1, 1, 1] };
const capsule: ShapeDescription = { type: 'capsule', halfHeight: 1, radius: 1 };
const cylinder: ShapeDescription = { type: 'cylinder', halfHeight: 1, radius: 1 };
const cone: ShapeDescription = { type: 'cone', halfHeight: 1, radius: 1 };
const hull: ShapeDescription = { type: 'hull', points: octahedron };
const mesh: ShapeDescription = { type: 'mesh', positions: square, indices: [0, 2, 1, 0, 3, 2] };
const plate: ShapeDescription = { type: 'box', halfExtents: [1, 0, 1] };

const touch = (name: string, shape: Case['shape'], origin: number[], direction: number[], inward = down): Case => ({
  name,
  shape,
  origin,
  direction,
  hits: false,
  inward,
});
const flat = (name: string, shape: Case['shape'], origin: number[], direction: number[], hits: boolean): Case => ({
  name,
  shape,
  origin,
  direction,
  hits,
});

const IN_SPACE: Case[] = [
  touch('a sphere', { type: 'sphere', radius: 1 }, [-3, 1, 0], along),
  touch('the face of a box', box, [-3, 1, 0.3], along),
  touch('the edge of a box', box, [-3, 1, 1], along, [0, -1, -1]),
  touch('a box at an edge, from the side', box, [-2, 0, 0.2], [1, 1, 0], [1, -1, 0]),
  touch('the corner of a box', box, [-1, -1, 5], [1, 1, -2], [-1, -1, -1]),
  touch('a rounded box', { type: 'box', halfExtents: [0.5, 0.5, 0.5], radius: 0.5 }, [-3, 1, 0.2], along),
  touch('the side of a capsule', capsule, [-3, 0.3, 1], along, [0, 0, -1]),
  touch('a capsule along its side', capsule, [1, -4, 0], [0, 1, 0], [-1, 0, 0]),
  touch('the cap of a capsule', capsule, [-3, 2, 0], along),
  touch('the side of a cylinder', cylinder, [-3, 0.3, 1], along, [0, 0, -1]),
  touch('a cylinder along its side', cylinder, [1, -4, 0], [0, 1, 0], [-1, 0, 0]),
  touch('the end of a cylinder', cylinder, [-3, 1, 0.2], along),
  touch('the rim of a cylinder', cylinder, [-3, 1, 1], along, [0, -1, -1]),
  touch('the apex of a cone', cone, [-3, 1, 0], along),
  touch('the rim of a cone, along its axis', cone, [1, -3, 0], [0, 1, 0], [-1, 0, 0]),
  touch('the base of a cone', cone, [-3, -1, 0.2], along, [0, 1, 0]),
  touch('an ellipsoid', { type: 'ellipsoid', radii: [1, 1, 2] }, [-3, 1, 0], along),
  touch('a vertex of a hull', hull, [-3, 1, 0], along),
  touch('an edge of a hull', hull, [-2, 3, 0], [1, -1, 0], [-1, -1, 0]),
  touch('a half-space', { type: 'halfspace', normal: [0, 1, 0], offset: 1 }, [-3, 1, 0], along),
  touch('a box of a compound', { type: 'compound', parts: [{ shape: box }] }, [-3, 1, 0.3], along),
  flat('a triangle near its border', { type: 'triangle', points: square.slice(0, 9) }, [0, 3, -0.999], down, true),
  flat('a triangle in its plane', { type: 'triangle', points: square.slice(0, 9) }, [-3, 0, -0.5], along, false),
  flat('a flat hull in its plane', { type: 'hull', points: square }, [-3, 0, -0.5], along, false),
  flat('a disc near its border', { type: 'cylinder', halfHeight: 0, radius: 1 }, [0.999, 3, 0], down, true),
  flat('a flat box near its border', plate, [0.999, 3, 0.9], down, true),
  flat('a flat box in its plane', plate, [-3, 0, -0.5], along, false),
  flat('a disc in its plane', { type: 'cylinder', halfHeight: 0, radius: 1 }, [-3, 0, 0.1], along, false),
  flat('a flat ellipsoid in its plane', { type: 'ellipsoid', radii: [1, 0, 1] }, [-3, 0, 0.1], along, false),
  flat('a mesh at the common edge of two triangles', mesh, [0.25, 3, 0.25], down, true),
  flat('a mesh in its plane', mesh, [-3, 0, -0.5], along, false),
];

const IN_PLANE: Case[] = [
  touch('a circle', { type: 'circle', radius: 1 }, [-3, 1], [1, 0]),
  touch('the side of a rectangle', { type: 'rectangle', halfExtents: [1, 1] }, [-3, 1], [1, 0]),
  touch('the corner of a rectangle', { type: 'rectangle', halfExtents: [1, 1] }, [-2, 0], [1, 1], [1, -1]),
  touch('a corner of a polygon', { type: 'polygon', points: [-1, 0, 1, 0, 0, 1] }, [-3, 1], [1, 0]),
  touch('the side of a capsule', { type: 'capsule', halfHeight: 1, radius: 1 }, [1, -4], [0, 1], [-1, 0]),
  touch('the cap of a capsule', { type: 'capsule', halfHeight: 1, radius: 1 }, [-3, 2], [1, 0]),
  flat('a segment', { type: 'segment', points: [-1, 0, 1, 0] } as PlanarShapeDescription, [0.9, 3], [0, -1], true),
  flat(
    'a segment along itself',
    { type: 'segment', points: [-1, 0, 1, 0] } as PlanarShapeDescription,
    [-3, 0],
    [1, 0],
    false,
  ),
];

/** A rotation, and the vector that it turns. */
function turn({ axes }: Dimension, rotation: ArrayLike<number>, [x, y, z = 0]: number[]): number[] {
  if (axes === 2) {
    const [cosine, sine] = [Math.cos(rotation[0]), Math.sin(rotation[0])];
    return [cosine * x - sine * y, sine * x + cosine * y];
  }
  const [a, b, c, w] = Array.from(rotation);
  const [u, v, t] = [b * z - c * y, c * x - a * z, a * y - b * x];
  return [x + 2 * (w * u + b * t - c * v), y + 2 * (w * v + c * u - a * t), z + 2 * (w * t + a * v - b * u)];
}

/** Every case in several rotations, moved inward by so much. */
function sceneOf(dimension: Dimension, cases: readonly Case[], inward: number) {
  const { axes, identity } = dimension;
  const random = createRandom(SEED);
  const count = TURNS * cases.length;
  const rotations = new Float32Array(identity.length * count);
  const positions = new Float64Array(axes * count);
  const origins = new Float64Array(axes * count);
  const directions = new Float32Array(axes * count);
  for (let i = 0; i < count; i++) {
    const { origin, direction, inward: into = origin.map(() => 0) } = cases[i % cases.length];
    const turned = axes === 2 ? [uniform(random, -3, 3)] : Array.from(unitVector(random, [...identity]));
    rotations.set(i < cases.length ? identity : turned, identity.length * i);
    const rotation = rotations.subarray(identity.length * i, identity.length * (i + 1));
    positions[axes * i] = SPACING * i;
    const from = turn(
      dimension,
      rotation,
      origin.map((x, k) => x + inward * into[k]),
    );
    for (let k = 0; k < axes; k++) origins[axes * i + k] = positions[axes * i + k] + from[k];
    directions.set(turn(dimension, rotation, direction), axes * i);
  }
  const shapes = Uint32Array.from({ length: count }, (_, i) => i % cases.length);
  // Half-spaces are everywhere: a ray meets its own body alone.
  const rays = { origins, directions, maxTimes: new Float32Array(count).fill(6) };
  return { bodies: dimension.makeBodies({ shapes, positions, rotations }), rays };
}

const table = dimensions.flatMap((dimension) =>
  (['webgpu', 'cpu'] as const).map((backend) => ({ name: dimension.name, backend, dimension })),
);

const isOf = (types: readonly string[]) => (each: Case) => types.includes(each.shape.type);

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('touching-rays.device');
});
afterAll(() => device?.destroy());

test.each(table)('rays that only touch, $name on $backend', async ({ dimension, backend }) => {
  const all = dimension.axes === 2 ? IN_PLANE : IN_SPACE;
  const tester: Tester = await dimension.createTester(backend === 'cpu' ? { backend, threads: 1 } : { device });
  const submit = vi.spyOn(device.queue, 'submit');
  /** Whether each case's rays hit, in the order of the cases; cases without parts go to the device. */
  const cast = async (cases: readonly Case[], inward: number): Promise<string[]> => {
    const ids = cases.map(({ shape }) => tester.addShape(shape as never));
    const { bodies, rays } = sceneOf(dimension, cases, inward);
    const given = { ...bodies, shapes: bodies.shapes.map((shape) => ids[shape]) } as Bodies;
    submit.mockClear();
    const { time } = await tester.rayCasts(given, rays);
    const hasParts = cases.some(isOf(['mesh', 'compound']));
    expect(submit.mock.calls.length > 0).toBe(backend === 'webgpu' && !hasParts);
    ids.forEach((id) => tester.removeShape(id));
    return cases.flatMap(({ name, hits, inward: into }, i) => {
      const expected = into && inward > 0 ? true : hits;
      const wrong = Array.from({ length: TURNS }, (_, k) => k).filter(
        (k) => time[cases.length * k + i] < Infinity !== expected,
      );
      return wrong.length > 0 ? [`${name}, ${expected ? 'missed' : 'hit'} in turns ${wrong.join()}`] : [];
    });
  };
  const groups = [
    all.filter((each) => !isOf(['mesh', 'compound', 'halfspace'])(each)),
    all.filter(isOf(['mesh', 'compound'])),
    ...all.filter(isOf(['halfspace'])).map((each) => [each]),
  ].filter((cases) => cases.length > 0);
  for (const cases of groups) {
    if (cases[0].shape.type === 'halfspace') {
      // One at a time, as each is everywhere.
      const id = tester.addShape(cases[0].shape as never);
      const bodies = dimension.makeBodies({ shapes: [id], positions: new Float32Array(dimension.axes) });
      const { origin, direction } = cases[0];
      const ray = { origins: Float32Array.from(origin), directions: Float32Array.from(direction) };
      for (const rays of [ray, manyRays(3, ray)]) expect((await tester.rayCasts(bodies, rays)).time[0]).toBe(Infinity);
      continue;
    }
    expect(await cast(cases, 0), `seed ${SEED}`).toEqual([]);
    expect(await cast(cases, DEEPER), `seed ${SEED}`).toEqual([]);
  }
  submit.mockRestore();
  tester.dispose();
});
