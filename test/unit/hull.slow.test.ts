import { describe, expect, test } from 'vitest';
import { buildHull, type Hull } from '../../src/shapes/hull.ts';
import { hullTriangles, nextHalfEdge } from '../../src/shapes/hull-triangles.ts';
import { exactHull } from '../../verification/oracle/exact-hull.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

type Point = number[];

/** How far, relative to the extent, a point may be outside the hull. */
const OUTSIDE = 1e-13;

function build(points: Point[]): Hull {
  return buildHull(points.flat());
}

function toF32(points: Point[]): Point[] {
  return points.map((p) => p.map(Math.fround));
}

/** Turned by a random rotation and rounded to f32. */
function turned(points: Point[], random: Random): Point[] {
  const [x, y, z, w] = unitVector(random, [0, 0, 0, 0]);
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return toF32(points.map((p) => rows.map((row) => dot(row, p))));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function minus(a: Point, b: Point): Point {
  return a.map((value, i) => value - b[i]);
}

function extentOf(points: Point[]): number {
  return Math.max(
    ...[0, 1, 2].map((axis) => {
      const values = points.map((p) => p[axis]);
      return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
    }),
  );
}

function faces(hull: Hull): number[][] {
  return Array.from({ length: hull.faceStart.length - 1 }, (_, f) => [
    ...hull.faceVertices.subarray(hull.faceStart[f], hull.faceStart[f + 1]),
  ]);
}

function neighboursOf(hull: Hull, v: number): number[] {
  return [...hull.neighbours.subarray(hull.neighbourStart[v], hull.neighbourStart[v + 1])];
}

function counts(hull: Hull): { vertices: number; edges: number; faces: number } {
  return { vertices: hull.source.length, edges: hull.edges.length / 2, faces: hull.faceStart.length - 1 };
}

/** The points as text, in an order that does not depend on theirs. */
function sorted(xyz: Float64Array): string[] {
  return Array.from({ length: xyz.length / 3 }, (_, v) => xyz.subarray(3 * v, 3 * v + 3).join(' ')).sort();
}

/** What is wrong with the arrays: correspondence with the input, closedness, Euler's formula, edges and neighbours. */
function topologyProblems(points: Point[], hull: Hull): string[] {
  const problems: string[] = [];
  const count = hull.source.length;
  for (let v = 0; v < count; v++) {
    const given = points[hull.source[v]];
    if (v > 0 && hull.source[v] <= hull.source[v - 1]) problems.push(`source ${v} out of order`);
    if (given.some((value, i) => !Object.is(value, hull.vertices[3 * v + i]))) problems.push(`vertex ${v} changed`);
  }
  const lists = Array.from({ length: count }, (_, v) => neighboursOf(hull, v));
  const fromLists = lists.flatMap((list, v) => list.filter((w) => v < w).map((w) => `${v} ${w}`));
  const edges = Array.from(
    { length: hull.edges.length / 2 },
    (_, e) => `${hull.edges[2 * e]} ${hull.edges[2 * e + 1]}`,
  );
  if (fromLists.join() !== edges.join()) problems.push('edges are not the neighbours, sorted');
  const inOrder = lists.every((list, v) => list.every((w, i) => (i === 0 || w > list[i - 1]) && lists[w].includes(v)));
  if (!inOrder) problems.push('neighbours out of order or not mutual');
  if (count > 1 && lists.some((list) => list.length === 0)) problems.push('a vertex without neighbours');
  if (hull.dimension < 2) return problems;

  const directed = new Set<string>();
  const seen = new Set<number>();
  for (const loop of faces(hull)) {
    if (loop.length < 3 || new Set(loop).size < loop.length) problems.push(`loop ${loop}`);
    loop.forEach((from, i) => {
      const key = `${from} ${loop[(i + 1) % loop.length]}`;
      if (directed.has(key)) problems.push(`edge ${key} twice`);
      directed.add(key);
      seen.add(from);
    });
  }
  for (const key of directed) if (!directed.has(key.split(' ').reverse().join(' '))) problems.push(`edge ${key} open`);
  if (directed.size !== 2 * edges.length || edges.some((key) => !directed.has(key)))
    problems.push('edges not of the faces');
  if (seen.size !== count) problems.push('a vertex on no loop');
  if (count - edges.length + hull.faceStart.length - 1 !== 2) problems.push("Euler's formula");
  return problems;
}

/**
 * Points outside the hull, and planes that are not supporting planes, by brute force over all points along many
 * directions, about `most` of them and one a face: random ones, normals of pairs of edges at a vertex, the faces'
 * normals.
 */
function geometryProblems(points: Point[], hull: Hull, random: Random, most = 2000): string[] {
  const problems: string[] = [];
  const extent = extentOf(points) || 1;
  const origin = points[0];
  const scaled = points.map((p) => minus(p, origin).map((value) => value / extent));
  const corners = Array.from(hull.source, (index) => scaled[index]);
  const directions: Point[] = Array.from({ length: 50 }, () => unitVector(random, [0, 0, 0]));
  for (let v = 0; v < corners.length && directions.length < most; v++) {
    const spokes = neighboursOf(hull, v)
      .slice(0, 5)
      .map((w) => minus(corners[w], corners[v]));
    for (const a of spokes) for (const b of spokes) directions.push(cross(a, b));
  }
  const loops = faces(hull);
  const planes = loops.map((_, f) => [...hull.facePlanes.subarray(4 * f, 4 * f + 4)]);
  for (const plane of planes)
    if (Math.abs(Math.hypot(...plane.slice(0, 3)) - 1) > 1e-15) problems.push(`normal ${plane}`);

  const support = (set: Point[], d: Point): number => set.reduce((top, p) => Math.max(top, dot(d, p)), -Infinity);
  for (const direction of directions) {
    const length = Math.hypot(...direction);
    if (length === 0) continue;
    const d = direction.map((value) => value / length);
    const outside = support(scaled, d) - support(corners, d);
    if (outside > OUTSIDE) problems.push(`a point ${outside} outside`);
  }
  planes.forEach((plane, f) => {
    const top = support(scaled, plane);
    const given = (plane[3] - dot(plane, origin)) / extent;
    const rounding = (4e-16 * Math.hypot(...origin)) / extent;
    if (Math.abs(given - top) > OUTSIDE + rounding) problems.push(`offset of face ${f} off by ${given - top}`);
    const lowest = loops[f].reduce((least, v) => Math.min(least, dot(plane, corners[v])), Infinity);
    if (top - lowest > 2e-6) problems.push(`face ${f} is ${top - lowest} thick`);
  });
  return problems;
}

/** A fan's area vectors against the face's normal: the loop runs counter-clockwise and folds nowhere. */
function foldedFaces(hull: Hull): number[] {
  return faces(hull).flatMap((loop, f) => {
    const corner = (i: number): Point => [...hull.vertices.subarray(3 * loop[i], 3 * loop[i] + 3)];
    const area = [0, 0, 0];
    for (let i = 1; i + 1 < loop.length; i++) {
      cross(minus(corner(i), corner(0)), minus(corner(i + 1), corner(0))).forEach((value, k) => (area[k] += value));
    }
    return dot(area, hull.facePlanes.subarray(4 * f)) >= 0 ? [] : [f];
  });
}

const box = (x: number, y: number, z: number): Point[] =>
  Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z].map((value) => value / 2));

