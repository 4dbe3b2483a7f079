/** A scene for `narrowphase verify`, and its JSON report. */

import { makeFamily, type FamilyName } from '../../verification/families/families.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

interface PairValues {
  status: string;
  distance?: number;
}

interface Body {
  index: number;
  name?: string;
  shape: { type: string };
  position: number[];
}

export interface Report {
  generator: string;
  scene: Record<string, unknown>;
  query: { name: string; margin: number | null };
  engine: { name: string; backend: string; runtime: string; adapter: { isSoftware: boolean }; fallback: string | null };
  tolerance: number;
  pairs: number;
  passed: boolean;
  faulty: number;
  faults: { kind: string }[];
  leftEarly: number;
  unanswered: { engine: number; reference: number; both: number };
  errors: Record<
    'distance' | 'normal' | 'points',
    { measured: number; largest: { error: number; pair: number } | null; zeros: number; histogram: { pairs: number }[] }
  >;
  timings: { all: { total: number }; hits: { total: number }; reference: number };
  worst: {
    pair: number;
    size: number;
    errors: object;
    faults: string[];
    engine: PairValues;
    reference: PairValues;
    a: Body;
    b: Body;
    query: string;
    margin: number | null;
  }[];
}

/** Random pairs some thousand from the origin, in 64 bits, with names, scales and a body far out. */
export function crowd(name: FamilyName = 'capsule-hull'): object {
  const family = makeFamily(name, 400, 7);
  const random = createRandom(8);
  const bodies = Array.from(family.bodies.shapes, (shape, i) => ({
    shape,
    position: [0, 1, 2].map(
      (k) => 1234.5678901 * (k + 1) + family.bodies.positions[3 * i + k] + uniform(random, -1e-7, 1e-7),
    ),
    quaternion: Array.from(family.bodies.quaternions.subarray(4 * i, 4 * i + 4)),
    scale: uniform(random, 0.8, 1.25),
    ...(i % 3 === 0 && { name: `body ${i}` }),
  }));
  bodies.push({ shape: 0, position: [7e6, 0, 0], quaternion: unitVector(random, [0, 0, 0, 0]) as number[], scale: 1 });
  const pairs = Array.from({ length: 400 }, (_, i) => [2 * i, 2 * i + 1]);
  const shapes = family.shapes.map((shape) =>
    'points' in shape ? { ...shape, points: Array.from(shape.points) } : shape,
  );
  return { version: 1, name: 'crowd', shapes, bodies, pairs };
}

/** Everything but the numbers that pairs and bodies have in their scene. */
export function renumbered(worst: Report['worst']): object[] {
  return worst.map((pair) => ({ ...pair, pair: 0, a: { ...pair.a, index: 0 }, b: { ...pair.b, index: 0 } }));
}
