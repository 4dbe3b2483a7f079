/** Two boxes that are both cut into boxes, against the boxes as a whole. */
import { expect, test } from 'vitest';
import { contact, createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import { makeCutBox } from '../../verification/families/compound-grounds.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const SEED = 11;
const CASES = 300;
const GROUND = [1, 0.7, 0.5];
const BODY = [0.3, 0.2, 0.25];
const ORIGIN = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
const DEPTHS = [1e-4, 1e-3, 0.005, 0.01, 0.03, 0.06, 0.1];

/** The share of cases that are less deep than the whole boxes, or have the normal of another way out. */
const MOST_OFF = 0.01;

test('cut bodies have the contacts of whole ones', async () => {
  const random = createRandom(SEED);
  const [whole, body] = [GROUND, BODY].map((halfExtents) => createShape({ type: 'box', halfExtents }));
  const poses = Array.from({ length: CASES }, (_, i) => {
    const quaternion = Array.from(i % 3 === 0 ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]), Math.fround);
    const direction = Array.from(unitVector(random, [0, 0, 0]));
    const from = GROUND.map((size) => uniform(random, -0.8 * size, 0.8 * size));
    const at = (way: number): number[] => from.map((x, k) => Math.fround(x + way * direction[k]));
    let [low, high] = [-1, 4];
    for (let step = 0; step < 30; step++) {
      const middle = (low + high) / 2;
      const pose = { position: at(middle), quaternion };
      if (contact(whole, ORIGIN, body, pose, { margin: Infinity }).distance < -DEPTHS[i % DEPTHS.length]) low = middle;
      else high = middle;
    }
    return { position: at(low), quaternion };
  });
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  const ids = [makeCutBox(GROUND, 3), makeCutBox(BODY, 2)].map((shape) => tester.addShape(shape));
  const bodies = {
    shapes: Uint32Array.of(ids[0], ...poses.map(() => ids[1])),
    positions: Float32Array.of(0, 0, 0, ...poses.flatMap(({ position }) => position)),
    quaternions: Float32Array.of(0, 0, 0, 1, ...poses.flatMap(({ quaternion }) => quaternion)),
  };
  const pairs = Uint32Array.from(poses.flatMap((_, i) => [0, i + 1]));
  const contacts = Array.from(await tester.contacts(bodies, pairs), ({ distance, normal }) => ({
    distance,
    normal: Array.from(normal),
  }));
  const counts = poses.map(() => [] as number[]);
  for (const { pair, points } of await tester.manifolds(bodies, pairs)) counts[pair].push(points.length);
  tester.dispose();
  const off: string[] = [];
  for (const [i, pose] of poses.entries()) {
    const { distance, normal } = contacts[i];
    const truth = contact(whole, ORIGIN, body, pose);
    const name = `seed ${SEED}, case ${i}: ${-distance} for ${-truth.distance}`;
    expect(distance, name).toBeLessThan(0);
    expect(counts[i].length, name).toBeGreaterThan(0);
    expect(Math.min(...counts[i]), name).toBeGreaterThan(0);
    expect(-distance, name).toBeLessThan(-truth.distance * 1.002 + 2e-5);
    const cosine = normal.reduce((sum, x, k) => sum + x * truth.normal[k], 0);
    if (distance > truth.distance * 0.995 + 2e-5 || cosine < 0.999) off.push(`${name}, cosine ${cosine}`);
  }
  expect(off.length, off.join('; ')).toBeLessThanOrEqual(MOST_OFF * CASES);
});