const circle = (corners: number, radius: number, z: number): Point[] =>
  Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });

const prism = (corners: number, radius: number, height: number): Point[] => [
  ...circle(corners, radius, -height / 2),
  ...circle(corners, radius, height / 2),
];

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const cyclic = ([x, y, z]: Point): Point[] => [
  [x, y, z],
  [y, z, x],
  [z, x, y],
];
const signs = [-1, 1].flatMap((a) => [-1, 1].map((b) => [a, b]));
const icosahedron = signs.flatMap(([a, b]) => cyclic([0, a, b * GOLDEN]));
const dodecahedron = [...box(2, 2, 2), ...signs.flatMap(([a, b]) => cyclic([0, a / GOLDEN, b * GOLDEN]))];

const many = (count: number, point: (i: number) => Point): Point[] => Array.from({ length: count }, (_, i) => point(i));
const inBox = (random: Random, ...sides: Point): Point => sides.map((side) => side * uniform(random, -0.5, 0.5));
const bell = (random: Random): number => random() + random() + random() + random() - 2;

describe('a hull of low dimension', () => {
  test('of one point is that point', () => {
    const hull = build([[1, 2, 3]]);
    expect([hull.dimension, [...hull.vertices], [...hull.source]]).toEqual([0, [1, 2, 3], [0]]);
    expect(counts(hull)).toEqual({ vertices: 1, edges: 0, faces: 0 });
    expect([...hull.neighbourStart]).toEqual([0, 0]);
  });

  test('of equal points is the first of them', () => {
    const hull = build(many(20, () => [1e30, -2e-30, 3]));
    expect([hull.dimension, [...hull.source]]).toEqual([0, [0]]);
  });

  test('of two points is a segment with one edge', () => {
    const hull = build([
      [0, 0, 1e-30],
      [0, 0, -1e-30],
    ]);
    expect([hull.dimension, [...hull.edges], [...hull.neighbours]]).toEqual([1, [0, 1], [1, 0]]);
    expect([hull.faceStart.length, hull.facePlanes.length]).toEqual([1, 0]);
  });

  test('of collinear points is the segment between the outer two, first of equals', () => {
    const hull = build([2, 5, 0, 9, 9, 0, 4].map((t) => [t, 2 * t - 7, 3 * t]));
    expect([hull.dimension, [...hull.source]]).toEqual([1, [2, 3]]);
  });

  test('of three points is a triangle with a front and a back', () => {
    const hull = build([
      [0, 0, 5],
      [2, 0, 5],
      [0, 2, 5],
    ]);
    expect(counts(hull)).toEqual({ vertices: 3, edges: 3, faces: 2 });
    expect([...hull.facePlanes].map((value) => value + 0)).toEqual([0, 0, 1, 5, 0, 0, -1, -5]);
    expect(
      topologyProblems(
        [
          [0, 0, 5],
          [2, 0, 5],
          [0, 2, 5],
        ],
        hull,
      ),
    ).toEqual([]);
    expect(foldedFaces(hull)).toEqual([]);
  });

  test('of a plane grid is its four corners', () => {
    const points = many(100, (i) => [i % 10, Math.floor(i / 10), i % 10]);
    const hull = build(points);
    expect([hull.dimension, [...hull.source]]).toEqual([2, [0, 9, 90, 99]]);
    expect([...topologyProblems(points, hull), ...foldedFaces(hull)]).toEqual([]);
  });

  test.each([0, 1e-15, 1e-14])('of a sheet of relative thickness %d is a polygon', (thickness) => {
    const random = createRandom(1);
    const points = toF32(many(300, () => inBox(random, 1, 1, thickness)));
    const hull = build(points);
    expect(hull.dimension).toBe(2);
    expect([
      ...topologyProblems(points, hull),
      ...geometryProblems(points, hull, random),
      ...foldedFaces(hull),
    ]).toEqual([]);
  });
});

