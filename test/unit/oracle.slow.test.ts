/**
 * The oracle against closed forms, against other libraries' hard cases, and against itself: the distance is reached
 * along the reported normal and exceeded along no sampled direction, shortcuts change nothing, and neither does the
 * order or the place of the two shapes.
 */

import { describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  familyNames,
  makeFamily,
  makeStructuredFamily,
  poseOf,
  structuredFamilyNames,
  type Family,
} from '../../verification/families/families.ts';
import hardCases from '../../verification/fixtures/hard-cases.json' with { type: 'json' };
import {
  exactHull,
  oracleError,
  oraclePolytope,
  oracleShape,
  pairSize,
  separation,
  signedDistance,
  supportValue,
  type OraclePose,
  type OracleShape,
} from '../../verification/oracle/index.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

/** Share of max(s, |B - A|) that rounding may cost. */
const ROUNDING = 1e-13;

function at(x: number, y: number, z: number, quaternion: ArrayLike<number> = [0, 0, 0, 1], scale?: number): OraclePose {
  return { position: [x, y, z], quaternion, scale };
}

const HERE = at(0, 0, 0);

function sphere(radius: number): OracleShape {
  return oracleShape({ type: 'sphere', radius });
}

function box(x: number, y: number, z: number, radius = 0): OracleShape {
  return oracleShape({ type: 'box', halfExtents: [x, y, z], radius });
}

function capsule(halfHeight: number, radius: number): OracleShape {
  return oracleShape({ type: 'capsule', halfHeight, radius });
}

function hull(...points: number[]): OracleShape {
  return oracleShape({ type: 'hull', points });
}

function extent(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): number {
  const between = Math.hypot(...[0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]));
  return Math.max(pairSize(a, poseA, b, poseB), between);
}

function forEachPair(
  family: Family,
  use: (a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose, label: string) => void,
): void {
  const shapes = family.shapes.map(oracleShape);
  for (let i = 0; i < family.pairs.length; i += 2) {
    const [a, b] = [family.pairs[i], family.pairs[i + 1]];
    const of = (body: number) => shapes[family.bodies.shapes[body]];
    use(of(a), poseOf(family, a), of(b), poseOf(family, b), `${family.name}, pair ${i / 2}`);
  }
}

const everyFamily = [...familyNames, ...structuredFamilyNames];

function anyFamily(name: (typeof everyFamily)[number], count: number, seed: number): Family {
  return structuredFamilyNames.includes(name as never)
    ? makeStructuredFamily(name as (typeof structuredFamilyNames)[number], count, seed)
    : makeFamily(name as (typeof familyNames)[number], count, seed);
}

describe('exact hull', () => {
  test('a cube keeps its corners, edges and faces whatever points are added on and in it', () => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]);
    const onFace = [0.5, 0.5, 0, 0.25, 0.75, 1];
    const onEdge = [0.5, 0, 0, 1, 1, 0.1];
    const inside = [0.5, 0.5, 0.5];
    const cube = exactHull([...inside, ...corners, ...onFace, ...onEdge, ...corners]);
    expect(cube.dimension).toBe(3);
    expect(cube.vertices.length / 3).toBe(8);
    expect(cube.edges.length / 2).toBe(12);
    expect(cube.facets.map(({ loop }) => loop.length)).toEqual([4, 4, 4, 4, 4, 4]);
  });

  test('points, segments and flat sets are what they are, even when askew', () => {
    expect(exactHull([1, 2, 3, 1, 2, 3]).dimension).toBe(0);
    const segment = exactHull([0.1, 0.2, 0.3, 0.3, 0.6, 0.9, 0, 0, 0]);
    // 3 × 0.1 is not 0.3 in double precision: these three are a triangle of one ulp's width.
    expect(segment.dimension).toBe(2);
    expect(exactHull([0, 0, 0, 1, 2, 3, 3, 6, 9, 2, 4, 6])).toMatchObject({
      dimension: 1,
      edges: Uint32Array.of(0, 1),
    });
    const flat = exactHull([0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0.5, 0.5, 1]);
    expect(flat.dimension).toBe(2);
    expect(flat.vertices.length / 3).toBe(4);
    expect(flat.facets.length).toBe(2);
  });

  test('a lid of 1e-30 is a solid with exact normals', () => {
    const lid = exactHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 1e-30]);
    expect(lid.dimension).toBe(3);
    expect(lid.facets.length).toBe(4);
    for (const { normal } of lid.facets) expect(Math.abs(normal[2])).toBe(1);
  });

  test.each(everyFamily)('%s: facets bound all vertices and Euler counts hold', (name) => {
    for (const shape of anyFamily(name, 1, 5).shapes.map(oracleShape)) {
      if (shape.kind !== 'polytope' || shape.dimension < 3) continue;
      const count = shape.vertices.length / 3;
      expect(count - shape.edges.length / 2 + shape.facets.length).toBe(2);
      for (const { normal: n, loop } of shape.facets)
        for (let i = 0; i < count; i++) {
          const height = [0, 1, 2].reduce(
            (sum, k) => sum + n[k] * (shape.vertices[3 * i + k] - shape.vertices[3 * loop[0] + k]),
            0,
          );
          expect(height).toBeLessThanOrEqual(1e-15 * shape.boundingRadius);
        }
    }
  });
});

