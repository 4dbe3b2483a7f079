/** A scene file with a given number of pairs, to test the limits of the command line. */

import { below, createRandom, uniform, unitVector } from './random.ts';

const BODIES = 200_000;
const CROWD = 8;

/** Rounds to six decimal places. */
function fixed(x: number): number {
  return Number(x.toFixed(6));
}

/**
 * Scattered boxes, spheres, capsules, triangles and hulls of 16 points. Bodies form crowds of eight, and pairs are
 * within a crowd. About half of them overlap.
 */
export function makeCrowdScene(pairCount: number): object {
  const random = createRandom(3);
  const hull = () => ({
    type: 'hull',
    points: Array.from({ length: 16 }, () => unitVector(random, [0, 0, 0]).map((x) => fixed(x / 2))).flat(),
  });
  const shapes = [
    { type: 'box', halfExtents: [0.4, 0.5, 0.3] },
    { type: 'sphere', radius: 0.5 },
    { type: 'capsule', halfHeight: 0.3, radius: 0.3 },
    { type: 'triangle', points: [0, 0, 0.5, 0.5, 0, -0.5, -0.5, 0, -0.5], radius: 0.05 },
    hull(),
    hull(),
    hull(),
    hull(),
  ];
  const bodies = { shapes: [] as number[], positions: [] as number[], quaternions: [] as number[] };
  for (let body = 0; body < BODIES; body++) {
    const crowd = Math.floor(body / CROWD);
    const cell = [crowd % 100, Math.floor(crowd / 100) % 100, Math.floor(crowd / 10_000)];
    bodies.shapes.push(below(random, shapes.length));
    bodies.positions.push(...cell.map((c) => fixed(4 * c + uniform(random, -0.6, 0.6))));
    bodies.quaternions.push(...unitVector(random, [0, 0, 0, 0]).map(fixed));
  }
  const pairs = Array.from({ length: pairCount }, (_, i) => {
    const a = i % BODIES;
    const other = 1 + below(random, CROWD - 1);
    return [a, a - (a % CROWD) + ((a + other) % CROWD)];
  });
  return { version: 1, shapes, bodies, pairs };
}
