/** Scenes for the broad phase: how bodies are spread out, and how their sizes differ. */
import type { PosedBodies } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { createRandom, uniform, unitVector, type Random } from './random.ts';

export interface BroadPhaseScene {
  shapes: readonly ShapeDescription[];
  bodies: PosedBodies;
}

export const SCENE_NAMES = [
  'similar',
  'mixed',
  'giant',
  'million',
  'clusters',
  'line',
  'place',
  'sheet',
  'far',
  'stray',
  'strayFirst',
  'strays',
  'twins',
  'halfspaces',
] as const;
export type SceneName = (typeof SCENE_NAMES)[number];

/** One shape of each type, of a size near 1. */
const SHAPES: readonly ShapeDescription[] = [
  { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
  { type: 'sphere', radius: 0.5 },
  { type: 'capsule', halfHeight: 0.3, radius: 0.25 },
  { type: 'cylinder', halfHeight: 0.4, radius: 0.3 },
  { type: 'cone', halfHeight: 0.5, radius: 0.3 },
  { type: 'ellipsoid', radii: [0.5, 0.3, 0.2] },
  { type: 'hull', points: new Float32Array([0.5, 0, 0, -0.2, 0.4, 0, -0.2, -0.3, 0.3, -0.1, 0, -0.4]), radius: 0.05 },
  { type: 'halfspace', normal: [0, 2, 0], offset: 0.25 },
];
const HALFSPACE = SHAPES.length - 1;

/** Edge length of a cube in which each of `count` bodies of size 1 has a few neighbours. */
function edgeFor(count: number): number {
  return 1.1 * Math.cbrt(Math.max(count, 1));
}

export function broadPhaseScene(name: SceneName, count: number, seed: number): BroadPhaseScene {
  const random = createRandom(seed);
  const edge = edgeFor(count);
  const shapes = Uint32Array.from({ length: count }, () => Math.floor(uniform(random, 0, HALFSPACE)));
  const scales = new Float32Array(count).fill(1);
  const positions = new Float32Array(3 * count);
  for (let body = 0; body < count; body++) {
    const at = placeIn(name, random, edge, body);
    positions.set(at, 3 * body);
    if (name === 'mixed') scales[body] = 1000 ** uniform(random, -1, 0);
  }
  if (name === 'million' && count > 0) scales[Math.floor(count / 2)] = 1e6;
  if (name === 'giant' && count > 0) scales[Math.floor(count / 3)] = 2 * edge;
  if (name === 'stray' && count > 0) positions[3 * Math.floor(count / 2)] = 5e29;
  if (name === 'strayFirst' && count > 0) positions[0] = 1e7;
  if (name === 'halfspaces') for (let body = 0; body < Math.min(3, count); body++) shapes[body * 7] = HALFSPACE;
  return { shapes: SHAPES, bodies: { shapes, positions, quaternions: rotations(random, count), scales } };
}

function placeIn(name: SceneName, random: Random, edge: number, body: number): number[] {
  const at = [0, 1, 2].map(() => uniform(random, 0, edge));
  switch (name) {
    case 'mixed':
      return at.map((x) => x / 4);
    case 'clusters':
      return at.map((x, axis) => x * 0.4 + 1000 * ((body >> axis) & 1));
    case 'line':
      return [0.3 * body, 0, 0];
    case 'place':
      return [3, -2, 1];
    case 'sheet':
      return [uniform(random, 0, edge ** 1.5), 0, uniform(random, 0, edge ** 1.5)];
    case 'strays':
      // A hundredth of the bodies, at distances of all magnitudes.
      return body % 100 === 99 ? at.map((x) => x * 10 ** uniform(random, 1, 20)) : at;
    case 'twins':
      // Two heaps that are as far apart as f32 has room for the second one's places.
      return at.map((x) => (body % 2 === 0 ? x : Math.round(x) + 1e7));
    case 'far':
      return at.map((x, axis) => Math.round(x) + [1e7, -1e7, 1e7][axis]);
    default:
      return at;
  }
}

function rotations(random: Random, count: number): Float32Array {
  const quaternions = new Float32Array(4 * count);
  const axis = [0, 0, 0];
  for (let body = 0; body < count; body++) {
    const half = uniform(random, 0, Math.PI);
    unitVector(random, axis);
    quaternions.set([...axis.map((x) => x * Math.sin(half)), Math.cos(half)], 4 * body);
  }
  return quaternions;
}