describe('closed forms', () => {
  test('spheres: distance of the centres less the radii', () => {
    const result = signedDistance(sphere(1), HERE, sphere(0.5), at(3, 4, 0));
    expect(result.distance).toBeCloseTo(3.5, 14);
    expect(result.normal[0]).toBeCloseTo(0.6, 14);
    expect(signedDistance(sphere(1), HERE, sphere(0.5), at(0, 0, 1)).distance).toBeCloseTo(-0.5, 14);
    expect(signedDistance(sphere(1), HERE, sphere(0.5), HERE).distance).toBe(-1.5);
  });

  test('sphere and box: face, edge, corner, inside', () => {
    const cube = box(1, 1, 1);
    expect(signedDistance(cube, HERE, sphere(0.5), at(0.3, -0.2, 3)).distance).toBeCloseTo(1.5, 14);
    expect(signedDistance(cube, HERE, sphere(0.5), at(4, 0, 5)).distance).toBeCloseTo(4.5, 14);
    expect(signedDistance(cube, HERE, sphere(0.5), at(2, 3, 3)).distance).toBeCloseTo(2.5, 14);
    const inside = signedDistance(cube, HERE, sphere(0.5), at(0.2, -0.7, 0.1));
    expect(inside.distance).toBeCloseTo(-0.8, 14);
    expect(inside.normal).toEqual([0, -1, 0]);
  });

  test('capsules: parallel, crossing, end to end, through each other', () => {
    const rod = capsule(1, 0.25);
    const lying = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    expect(signedDistance(rod, HERE, rod, at(2, 0.5, 0)).distance).toBeCloseTo(1.5, 14);
    expect(signedDistance(rod, HERE, rod, at(0, 0.5, 2, lying)).distance).toBeCloseTo(1.5, 14);
    expect(signedDistance(rod, HERE, rod, at(0, 3, 0)).distance).toBeCloseTo(0.5, 14);
    const crossed = signedDistance(rod, HERE, rod, at(0, 0.5, 0, lying));
    expect(crossed.distance).toBeCloseTo(-0.5, 14);
    expect(Math.abs(crossed.normal[2])).toBeCloseTo(1, 14);
    const along = signedDistance(rod, HERE, rod, at(0, 0.5, 0));
    expect(along.distance).toBeCloseTo(-0.5, 14);
    expect(along.normal[1]).toBeCloseTo(0, 14);
  });

  test('axis-aligned boxes: positive axis gaps combine, otherwise the largest counts', () => {
    const random = createRandom(11);
    for (let i = 0; i < 200; i++) {
      const [h, g, p] = [0, 1, 2].map((which) =>
        [0, 1, 2].map(() => uniform(random, which < 2 ? 0 : -2, which < 2 ? 1 : 2)),
      );
      const gaps = p.map((x, k) => Math.abs(x) - h[k] - g[k]);
      const outside = Math.hypot(...gaps.map((gap) => Math.max(gap, 0)));
      const expected = outside > 0 ? outside : Math.max(...gaps);
      expect(
        signedDistance(box(h[0], h[1], h[2]), HERE, box(g[0], g[1], g[2]), at(p[0], p[1], p[2])).distance,
      ).toBeCloseTo(expected, 14);
    }
  });

  test('a box deep inside a box must leave by the nearest face', () => {
    expect(signedDistance(box(10, 10, 10), HERE, box(0.1, 0.1, 0.1), at(1, -3, 2)).distance).toBeCloseTo(-7.1, 14);
  });

  test('rounding adds both radii, apart and overlapping', () => {
    expect(signedDistance(box(1, 1, 1, 0.25), HERE, box(1, 1, 1, 0.5), at(5, 6, 0)).distance).toBeCloseTo(4.25, 14);
    expect(signedDistance(box(1, 1, 1, 0.25), HERE, box(1, 1, 1, 0.5), at(1.5, 0, 0)).distance).toBeCloseTo(-1.25, 14);
  });

  test('scale multiplies core and radius, quaternions of any length turn alike', () => {
    const grown = at(10, 0, 0, [0, 0, 5, 5], 2);
    expect(signedDistance(box(1, 1, 1), HERE, box(1, 2, 1, 0.5), grown).distance).toBeCloseTo(4, 13);
    expect(supportValue(box(1, 2, 1, 0.5), grown, [1, 0, 0])).toBeCloseTo(15, 13);
  });

  test('overlapping coplanar triangles: 0 along the plane normal', () => {
    const turn = [0.1, 0.7, -0.3, 0.5];
    const a = hull(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const b = hull(0.1, 0.1, 0, 0.6, 0.2, 0, 0.2, 0.9, 0);
    const { distance, normal } = signedDistance(a, at(0, 0, 0, turn), b, at(0, 0, 0, turn));
    expect(Math.abs(distance)).toBeLessThan(1e-15);
    const inPlane = signedDistance(a, at(0, 0, 0, turn), sphere(0), at(0, 0, 0)).normal;
    expect(Math.abs(normal[0] * inPlane[0] + normal[1] * inPlane[1] + normal[2] * inPlane[2])).toBeCloseTo(1, 14);
  });

  test('coplanar triangles apart: the gap in the plane', () => {
    const a = hull(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const { distance, normal } = signedDistance(a, HERE, a, at(1.25, 0, 0));
    expect(distance).toBeCloseTo(0.25, 14);
    expect(normal[0]).toBeCloseTo(1, 14);
  });

  test('crossing squares have a solid difference body and its depth', () => {
    const upright = at(0, 0, 0, [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    expect(signedDistance(box(0.5, 0.5, 0), HERE, box(0.5, 0.5, 0), upright).distance).toBeCloseTo(-0.5, 14);
  });

  test('a flat shape inside a solid has its full depth', () => {
    expect(signedDistance(box(1, 1, 1), HERE, box(0.5, 0.5, 0), at(0, 0, 0.25)).distance).toBeCloseTo(-0.75, 14);
  });

  test('points and segments on each other: 0 across', () => {
    const point = sphere(0);
    const segment = hull(0, 0, 0, 1, 2, 3);
    expect(signedDistance(point, HERE, point, HERE).distance).toBeCloseTo(0, 15);
    for (const other of [point, segment, hull(-1, -2, -3, 0.5, 1, 1.5)]) {
      const { distance, normal } = signedDistance(segment, HERE, other, HERE);
      expect(Math.abs(distance)).toBeLessThan(1e-15);
      expect(normal[0] + 2 * normal[1] + 3 * normal[2]).toBeCloseTo(0, 14);
    }
  });
});

function shapeOf(body: { halfExtents?: number[]; points?: number[][] }): OracleShape {
  const { halfExtents: h, points } = body;
  return h ? box(h[0], h[1], h[2]) : hull(...points!.flat());
}

describe('hard cases of other libraries', () => {
  test.each(hardCases.cases)('$id', ({ a, b, truthSignedDistance, bestAxisAtoB }) => {
    const [shapeA, shapeB] = [shapeOf(a), shapeOf(b)];
    const t = 1e-9 * extent(shapeA, a, shapeB, b);
    expect(Math.abs(signedDistance(shapeA, a, shapeB, b).distance - truthSignedDistance)).toBeLessThanOrEqual(t);
    expect(Math.abs(separation(shapeA, a, shapeB, b, bestAxisAtoB) - truthSignedDistance)).toBeLessThanOrEqual(t);
  });
});

/** Most room along any of `count` random directions, the best few refined by ever smaller random steps. */
function sampledRoom(
  random: Random,
  a: OracleShape,
  poseA: OraclePose,
  b: OracleShape,
  poseB: OraclePose,
  count: number,
): number {
  const tried = Array.from({ length: count }, () => {
    const n = unitVector(random, [0, 0, 0]);
    return { n, room: separation(a, poseA, b, poseB, n) };
  });
  const best = tried.sort((p, q) => q.room - p.room).slice(0, 4);
  for (const candidate of best)
    for (let step = 0.3; step > 1e-9; step *= 0.8) {
      const shift = unitVector(random, [0, 0, 0]);
      const moved = candidate.n.map((x, k) => x + step * shift[k]);
      const length = Math.hypot(...moved);
      const n = moved.map((x) => x / length);
      const room = separation(a, poseA, b, poseB, n);
      if (room > candidate.room) Object.assign(candidate, { n, room });
    }
  return Math.max(...best.map(({ room }) => room));
}

/** Everything that holds for every pair; texts of what does not. */
function inconsistencies(
  random: Random,
  a: OracleShape,
  poseA: OraclePose,
  b: OracleShape,
  poseB: OraclePose,
): string[] {
  const faults: string[] = [];
  const size = extent(a, poseA, b, poseB);
  const rounding = ROUNDING * size;
  // For curved shapes the search proves less; its exhaustive form gives bounds.
  const t = oracleError(a, b) * size;
  const { distance, normal } = signedDistance(a, poseA, b, poseB);
  const expectNear = (what: string, value: number, wanted: number, within = rounding) => {
    if (!(Math.abs(value - wanted) <= within)) faults.push(`${what}: ${value} instead of ${wanted}`);
  };
  expectNear('room along the normal', separation(a, poseA, b, poseB, normal), distance);
  expectNear('length of the normal', 1 + rounding * (Math.hypot(...normal) - 1), 1);
  expectNear('swapped', signedDistance(b, poseB, a, poseA).distance, distance, t);
  const exhaustive = signedDistance(a, poseA, b, poseB, { exhaustive: true });
  const { low = exhaustive.distance, high = exhaustive.distance } = exhaustive;
  if (!(distance >= low - rounding && distance <= high + rounding))
    faults.push(`exhaustive: ${low} to ${high} instead of ${distance}`);
  const moved = { ...poseB, position: [0, 1, 2].map((k) => poseB.position[k] - distance * normal[k]) };
  // World coordinates of the moved body round to an ulp of themselves.
  const ulp = 2 ** -52 * Math.hypot(...moved.position);
  const touching = signedDistance(a, poseA, b, moved).distance;
  if (!(Math.abs(touching) <= t + ulp)) faults.push(`moved to touch: ${touching}`);
  const sampled = sampledRoom(random, a, poseA, b, poseB, 200);
  if (!(sampled <= distance + t)) faults.push(`a sampled direction has room ${sampled}, more than ${distance}`);
  return faults;
}

describe('consistency', () => {
  test.each(everyFamily)('%s: reached, never exceeded, symmetric, exhaustive search agrees', (name) => {
    const random = createRandom(3);
    const faults: string[] = [];
    forEachPair(anyFamily(name, atNight(20, 120), 17), (a, poseA, b, poseB, label) => {
      faults.push(...inconsistencies(random, a, poseA, b, poseB).map((fault) => `${label}, seed 17: ${fault}`));
    });
    expect(faults).toEqual([]);
  });

  test('all dimensions against each other, in special poses and random ones', () => {
    const thin = 1e-3;
    const shapes: Record<string, OracleShape> = {
      point: sphere(0),
      'point off its origin': hull(0.5, -0.25, 0),
      ball: sphere(0.25),
      segment: hull(-0.5, -0.25, 0, 0.75, 0.5, 0),
      capsule: capsule(0.5, 0.125),
      triangle: hull(0, 0, 0, 1, 0, 0, 0, 1, 0),
      polygon: hull(0, 0, 0, 1, 0, 0, 1.5, 1, 0, 0.5, 1.5, 0, -0.5, 0.75, 0),
      'rounded square': box(0.5, 0.5, 0, 0.125),
      plate: box(1, 1, thin),
      needle: box(1, thin, thin),
      tetrahedron: hull(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      cube: box(0.5, 0.5, 0.5),
    };
    const random = createRandom(4);
    const faults: string[] = [];
    const poses = [
      HERE,
      at(0.25, 0.25, 0),
      at(2, 0, 0),
      at(0, 0, 0.75),
      at(1, 0, 0, [1, 0, 0, 1]),
      at(0, 0, 0, [0, 0, 1, 3]),
      at(0.25, 0.5, 0, [1e-7, 2e-7, 0, 1]),
      at(0.25, 0.5, 1e-9),
    ];
    for (const [nameA, a] of Object.entries(shapes))
      for (const [nameB, b] of Object.entries(shapes)) {
        const [x, y, z] = unitVector(random, [0, 0, 0]);
        const anyhow = at(0.7 * x, 0.7 * y, 0.7 * z, unitVector(random, [0, 0, 0, 0]), 0.5);
        // A point in the same place as a point has size 0, and nothing to be a share of.
        for (const pose of [...poses, anyhow].filter((candidate) => extent(a, HERE, b, candidate) > 0)) {
          const label = `${nameA}, ${nameB} at ${Array.from(pose.position)} turned ${Array.from(pose.quaternion)}`;
          faults.push(...inconsistencies(random, a, HERE, b, pose).map((fault) => `${label}: ${fault}`));
        }
      }
    expect(faults).toEqual([]);
  });

  test('the depth is that of the difference body, built from all differences of points on a grid', () => {
    const random = createRandom(21);
    const count = atNight(300, 1500);
    const reached = { overlapping: 0, flat: 0, apart: 0 };
    for (let i = 0; i < count; i++) {
      // Every other pair lies in the plane z = 0.
      const inPlane = (length: number, lowest: number) =>
        Array.from({ length }, (_, k) => (i % 2 === 0 && k % 3 === 2 ? 0 : lowest + below(random, 4)));
      const [p, q] = [0, 1].map(() => inPlane(3 * (1 + below(random, 6)), 0));
      const offset = inPlane(3, -2);
      const differences: number[] = [];
      for (let k = 0; k < p.length; k += 3)
        for (let l = 0; l < q.length; l += 3)
          for (let axis = 0; axis < 3; axis++) differences.push(q[l + axis] + offset[axis] - p[k + axis]);
      const body = oraclePolytope({ type: 'hull', points: differences });
      const heights = body.facets.map(({ normal: n, loop }) =>
        [0, 1, 2].reduce((sum, k) => sum + n[k] * body.vertices[3 * loop[0] + k], 0),
      );
      const { distance } = signedDistance(hull(...p), HERE, hull(...q), at(offset[0], offset[1], offset[2]));
      if (body.dimension === 3 && Math.min(...heights) >= 0) {
        reached.overlapping++;
        expect(distance).toBeCloseTo(-Math.min(...heights), 13);
      } else {
        // The origin is outside, or in a flat body: as far from the body as the two are apart.
        const gap = signedDistance(body, HERE, sphere(0), HERE).distance;
        if (gap > 1e-9) reached.apart++;
        else reached.flat++;
        expect(gap).toBeGreaterThan(-1e-13);
        expect(distance).toBeCloseTo(gap, 13);
      }
    }
    for (const [branch, times] of Object.entries(reached)) expect(times, branch).toBeGreaterThan(count / 30);
  });

  test('approach to touch, through every gap from 1e-3 to 1e-16 on either side, is followed to rounding', () => {
    const random = createRandom(8);
    forEachPair(makeFamily('hull32-hull32', 10, 2), (a, poseA, b, poseB, label) => {
      const { distance, normal } = signedDistance(a, poseA, b, poseB);
      for (let gap = 1e-3; gap > 1e-16; gap *= 0.3) {
        const signed = random() < 0.5 ? gap : -gap;
        // Apart, the touching point stays where it is along the normal; deep overlaps may find a shorter way out.
        if (distance < 0 && signed < 0) continue;
        const position = [0, 1, 2].map((k) => poseB.position[k] + (signed - distance) * normal[k]);
        const found = signedDistance(a, poseA, b, { ...poseB, position }).distance;
        const t = ROUNDING * extent(a, poseA, b, poseB);
        if (distance > 0 && signed > 0) expect(Math.abs(found - signed), label).toBeLessThan(t);
        else expect(found, label).toBeGreaterThanOrEqual(signed - t);
      }
    });
  });

  test('far from the origin and turned as a whole, nothing changes', () => {
    const random = createRandom(6);
    const far = [2 ** 27, -(2 ** 26), 2 ** 25];
    forEachPair(makeFamily('box-box', 100, 9), (a, poseA, b, poseB, label) => {
      const { distance } = signedDistance(a, poseA, b, poseB);
      const t = ROUNDING * extent(a, poseA, b, poseB);
      const near = signedDistance(a, onGrid(poseA, [0, 0, 0]), b, onGrid(poseB, [0, 0, 0])).distance;
      expect(signedDistance(a, onGrid(poseA, far), b, onGrid(poseB, far)).distance, label).toBe(near);

      const q = unitVector(random, [0, 0, 0, 0]);
      const turn = (pose: OraclePose): OraclePose => ({
        position: turned(q, pose.position),
        quaternion: product(q, pose.quaternion),
      });
      // World positions up to 10 each are turned, and round.
      expect(Math.abs(signedDistance(a, turn(poseA), b, turn(poseB)).distance - distance), label).toBeLessThan(
        t + 1e-14,
      );
    });
  });
});

/** Moves a pose to multiples of 2^-20, which stay exact 2^27 away, and on by `offset`. */
function onGrid(pose: OraclePose, offset: number[]): OraclePose {
  return { ...pose, position: [0, 1, 2].map((k) => Math.round(pose.position[k] * 2 ** 20) / 2 ** 20 + offset[k]) };
}

function product(p: ArrayLike<number>, q: ArrayLike<number>): number[] {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}

function turned(q: ArrayLike<number>, v: ArrayLike<number>): number[] {
  return product(product(q, [v[0], v[1], v[2], 0]), [-q[0], -q[1], -q[2], q[3]]).slice(0, 3);
}

test('descriptions of every type become the core and the ball that they say', () => {
  const described: [ShapeDescription, 0 | 1 | 2 | 3, number][] = [
    [{ type: 'sphere', radius: 2 }, 0, 2],
    [{ type: 'capsule', halfHeight: 1, radius: 0.5 }, 1, 1.5],
    [{ type: 'capsule', halfHeight: 0, radius: 0.5 }, 0, 0.5],
    [{ type: 'triangle', points: [0, 0, 0, 3, 0, 0, 0, 4, 0], radius: 1 }, 2, 5],
    [{ type: 'box', halfExtents: [3, 4, 0] }, 2, 5],
    [{ type: 'box', halfExtents: [2, 3, 6], radius: 1 }, 3, 8],
    [{ type: 'hull', points: new Float32Array([1, 2, 2]) }, 0, 3],
  ];
  for (const [description, dimension, boundingRadius] of described)
    expect(oracleShape(description)).toMatchObject({ dimension, boundingRadius });
});
