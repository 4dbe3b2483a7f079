/** Rays and moving balls against meshes, beside brute force over all triangles. */
import { expect, test } from 'vitest';
import { createShape, impact } from '../../src/cpu.ts';
import { createTester, NO_BODY } from '../../src/index.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const SEED = 5;
const TRIANGLES = 200;
const RAYS = 400;

const random = createRandom(SEED);
const positions = Float32Array.from({ length: 9 * TRIANGLES }, (_, i) => (i % 9 < 3 ? uniform(random, -1, 1) : 0));
for (let i = 0; i < positions.length; i++)
  if (i % 9 >= 3) positions[i] = positions[i - (i % 9) + (i % 3)] + uniform(random, -0.3, 0.3);
const indices = Uint32Array.from({ length: 3 * TRIANGLES }, (_, i) => i);

const minus = (p: number[], q: number[]): number[] => p.map((x, k) => x - q[k]);
const cross = ([x, y, z]: number[], [u, v, w]: number[]): number[] => [y * w - z * v, z * u - x * w, x * v - y * u];
const dot = (p: number[], q: number[]): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];

/** When a ray meets a triangle, by Cramer's rule; Infinity if it does not. */
function timeOf(origin: number[], direction: number[], triangle: number): number {
  const corner = (k: number): number[] =>
    Array.from(positions.subarray(9 * triangle + 3 * k, 9 * triangle + 3 * k + 3));
  const [a, b, c] = [corner(0), corner(1), corner(2)];
  const [u, v, from] = [minus(b, a), minus(c, a), minus(origin, a)];
  const n = cross(u, v);
  const slope = dot(n, direction);
  const time = -dot(n, from) / slope;
  const point = from.map((x, k) => x + time * direction[k]);
  const p = dot(cross(u, point), n) / dot(n, n);
  const q = dot(cross(point, v), n) / dot(n, n);
  return time >= 0 && p >= 0 && q >= 0 && p + q <= 1 ? time : Infinity;
}

test('rays meet the triangle that is first, with its normal', async () => {
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  const mesh = tester.addShape({ type: 'mesh', positions, indices });
  const bodies = {
    shapes: Uint32Array.of(mesh),
    positions: new Float32Array(3),
    quaternions: Float32Array.of(0, 0, 0, 1),
  };
  const origins = Float32Array.from({ length: 3 * RAYS }, () => uniform(random, -3, 3));
  const directions = new Float32Array(3 * RAYS);
  for (let i = 0; i < RAYS; i++) {
    const aim = [0, 1, 2].map(() => uniform(random, -0.5, 0.5));
    directions.set(
      aim.map((x, k) => x - origins[3 * i + k]),
      3 * i,
    );
  }
  const hits = await tester.rayCasts(bodies, { origins, directions });
  let met = 0;
  for (let ray = 0; ray < RAYS; ray++) {
    const origin = Array.from(origins.subarray(3 * ray, 3 * ray + 3));
    const direction = Array.from(directions.subarray(3 * ray, 3 * ray + 3));
    const times = Array.from({ length: TRIANGLES }, (_, triangle) => timeOf(origin, direction, triangle));
    const first = Math.min(...times);
    if (first === Infinity) {
      expect(hits.body[ray], `ray ${ray}, seed ${SEED}`).toBe(NO_BODY);
      continue;
    }
    met++;
    expect(hits.body[ray], `ray ${ray}, seed ${SEED}`).toBe(0);
    expect(Math.abs(hits.time[ray] - first), `ray ${ray}, seed ${SEED}`).toBeLessThan(1e-5);
    const [x, y, z] = hits.normal.subarray(3 * ray, 3 * ray + 3);
    expect(x * direction[0] + y * direction[1] + z * direction[2]).toBeLessThan(0);
  }
  expect(met).toBeGreaterThan(150);
  tester.dispose();
});

test('balls that move along rays meet the triangle that is first', async () => {
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  const mesh = tester.addShape({ type: 'mesh', positions, indices });
  const count = 60;
  const bodies = {
    shapes: Uint32Array.of(mesh),
    positions: Float32Array.of(0.5, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1),
    scales: Float32Array.of(1.5),
  };
  const origins = Float32Array.from({ length: 3 * count }, () => uniform(random, -4, 4));
  const directions = Float32Array.from(
    Array.from({ length: count }, (_, i) => {
      const v = unitVector(random, [0, 0, 0]);
      return v.map((x, k) => 0.3 * x - origins[3 * i + k]);
    }).flat(),
  );
  const radii = Float32Array.from({ length: count }, () => uniform(random, 0.05, 0.4));
  const hits = await tester.rayCasts(bodies, { origins, directions, radii });
  const triangles = Array.from({ length: TRIANGLES }, (_, t) =>
    createShape({ type: 'triangle', points: positions.subarray(9 * t, 9 * t + 9) }),
  );
  const pose = { position: [0.5, 0, 0], quaternion: [0, 0, 0, 1], scale: 1.5, linearVelocity: [0, 0, 0] };
  for (let ray = 0; ray < count; ray++) {
    const ball = createShape({ type: 'sphere', radius: radii[ray] });
    const moving = {
      position: origins.subarray(3 * ray, 3 * ray + 3),
      quaternion: [0, 0, 0, 1],
      linearVelocity: directions.subarray(3 * ray, 3 * ray + 3),
    };
    const times = triangles.map((shape) => impact(shape, pose, ball, moving, { duration: Infinity }).time);
    const first = Math.min(...times);
    if (first === Infinity) expect(hits.body[ray], `ray ${ray}, seed ${SEED}`).toBe(NO_BODY);
    else expect(Math.abs(hits.time[ray] - first), `ray ${ray}, seed ${SEED}`).toBeLessThan(1e-5);
  }
  tester.dispose();
});

