/** Bodies that slide, fall or rise over grounds of meshes and compounds: seeded pairs of a ground at rest and a moving body. */
import type { ShapeDescription } from '../../src/api/shapes.ts';
import * as grounds from '../../verification/families/compound-grounds.ts';
import { below, createRandom, uniform, type Random } from '../../verification/families/random.ts';
import { makePrism } from '../../verification/families/surface-meshes.ts';
import { makeSheet } from './meshes.ts';

const hill = (x: number, z: number): number => 0.1 * Math.sin(2 * x) * Math.cos(3 * z);

/** Their tops are at y = 0. The step rises by 0.31 at x = 0. */
const GROUNDS: Record<string, ShapeDescription> = {
  sheet: { type: 'mesh', ...makeSheet(30, () => 0) },
  front: { type: 'mesh', sides: 'front', ...makeSheet(16, () => 0) },
  step: makePrism([[-3, 0], [-1.5, 0], [0, 0], [0, 0.15], [0, 0.31], [3, 0.31]], 2, 8), // prettier-ignore
  tiles: grounds.makeTiles(4, 1),
  'small tiles': grounds.makeTiles(10, 1),
  hills: { type: 'mesh', ...makeSheet(20, hill) },
};

/** Each with the distance of its lowest point below its origin. */
const POLYTOPES: Record<string, [ShapeDescription, number]> = {
  box: [{ type: 'box', halfExtents: [0.3, 0.5, 0.3] }, 0.5],
  crate: [{ type: 'box', halfExtents: [0.1, 0.25, 0.2] }, 0.25],
  sphere: [{ type: 'sphere', radius: 0.3 }, 0.3],
  capsule: [{ type: 'capsule', halfHeight: 0.3, radius: 0.2 }, 0.5],
  hull: [{ type: 'hull', points: [-0.2, -0.3, -0.2, 0.2, -0.3, -0.2, 0, -0.3, 0.25, 0.1, 0.3, 0.1] }, 0.3],
  'two boxes': [
    {
      type: 'compound',
      parts: [-0.5, 0.5].map((x) => ({
        shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
        position: [x, 0, 0],
      })),
    },
    0.2,
  ],
  // Its parts touch, so that it has a surface too.
  'four blocks': [grounds.makeTiles(2, 0.3), 1],
};

const CURVED: typeof POLYTOPES = {
  cylinder: [{ type: 'cylinder', halfHeight: 0.5, radius: 0.3 }, 0.5],
};

/** From touching to deep, and within a margin of 0.01 and beyond it; -0.05 at most, so that the nearest side is the top. */
const GAPS = [0, 0.009, 0.01 - 2e-5, -1e-4, -0.01, -0.05, 0.05, 0.3];
const RATES = [0, 0, 0, -1, -0.1, 0.2, -5];

export interface SliderScene {
  shapes: ShapeDescription[];
  bodies: {
    shapes: Uint32Array;
    positions: Float32Array;
    quaternions: Float32Array;
    linearVelocities: Float32Array;
  };
  pairs: Uint32Array;
  /** What each pair is. */
  names: string[];
}

/** `hasCurved`: whether curved bodies are among them. */
export function makeSliders(count: number, seed: number, hasCurved: boolean): SliderScene {
  const random = createRandom(seed);
  const movers = { ...POLYTOPES, ...(hasCurved && CURVED) };
  const groundNames = Object.keys(GROUNDS);
  const moverNames = Object.keys(movers);
  const shapes = groundNames.map((_, i) => i);
  const positions = groundNames.flatMap(() => [0, 0, 0]);
  const quaternions = groundNames.flatMap(() => [0, 0, 0, 1]);
  const velocities = groundNames.flatMap(() => [0, 0, 0]);
  const pairs: number[] = [];
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    const ground = below(random, groundNames.length);
    const mover = below(random, moverNames.length);
    const gap = GAPS[below(random, GAPS.length)];
    const rate = RATES[below(random, RATES.length)];
    const angle = below(random, 2) * uniform(random, 0, 3);
    shapes.push(groundNames.length + mover);
    positions.push(place(random), movers[moverNames[mover]][1] + gap, place(random));
    quaternions.push(0, Math.sin(angle), 0, Math.cos(angle));
    velocities.push(uniform(random, -1.5, 1.5), rate, uniform(random, -1.5, 1.5));
    const body = groundNames.length + i;
    pairs.push(...(below(random, 2) === 1 ? [ground, body] : [body, ground]));
    names.push(`${moverNames[mover]} ${i} over ${groundNames[ground]}, gap ${gap}, rate ${rate}`);
  }
  return {
    shapes: [...Object.values(GROUNDS), ...Object.values(movers).map(([shape]) => shape)],
    bodies: {
      shapes: Uint32Array.from(shapes),
      positions: Float32Array.from(positions),
      quaternions: Float32Array.from(quaternions),
      linearVelocities: Float32Array.from(velocities),
    },
    pairs: Uint32Array.from(pairs),
    names,
  };
}

/** Away from the rims of the sheets. */
const place = (random: Random): number => uniform(random, -0.6, 0.6);