describe('faces', () => {
  const solids: [string, Point[], { vertices: number; edges: number; faces: number }][] = [
    [
      'a tetrahedron',
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      { vertices: 4, edges: 6, faces: 4 },
    ],
    ['a box', box(1, 2, 3), { vertices: 8, edges: 12, faces: 6 }],
    ['an octahedron', [1, -1].flatMap((s) => cyclic([s, 0, 0])), { vertices: 6, edges: 12, faces: 8 }],
    ['an icosahedron', icosahedron, { vertices: 12, edges: 30, faces: 20 }],
    ['a dodecahedron', dodecahedron, { vertices: 20, edges: 30, faces: 12 }],
    ['a prism over 7 corners', prism(7, 1, 1), { vertices: 14, edges: 21, faces: 9 }],
    ['a prism over 64 corners', prism(64, 1, 0.1), { vertices: 128, edges: 192, faces: 66 }],
    ['a prism over 256 corners', prism(256, 1, 3), { vertices: 512, edges: 768, faces: 258 }],
    ['a plate 1000:1', box(1, 1, 1e-3), { vertices: 8, edges: 12, faces: 6 }],
    ['a needle 1000:1 over 8 corners', prism(8, 5e-4, 1), { vertices: 16, edges: 24, faces: 10 }],
  ];
  test.each(solids)('%s, turned and rounded to f32, has its faces', (_, points, expected) => {
    for (let seed = 0; seed < 100; seed++) {
      const random = createRandom(seed);
      const rounded = turned(points, random);
      const hull = build(rounded);
      expect(counts(hull), `seed ${seed}`).toEqual(expected);
      expect([...topologyProblems(rounded, hull), ...foldedFaces(hull)], `seed ${seed}`).toEqual([]);
    }
  });

  test.each([1e-5, 1e-6, 1e-7, 1e-9, 1e-12])('a plate of relative thickness %d along the axes has six', (thickness) => {
    const hull = build(toF32(box(1, thickness, 1)));
    expect(counts(hull)).toEqual({ vertices: 8, edges: 12, faces: 6 });
    const normals = faces(hull).map((_, f) => `${hull.facePlanes.subarray(4 * f, 4 * f + 3).map(Math.round)}`);
    expect(normals.sort()).toEqual(['-1,0,0', '0,-1,0', '0,0,-1', '0,0,1', '0,1,0', '1,0,0']);
  });

  test('a turned plate of relative thickness 1e-7 keeps front and back apart', () => {
    for (let seed = 0; seed < 100; seed++) {
      const points = turned(box(1, 1, 1e-7), createRandom(seed));
      const hull = build(points);
      const normals = faces(hull).map((_, f) => hull.facePlanes.subarray(4 * f, 4 * f + 3));
      const opposite = normals.some((a) => normals.some((b) => dot(a, b) < -0.99));
      expect([opposite, ...topologyProblems(points, hull)], `seed ${seed}`).toEqual([true]);
    }
  });

  test('a cube with points on its faces and edges has 8 vertices, 12 edges, 6 faces', () => {
    const points = many(1000, (i) => [i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100)]);
    const hull = build(points);
    expect(counts(hull)).toEqual({ vertices: 8, edges: 12, faces: 6 });
    expect([...hull.source]).toEqual([0, 9, 90, 99, 900, 909, 990, 999]);
  });

  test('a stack of rings loses the rings between', () => {
    const points = toF32(Array.from({ length: 9 }, (_, i) => circle(64, 1, i)).flat());
    expect(counts(build(points))).toEqual({ vertices: 128, edges: 192, faces: 66 });
  });

  test('a flat set rounded to f32 has one face on either side', () => {
    for (let seed = 0; seed < 100; seed++) {
      const points = turned(circle(64, 1, 0), createRandom(seed));
      const hull = build(points);
      expect(counts(hull), `seed ${seed}`).toEqual({ vertices: 64, edges: 64, faces: 2 });
      expect(hull.dimension, `seed ${seed}`).toBe(3);
    }
  });

  test('the base of a half ball keeps no points inside, though the f32 sine of pi is not 0', () => {
    const half = many(16 * 9, (i) => {
      const latitude = (Math.PI / 16) * Math.floor(i / 16);
      const longitude = (Math.PI / 8) * (i % 16);
      return [Math.cos(latitude) * Math.cos(longitude), Math.sin(latitude), Math.cos(latitude) * Math.sin(longitude)];
    });
    const base = many(200, (i) => {
      const angle = Math.PI * (1 + (i % 2));
      return [0.004 * i * Math.cos(angle), 0.004 * i * Math.sin(angle), 0.5 - 0.004 * i];
    });
    const hull = build(toF32([...half, ...base]));
    expect(hull.source.every((index) => index < half.length)).toBe(true);
    expect(Math.max(...faces(hull).map((loop) => loop.length))).toBe(16);
  });

  test('a vertex that sticks out of the middle of a face stays on the loops', () => {
    const points = [...box(2, 2, 2), [0, 0, Math.fround(1 + 2e-7)]];
    const hull = build(points);
    expect([...topologyProblems(points, hull), ...geometryProblems(points, hull, createRandom(1))]).toEqual([]);
    expect(hull.source.length).toBe(9);
  });

  test('a merged face has the offset of its supporting plane, also where that touches a vertex off its loop', () => {
    const top = [
      [70, -23, -18],
      [16, 25, 72],
      [-78, 13, -75],
      [27, -19, 133],
      [55, 3, 109],
      [-60, -3, 93],
      [-11, 17, 79],
    ];
    const points = [...top.map(([x, y, z]) => [x / 100, y / 100, 2 + z * 1e-8]), [-3, -3, -1]];
    const hull = build(points);
    const offLoop = faces(hull).map((loop, f) => {
      const plane = hull.facePlanes.subarray(4 * f, 4 * f + 4);
      const heights = Array.from(hull.source, (index) => dot(points[index], plane) - plane[3]);
      expect(Math.max(...heights)).toBeCloseTo(0, 13);
      return Math.max(...loop.map((v) => heights[v])) < -1e-8;
    });
    expect(offLoop).toContain(true);
  });

  test('merged faces are convex seen along their normal', () => {
    let merged = 0;
    for (let seed = 0; seed < 50; seed++) {
      const random = createRandom(seed);
      const points = turned(
        many(150, () => inBox(random, 1, 1, seed % 2)),
        random,
      );
      const hull = build(points);
      faces(hull).forEach((loop, f) => {
        const corners = loop.map((v) => points[hull.source[v]]);
        const sides = corners.map((p, i) => minus(corners[(i + 1) % corners.length], p));
        sides.forEach((side, i) => {
          const next = sides[(i + 1) % sides.length];
          const turn =
            dot(cross(side, next), hull.facePlanes.subarray(4 * f)) / (Math.hypot(...side) * Math.hypot(...next));
          expect(turn, `seed ${seed}, face ${f}`).toBeGreaterThan(-1e-5);
        });
        if (loop.length > 3) merged++;
      });
    }
    expect(merged).toBeGreaterThan(100);
  });

  test('of near-duplicate points those that stick out stay', () => {
    const tip = Math.fround(1 + 1.2e-7);
    const hull = build([
      [1, 0, 0],
      [-1, 1, 1],
      [-1, -1, 1],
      [-1, -1, -1],
      [-1, 1, -1],
      [tip, 0, 0],
      [tip, 0, 0],
      [1, 0, 0],
    ]);
    expect([...hull.source]).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('random families', () => {
  const families: Record<string, (random: Random) => Point[]> = {
    'bell-shaped clouds': (r) => many(300, () => [bell(r), bell(r), bell(r)]),
    'clouds in a box': (r) => many(300, () => inBox(r, 1, 1, 1)),
    'points on a sphere': (r) => many(200, () => unitVector(r, [0, 0, 0])),
    'coarse grids': (r) => many(400, () => [below(r, 4), below(r, 4), below(r, 4)]),
    grids: (r) => many(3000, () => [below(r, 12), below(r, 12), below(r, 12)]),
    'turned grids': (r) =>
      turned(
        many(500, () => [below(r, 6), below(r, 6), below(r, 6)]),
        r,
      ),
    'turned flat clouds': (r) =>
      turned(
        many(200, () => inBox(r, 1, 1, 0)),
        r,
      ),
    'turned ring stacks': (r) => turned(Array.from({ length: 5 }, (_, i) => circle(24, 1, i)).flat(), r),
    'points on the faces of a turned cube': (r) =>
      turned(
        many(300, (i) => inBox(r, 1, 1, 1).map((value, axis) => (i % 3 === axis ? (i % 2) - 0.5 : value))),
        r,
      ),
    'plates 1e-3 thick': (r) =>
      turned(
        many(150, () => inBox(r, 1, 1, 1e-3)),
        r,
      ),
    'plates 1e-5 thick': (r) =>
      turned(
        many(150, () => inBox(r, 1, 1, 1e-5)),
        r,
      ),
    'plates 1e-7 thick': (r) => many(150, () => inBox(r, 1, 1, 1e-7)),
    'turned plates 1e-7 thick': (r) =>
      turned(
        many(150, () => inBox(r, 1, 1, 1e-7)),
        r,
      ),
    'sheets 1e-12 thick': (r) => many(150, () => inBox(r, 1, 1, 1e-12)),
    'sheets 1e-13 thick': (r) => many(150, () => inBox(r, 1, 1, 1e-13)),
    'needles 1000:1': (r) =>
      turned(
        many(150, () => inBox(r, 1, 1e-3, 1e-3)),
        r,
      ),
    'needles 1e6:1': (r) => many(150, () => inBox(r, 1e-6, 1, 1e-6)),
    'turned needles 1e6:1': (r) =>
      turned(
        many(150, () => inBox(r, 1, 1e-6, 1e-6)),
        r,
      ),
    'needles 1e12:1': (r) => many(150, () => inBox(r, 1, 1e-12, 1e-12)),
    'boards of three thicknesses': (r) =>
      turned(
        many(150, () => inBox(r, 1, 1e-3, 1e-8)),
        r,
      ),
    'near-duplicates': (r) =>
      many(200, () => unitVector(r, [0, 0, 0])).flatMap((p) => [p, p.map((value) => value * (1 + 1e-6 * r()))]),
    duplicates: (r) => many(300, () => box(1, 2, 3)[below(r, 8)]),
    'flat lenses': (r) =>
      many(200, (i) => {
        const [x, y] = inBox(r, 2, 2, 0);
        return [x, y, (i % 2 === 0 ? 1e-6 : -1e-6) * (2 - x * x - y * y)];
      }),
    'clusters of many sizes': (r) =>
      many(200, () => unitVector(r, [0, 0, 0]).map((value) => value * 10 ** uniform(r, -8, 0))),
    'clouds far from the origin': (r) =>
      many(200, () => [1e6 + 100 * bell(r), -2e6 + 100 * bell(r), 3e6 + 100 * bell(r)]),
    'tiny clouds': (r) => many(200, () => [1e-20 * bell(r), 1e-20 * bell(r), 1e-20 * bell(r)]),
    'clouds 1e-30 across': (r) => many(100, () => [1e-30 * bell(r), 1e-30 * bell(r), 1e-30 * bell(r)]),
    'huge clouds': (r) => many(200, () => [1e30 * bell(r), 1e30 * bell(r), 1e30 * bell(r)]),
    'a few points': (r) => many(1 + below(r, 8), () => [below(r, 3), below(r, 3), below(r, 3)]),
  };
  test.each(Object.entries(families))('%s give a closed hull that contains every point', (_, generate) => {
    for (let seed = 0; seed < atNight(2, 20); seed++) {
      const random = createRandom(seed);
      const points = toF32(generate(random));
      const hull = build(points);
      const problems = [...topologyProblems(points, hull), ...geometryProblems(points, hull, random)];
      expect(problems, `seed ${seed}`).toEqual([]);
    }
  });

  test('random clouds of at most 24 points have the vertices of the exact hull', () => {
    const dimensions = [0, 0, 0, 0];
    for (let seed = 0; seed < 300; seed++) {
      const random = createRandom(seed);
      const cells = 2 + below(random, 4);
      const grid = seed % 2 === 0;
      const points = toF32(
        many(1 + below(random, 24), () =>
          grid
            ? [below(random, cells), below(random, cells), below(random, cells)]
            : [bell(random), bell(random), bell(random)],
        ),
      );
      const hull = build(points);
      const exact = exactHull(points.flat());
      expect(hull.dimension, `seed ${seed}`).toBe(exact.dimension);
      expect(sorted(hull.vertices), `seed ${seed}`).toEqual(sorted(exact.vertices));
      if (grid && hull.dimension === 3) {
        expect(counts(hull), `seed ${seed}`).toEqual({
          vertices: exact.vertices.length / 3,
          edges: exact.edges.length / 2,
          faces: exact.facets.length,
        });
      }
      dimensions[hull.dimension]++;
    }
    expect(Math.min(...dimensions)).toBeGreaterThan(2);
  });

  test('the hull does not depend on the order of the points, nor on their scale', () => {
    for (let seed = 0; seed < 50; seed++) {
      const random = createRandom(seed);
      const points = turned(
        many(100, () => [below(random, 4), below(random, 4), below(random, 4)]),
        random,
      );
      const shuffled = points
        .map((p) => ({ p, key: random() }))
        .sort((a, b) => a.key - b.key)
        .map(({ p }) => p);
      const hull = build(points);
      expect(sorted(build(shuffled).vertices), `seed ${seed}`).toEqual(sorted(hull.vertices));
      const scaled = build(points.map((p) => p.map((x) => x * 2 ** -90)));
      expect(scaled.faceVertices, `seed ${seed}`).toEqual(hull.faceVertices);
      expect(
        scaled.vertices.map((x) => x * 2 ** 90),
        `seed ${seed}`,
      ).toEqual(hull.vertices);
    }
  });
});

test('no point is above a triangle of the surface, in exact arithmetic', () => {
  let flat = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = createRandom(seed);
    // Grids of 2 to 12 cells have many exact ties, cells of a billion none; the third axis may be short.
    const cells = seed % 3 === 0 ? 1e9 : 2 + below(random, 11);
    const unit = seed % 2 === 0 ? 1 : 123_457;
    const layers = seed % 5 === 0 ? 3 : cells;
    const inside = many(60, () => [below(random, cells), below(random, cells), below(random, layers)]);
    const points = [[0, 0, 0], [cells, 0, 0], [0, cells, 0], [0, 0, 1], ...inside];
    const lattice = Float64Array.from(points.flat(), (value) => value * unit);
    const surface = hullTriangles(lattice, [0, 1, 2, 3]);
    const exact = (p: number): bigint[] => [0, 1, 2].map((i) => BigInt(lattice[3 * p + i]));
    const above = (a: number, b: number, c: number, p: number): bigint => {
      const [u, v, w] = [b, c, p].map((q) => exact(q).map((value, i) => value - exact(a)[i]));
      return (
        (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2]
      );
    };
    for (let h = 0; h < surface.corners.length; h++) {
      const t = surface.twins[h];
      expect([surface.twins[t], surface.corners[t]]).toEqual([h, surface.corners[nextHalfEdge(h)]]);
    }
    for (let h = 0; h < surface.corners.length; h += 3) {
      const [a, b, c] = surface.corners.subarray(h, h + 3);
      const heights = points.map((_, p) => above(a, b, c, p));
      expect(heights.every((height) => height <= 0n) && heights.some((height) => height < 0n), `seed ${seed}`).toBe(
        true,
      );
      for (let i = h; i < h + 3; i++) {
        const apex = surface.corners[nextHalfEdge(nextHalfEdge(surface.twins[i]))];
        expect(surface.flat[i]).toBe(Number(heights[apex] === 0n));
        flat += surface.flat[i];
      }
    }
  }
  expect(flat).toBeGreaterThan(500);
});

describe('large sets', () => {
  test('4096 points on a sphere are all vertices, and are merged into a few faces less than there are triangles', () => {
    const random = createRandom(1);
    const points = toF32(many(4096, () => unitVector(random, [0, 0, 0])));
    const hull = build(points);
    expect(hull.source.length).toBe(4096);
    expect(counts(hull).faces).toBeGreaterThan(8100);
    expect([
      ...topologyProblems(points, hull),
      ...geometryProblems(points, hull, random, 500),
      ...foldedFaces(hull),
    ]).toEqual([]);
  });

  test('prisms over 4096 corners keep their caps whole', () => {
    for (const points of [toF32(prism(4096, 1, 1)), turned(prism(4096, 1, 1), createRandom(3))]) {
      const hull = build(points);
      expect(hull.source.length).toBe(8192);
      expect(faces(hull).filter((loop) => loop.length === 4096)).toHaveLength(2);
      expect(topologyProblems(points, hull)).toEqual([]);
    }
  });

  test('a full grid of 195,112 points comes down to its corners', () => {
    const hull = build(many(58 ** 3, (i) => [i % 58, Math.floor(i / 58) % 58, Math.floor(i / 58 ** 2)]));
    expect(counts(hull)).toEqual({ vertices: 8, edges: 12, faces: 6 });
  });

  test('200,000 points on four oblique planes and two upright ones come down to those at the edges', () => {
    const random = createRandom(1);
    const points = toF32(
      many(200_000, (i) => {
        const [t, z] = [Math.fround(random()), random()];
        return [
          [t, 1 - t, z],
          [t, t - 1, z],
          [-t, 1 - t, z],
          [-t, t - 1, z],
          [0, 0, i % 12 < 6 ? 0 : 1],
        ][i % 5];
      }),
    );
    const hull = build(points);
    expect(topologyProblems(points, hull)).toEqual([]);
    expect(hull.source.length).toBeLessThan(1000);
  });

  test('100,000 random points', () => {
    const random = createRandom(1);
    const points = toF32(many(100_000, () => [bell(random), bell(random), bell(random)]));
    const hull = build(points);
    expect([...topologyProblems(points, hull), ...geometryProblems(points, hull, random, 100)]).toEqual([]);
  });

  test('cones and double cones over many points, turned and not, keep an apex of thousands of neighbours', () => {
    const random = createRandom(1);
    const corners = atNight(4_000, 40_000);
    const rim = many(corners, () => {
      const angle = 2 * Math.PI * random();
      return [Math.cos(angle), Math.sin(angle), 0];
    });
    for (const points of [
      [[0, 0, 1], ...rim],
      [[0, 0, 1], [0, 0, -1], ...rim],
    ].flatMap((cone) => [toF32(cone), turned(cone, random)])) {
      const hull = build(points);
      const climb = hull.surfaceNeighbours;
      expect(hull.source[0]).toBe(0);
      expect(climb.start[1] - climb.start[0]).toBeGreaterThan(corners / 4);
      expect(topologyProblems(points, hull)).toEqual([]);
      const chosen = Array.from({ length: 200 }, () => 4 * below(random, hull.facePlanes.length / 4));
      for (const plane of chosen.map((at) => hull.facePlanes.subarray(at, at + 4))) {
        const top = points.reduce((most, point) => Math.max(most, dot(plane, point)), -Infinity);
        expect(Math.abs(plane[3] - top)).toBeLessThan(OUTSIDE);
      }
    }
  });
});
