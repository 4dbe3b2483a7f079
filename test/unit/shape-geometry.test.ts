/**
 * What `shapeGeometry` gives is what features of contacts number: a contact's point lies on the vertex, edge or face
 * that its feature names.
 */

import { describe, expect, test } from 'vitest';
import {
  createTester,
  featureIndex,
  FeatureKind,
  featureKind,
  type PlanarShapeGeometry,
  type ShapeGeometry,
} from '../../src/index.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { randomCloud } from '../../verification/families/random-shapes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

const COUNT = 1000;
const TOLERANCE = 2e-5;

/**
 * How far a point is from the hull of others, in a plane, a line or a point, counter-clockwise around `normal` where
 * they are a polygon.
 */
function distanceTo(points: number[][], p: readonly number[]): number {
  if (points.length === 1) return Math.hypot(...p.map((x, k) => x - points[0][k]));
  const edges = points.map((a, i) => [a, points[(i + 1) % points.length]]);
  const toEdge = Math.min(
    ...edges.map(([a, b]) => {
      const along = b.map((x, k) => x - a[k]);
      const from = p.map((x, k) => x - a[k]);
      const t = dot(from, along) / dot(along, along);
      return Math.hypot(...from.map((x, k) => x - Math.min(Math.max(t, 0), 1) * along[k]));
    }),
  );
  if (points.length === 2) return toEdge;
  const normal = areaVector(points);
  const isOver = edges.every(
    ([a, b]) =>
      dot(
        cross(
          b.map((x, k) => x - a[k]),
          p.map((x, k) => x - a[k]),
        ),
        normal,
      ) >= 0,
  );
  return isOver
    ? Math.abs(
        dot(
          p.map((x, k) => x - points[0][k]),
          normal,
        ),
      )
    : toEdge;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
const cross = (a: number[], b: number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function areaVector(points: number[][]): number[] {
  const sum = [0, 0, 0];
  for (let i = 1; i + 1 < points.length; i++) {
    const [a, b] = [i, i + 1].map((n) => points[n].map((x, k) => x - points[0][k]));
    cross(a, b).forEach((x, k) => (sum[k] += x));
  }
  const length = Math.hypot(...sum);
  return sum.map((x) => x / length);
}

/** How far a point of the core is from the feature that it is said to lie on. */
function offFeature(
  { vertices, edges, faces, circles, surfaces }: ShapeGeometry,
  feature: number,
  p: number[],
  normal: readonly number[],
): number {
  const vertex = (k: number): number[] => Array.from(vertices.subarray(3 * k, 3 * k + 3));
  const index = featureIndex(feature);
  switch (featureKind(feature)) {
    case FeatureKind.Vertex:
      return distanceTo([vertex(index)], p);
    case FeatureKind.Edge: {
      if (circles.length === 0) return distanceTo([vertex(edges[2 * index]), vertex(edges[2 * index + 1])], p);
      const { centre, radius } = circles[index];
      return Math.hypot(Math.hypot(p[0], p[2]) - radius, p[1] - centre[1]);
    }
    case FeatureKind.Face: {
      if (surfaces.length > 0) return offSurface(surfaces[index], circles[index]?.centre[1], p);
      const loop = Array.from(faces[index], vertex);
      // Outward, as the contact's normal is.
      return Math.max(distanceTo(loop, p), 1 - dot(areaVector(loop), normal));
    }
    default:
      return Infinity;
  }
}

/** Sizes are those of the descriptions below: height 2 · 0.75, radius 0.5, half axes 0.3, 0.6 and 1. */
function offSurface(surface: string, height: number, [x, y, z]: number[]): number {
  const out = Math.hypot(x, z);
  if (surface === 'disc') return Math.abs(y - height);
  if (surface === 'cylinder') return Math.abs(out - 0.5);
  if (surface === 'cone') return Math.abs(out - (0.5 * (0.75 - y)) / 1.5);
  return surface === 'ellipsoid' ? Math.abs(Math.hypot(x / 0.3, y / 0.6, z) - 1) : Math.abs(y - 0.25);
}

const random = createRandom(11);
const cloud = Array.from(randomCloud(random, 1).points);

describe.each<[ShapeDescription, least: number]>([
  [{ type: 'sphere', radius: 0.5 }, 1],
  [{ type: 'capsule', halfHeight: 0.5, radius: 0.25 }, 3],
  [{ type: 'box', halfExtents: [0.25, 0.5, 1] }, 26],
  [{ type: 'box', halfExtents: [0.25, 0.5, 1], radius: 0.25 }, 26],
  [{ type: 'triangle', points: [0, 0, 0, 1, 0, 0.5, 0, 1, 0.25] }, 6],
  [{ type: 'hull', points: [0, 0, 0.5, 0.1, 0.1, 0.2, 1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, -1, -1, 0] }, 9],
  [{ type: 'hull', points: cloud, radius: 0.125 }, 12],
  [{ type: 'cylinder', halfHeight: 0.75, radius: 0.5 }, 5],
  [{ type: 'cone', halfHeight: 0.75, radius: 0.5 }, 4],
  [{ type: 'ellipsoid', radii: [0.3, 0.6, 1] }, 1],
  [{ type: 'halfspace', normal: [0, 1, 0], offset: 0.25 }, 1],
])('%j', (description, least) => {
  test('points lie on their features', async () => {
    const tester = await createTester({ backend: 'cpu' });
    const ids = [tester.addShape(description), tester.addShape({ type: 'sphere', radius: 0.0625 })];
    const geometry = tester.shapeGeometry(ids[0]);
    const bodies = {
      shapes: Uint32Array.from({ length: COUNT + 1 }, (_, i) => ids[i === 0 ? 0 : 1]),
      positions: Float32Array.from({ length: 3 * (COUNT + 1) }, (_, i) => (i < 3 ? 0 : uniform(random, -2, 2))),
      quaternions: Float32Array.from({ length: 4 * (COUNT + 1) }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    };
    const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2));
    const found = new Set<number>();
    for (const { featureA, pointA, normal, distance } of await tester.contacts(bodies, pairs, { margin: Infinity })) {
      if (distance <= 0) continue;
      const core = pointA.map((x, k) => x - geometry.radius * normal[k]);
      found.add(featureA);
      expect(
        offFeature(geometry, featureA, core, normal),
        `feature ${featureKind(featureA)} ${featureIndex(featureA)} at ${pointA.join()}`,
      ).toBeLessThanOrEqual(TOLERANCE);
    }
    expect(found.size).toBeGreaterThanOrEqual(least);
    tester.dispose();
  });
});

test('every edge and face of a box stands where the numbering says', async () => {
  const tester = await createTester({ backend: 'cpu' });
  const { vertices, edges, faces } = tester.shapeGeometry(tester.addShape({ type: 'box', halfExtents: [1, 2, 3] }));
  expect(vertices).toHaveLength(24);
  expect(edges).toHaveLength(24);
  for (let edge = 0; edge < 12; edge++) {
    const difference = [0, 1, 2].map((k) => vertices[3 * edges[2 * edge + 1] + k] - vertices[3 * edges[2 * edge] + k]);
    expect(difference).toEqual([0, 1, 2].map((k) => (k === Math.floor(edge / 4) ? 2 * (k + 1) : 0)));
  }
  faces.forEach((face, number) => {
    const normal = areaVector(Array.from(face, (v) => Array.from(vertices.subarray(3 * v, 3 * v + 3))));
    expect(normal.map((x) => x + 0)).toEqual([0, 1, 2].map((k) => (k === number >> 1 ? 2 * (number & 1) - 1 : 0)));
  });
});

test("a hull's vertices stand at the indices of the caller's points", async () => {
  const tester = await createTester({ backend: 'cpu' });
  const points = [0.1, 0.1, 0.1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.1, 0.1, 0, 0, 1];
  const { vertices, edges, faces } = tester.shapeGeometry(tester.addShape({ type: 'hull', points }));
  expect(Array.from(vertices)).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
  expect(new Set(edges)).toEqual(new Set([1, 2, 3, 5]));
  expect(edges).toHaveLength(12);
  expect(faces.map((face) => face.length)).toEqual([3, 3, 3, 3]);
});

describe.each<[PlanarShapeDescription, least: number]>([
  [{ type: 'circle', radius: 0.5 }, 1],
  [{ type: 'capsule', halfHeight: 0.5, radius: 0.25 }, 3],
  [{ type: 'segment', points: [1, 0, 0, 0.5] }, 3],
  [{ type: 'rectangle', halfExtents: [0.5, 1], radius: 0.125 }, 8],
  [{ type: 'rectangle', halfExtents: [0, 1] }, 2],
  [{ type: 'polygon', points: [0.1, 0.1, 1, 0, 0, 1, -1, 0, 0, -1], convexify: true }, 8],
])('in the plane %j', (description, least) => {
  test('points lie on their features', async () => {
    const tester = await createTester({ backend: 'cpu', dimension: 2 });
    const ids = [tester.addShape(description), tester.addShape({ type: 'circle', radius: 0.0625 })];
    const geometry: PlanarShapeGeometry = tester.shapeGeometry(ids[0]);
    const bodies = {
      shapes: Uint32Array.from({ length: COUNT + 1 }, (_, i) => ids[i === 0 ? 0 : 1]),
      positions: Float32Array.from({ length: 2 * (COUNT + 1) }, (_, i) => (i < 2 ? 0 : uniform(random, -3, 3))),
      angles: new Float32Array(COUNT + 1),
    };
    const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2));
    const vertex = (k: number): number[] => Array.from(geometry.vertices.subarray(2 * k, 2 * k + 2));
    const found = new Set<number>();
    for (const { featureA, pointA, normal, distance } of await tester.contacts(bodies, pairs, { margin: Infinity })) {
      if (distance <= 0) continue;
      found.add(featureA);
      const core = pointA.map((x, k) => x - geometry.radius * normal[k]);
      const index = featureIndex(featureA);
      const points =
        featureKind(featureA) === FeatureKind.Vertex
          ? [vertex(index)]
          : [vertex(geometry.edges[2 * index]), vertex(geometry.edges[2 * index + 1])];
      expect(
        distanceTo(points, core),
        `feature ${featureKind(featureA)} ${index} at ${pointA.join()}`,
      ).toBeLessThanOrEqual(TOLERANCE);
    }
    expect(found.size).toBeGreaterThanOrEqual(least);
    tester.dispose();
  });
});