const near = (size: number): number => Math.fround(uniform(random, -size, size));

/** Points that move at a mesh, and one by one at its triangles. A point stands where the mesh is A, then where it is B. */
test('points that meet a mesh have the impacts of its first triangle', async () => {
  const tester = await createTester({ backend: 'cpu', threads: 1 });
  const mesh = tester.addShape({ type: 'mesh', positions, indices });
  const point = tester.addShape({ type: 'sphere', radius: 0 });
  const count = 300;
  const duration = 1.5;
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * count }, (_, i) => ((i >> 1) % 2 === i % 2 ? mesh : point)),
    positions: Float32Array.from({ length: 6 * count }, () => near(1.5)),
    quaternions: Float32Array.from({ length: 8 * count }, () => near(1)),
    scales: Float32Array.from({ length: 2 * count }, () => Math.fround(uniform(random, 0.5, 2))),
    linearVelocities: Float32Array.from({ length: 6 * count }, () => near(1)),
  };
  // Some start on the mesh, or end on it.
  for (let i = 0; i < count; i += 3) {
    const [a, b] = [6 * i, 6 * i + 3];
    const end = i % 2 === 0 ? 0 : duration;
    for (let k = 0; k < 3; k++) {
      bodies.positions[b + k] =
        bodies.positions[a + k] + end * (bodies.linearVelocities[a + k] - bodies.linearVelocities[b + k]);
    }
    bodies.quaternions.set([0, 0, 0, 1, 0, 0, 0, 1], 8 * i);
    const corner = 9 * (i % TRIANGLES);
    const isMeshA = bodies.shapes[2 * i] === mesh;
    const scale = bodies.scales[2 * i + (isMeshA ? 0 : 1)];
    for (let k = 0; k < 3; k++) {
      const middle = (positions[corner + k] + positions[corner + 3 + k] + positions[corner + 6 + k]) / 3;
      bodies.positions[b + k] += (isMeshA ? 1 : -1) * scale * middle;
    }
  }
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  const impacts = await tester.impacts(bodies, pairs, { duration });
  const ball = createShape({ type: 'sphere', radius: 0 });
  const triangles = Array.from({ length: TRIANGLES }, (_, t) =>
    createShape({ type: 'triangle', points: positions.subarray(9 * t, 9 * t + 9) }),
  );
  let met = 0;
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [2 * pair, 2 * pair + 1].map((body) => ({
      position: bodies.positions.subarray(3 * body, 3 * body + 3),
      quaternion: bodies.quaternions.subarray(4 * body, 4 * body + 4),
      scale: bodies.scales[body],
      linearVelocity: bodies.linearVelocities.subarray(3 * body, 3 * body + 3),
    }));
    const isMeshA = bodies.shapes[2 * pair] === mesh;
    const all = triangles.map((shape) =>
      isMeshA ? impact(shape, a, ball, b, { duration }) : impact(ball, a, shape, b, { duration }),
    );
    const first = Math.min(...all.map(({ time }) => time));
    const what = `pair ${pair}, seed ${SEED}: ${impacts.time[pair]} in place of ${first}`;
    if (first === Infinity || impacts.time[pair] === Infinity) {
      // Points that only just touch may be taken either way.
      const isTouch = pair % 3 === 0;
      if (!isTouch) expect(impacts.time[pair], what).toBe(first);
      continue;
    }
    met++;
    expect(Math.abs(impacts.time[pair] - first), what).toBeLessThan(2e-5);
    const normal = impacts.normal.subarray(3 * pair, 3 * pair + 3);
    const closing = normal.reduce((sum, x, k) => sum + x * (a.linearVelocity[k] - b.linearVelocity[k]), 0);
    expect(closing, what).toBeGreaterThan(-1e-5);
    // The point of impact is that of the moving point.
    const own = isMeshA ? b : a;
    const place = own.position.map((x, k) => x + impacts.time[pair] * own.linearVelocity[k]);
    for (let k = 0; k < 3; k++) expect(Math.abs(impacts.point[3 * pair + k] - place[k]), what).toBeLessThan(2e-5);
  }
  expect(met).toBeGreaterThan(60);
  tester.dispose();
});
