/** Triangles of polytopes, sharp and rounded, from the package's own hull builder. */

import { BufferGeometry, Float32BufferAttribute, IcosahedronGeometry, Vector3 } from 'three';
import { buildHull } from '../../src/shapes/hull.ts';
import type { Hull } from '../../src/shapes/hull.ts';

/** Steps between two faces of a rounded hull, around their common edge. */
const EDGE_STEPS = 6;

/**
 * The hull of `points` (xyz), flat-shaded. A flat set has a front and a back; a point or a segment has no triangles.
 */
export function polytopeGeometry(points: ArrayLike<number>): BufferGeometry {
  const hull = buildHull(points);
  const face = new Vector3();
  return faceFans(hull, (_, f) => face.fromArray(hull.facePlanes, 4 * f));
}

/**
 * The hull of `points` enlarged by a ball. Each vertex of the core gets the points of a sphere in those directions in
 * which the vertex is the support; the hull of all these points is the surface. The directions include face normals and
 * steps around each edge, so that flat faces stay exactly flat and edges become clean cylinders. The normal at a point
 * is its direction.
 */
export function roundedPolytopeGeometry(points: ArrayLike<number>, radius: number): BufferGeometry {
  const core = buildHull(points);
  const everywhere = sphereDirections();
  const directions: Vector3[] = [];
  const cloud: number[] = [];
  for (let v = 0; v < core.source.length; v++) {
    const vertex = vertexOf(core, v);
    const corner = everywhere.filter((direction) => support(core, direction) === v);
    for (const direction of [...corner, ...edgeDirections(core, v)]) {
      directions.push(direction);
      cloud.push(...vertex.clone().addScaledVector(direction, radius));
    }
  }
  const hull = buildHull(cloud);
  return faceFans(hull, (v) => directions[hull.source[v]]);
}

/** Each face as a fan of triangles. `normalOf` returns the normal at a vertex of a face. */
function faceFans(
  { vertices, faceStart, faceVertices }: Hull,
  normalOf: (vertex: number, face: number) => Vector3,
): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  for (let face = 0; face + 1 < faceStart.length; face++) {
    for (let i = faceStart[face] + 1; i + 1 < faceStart[face + 1]; i++) {
      for (const vertex of [faceVertices[faceStart[face]], faceVertices[i], faceVertices[i + 1]]) {
        positions.push(...vertices.subarray(3 * vertex, 3 * vertex + 3));
        normals.push(...normalOf(vertex, face));
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  return geometry;
}

function sphereDirections(): Vector3[] {
  const { position } = new IcosahedronGeometry(1, 2).attributes;
  const unique = new Map<string, Vector3>();
  for (let i = 0; i < position.count; i++) {
    const direction = new Vector3().fromBufferAttribute(position, i);
    unique.set(
      direction
        .toArray()
        .map((x) => x.toFixed(4))
        .join(),
      direction,
    );
  }
  return [...unique.values()];
}

/** Normals of the faces around vertex v, and steps between the normals of adjacent faces. */
function edgeDirections(core: Hull, v: number): Vector3[] {
  const directions: Vector3[] = [];
  const around = facesAt(core, v);
  for (const face of around) directions.push(normalOfFace(core, face));
  const middle = centroid(core);
  for (const w of core.neighbours.subarray(core.neighbourStart[v], core.neighbourStart[v + 1])) {
    const [left, right] = facesAt(core, w)
      .filter((face) => around.includes(face))
      .map((face) => normalOfFace(core, face));
    if (!left || !right) continue;
    let between = left.clone().add(right);
    if (between.length() < 1e-6) {
      // At a flat core's edge, the path from front to back leads over the outside, perpendicular to the edge.
      const start = vertexOf(core, v);
      between = vertexOf(core, w).sub(start).cross(left);
      if (between.dot(start.sub(middle)) < 0) between.negate();
    }
    between.normalize();
    for (let step = 1; step < EDGE_STEPS; step++) {
      const share = (2 * step) / EDGE_STEPS;
      directions.push(share <= 1 ? spread(left, between, share) : spread(between, right, share - 1));
    }
  }
  return directions;
}

/** The unit vector at `share` of the angle from `from` to `to`. The two must not be opposite. */
function spread(from: Vector3, to: Vector3, share: number): Vector3 {
  const angle = from.angleTo(to);
  if (angle < 1e-6) return from.clone();
  return from
    .clone()
    .multiplyScalar(Math.sin((1 - share) * angle))
    .addScaledVector(to, Math.sin(share * angle))
    .normalize();
}

/** The vertex farthest along a direction. */
function support(core: Hull, direction: Vector3): number {
  const heights = Array.from(core.source, (_, v) => vertexOf(core, v).dot(direction));
  return heights.indexOf(Math.max(...heights));
}

function facesAt({ faceStart, faceVertices }: Hull, v: number): number[] {
  const faces: number[] = [];
  for (let face = 0; face + 1 < faceStart.length; face++) {
    if (faceVertices.subarray(faceStart[face], faceStart[face + 1]).includes(v)) faces.push(face);
  }
  return faces;
}

function normalOfFace(core: Hull, face: number): Vector3 {
  return new Vector3().fromArray(core.facePlanes, 4 * face);
}

function vertexOf({ vertices }: Hull, v: number): Vector3 {
  return new Vector3().fromArray(vertices, 3 * v);
}

function centroid(core: Hull): Vector3 {
  const sum = new Vector3();
  for (let v = 0; v < core.source.length; v++) sum.add(vertexOf(core, v));
  return sum.divideScalar(core.source.length);
}
