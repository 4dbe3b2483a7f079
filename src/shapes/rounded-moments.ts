/**
 * Moments of a convex polytope and everything within a radius of it: exact, part by part.
 *
 * The sum of a polytope and a ball falls apart as Steiner's formula says (Schneider, Convex Bodies, section 4.1): the
 * polytope, a prism on each face, a sector of a cylinder along each edge, a sector of the ball at each vertex. A sector of
 * the ball spans the outward normals n of its vertex, a region of the unit sphere with an arc for each edge. Integrals
 * of n and n nᵀ over that region are integrals over the arcs: a component of n is a spherical harmonic of degree 1, one
 * of n nᵀ - I/3 of degree 2, so by Green's theorem they are minus 1/2 and minus 1/6 of the integral of their derivative
 * across the border. Across the arc of an edge the region's outward direction is the edge's own, seen from the vertex.
 *
 * A flat polygon has a front and a back face, a segment one edge with normals all around, a point a whole ball.
 */
import type { Hull } from './hull.ts';
import { type Matrix, type Moments, type Vector, IDENTITY, NO_MOMENTS, add, addMatrices, cross, dot, outer, scaled, scaledMatrix, subtract, sum, symmetric } from './moments.ts';

/** Normals of a sector around an axis: integrals of 1, n and n nᵀ over the angle. */
interface Arc {
  angle: number;
  first: Vector;
  second: Matrix;
}

/** A vertex's region of the sphere: integrals of 1, n and n nᵀ. */
interface Region {
  solidAngle: number;
  first: Vector;
  /** Of n nᵀ less a third of the solid angle. */
  second: Matrix;
}

/** Moments about the origin of `hull` and all within `radius` of it. */
export function roundedMoments(hull: Hull, radius: number): Moments {
  const { vertices, dimension } = hull;
  const regions = Array.from({ length: vertices.length / 3 }, (): Region => ({
    solidAngle: dimension === 0 ? 4 * Math.PI : 2 * Math.PI,
    first: [0, 0, 0],
    second: NO_MOMENTS.second,
  }));
  let total = NO_MOMENTS;
  const base = vectorAt(vertices, 0);
  const normals: Vector[] = [];
  for (let face = 0; face + 1 < hull.faceStart.length; face++) {
    const loop = hull.faceVertices.subarray(hull.faceStart[face], hull.faceStart[face + 1]);
    const corners = Array.from(loop, (vertex) => vectorAt(vertices, vertex));
    normals.push([hull.facePlanes[4 * face], hull.facePlanes[4 * face + 1], hull.facePlanes[4 * face + 2]]);
    total = sum(total, faceMoments(corners, dimension === 3 ? base : corners[0], normals[face], radius));
    corners.forEach((corner, i) => {
      const before = subtract(corners[(i || corners.length) - 1], corner);
      const after = subtract(corners[(i + 1) % corners.length], corner);
      regions[loop[i]].solidAngle -= angleBetween(before, after);
    });
  }
  for (const [low, high, arc] of edgesOf(hull, normals)) {
    const [a, b] = [vectorAt(vertices, low), vectorAt(vertices, high)];
    total = sum(total, edgeMoments(a, b, arc, radius));
    const along = unit(subtract(b, a));
    addArc(regions[low], along, arc);
    addArc(regions[high], scaled(along, -1), arc);
  }
  regions.forEach((region, vertex) => {
    total = sum(total, vertexMoments(vectorAt(vertices, vertex), region, radius));
  });
  return total;
}

function addArc(region: Region, out: Vector, { angle, first }: Arc): void {
  region.first = add(region.first, scaled(out, -angle / 2));
  region.second = addMatrices(region.second, symmetric(out, first, -1 / 6));
}

/** The tetrahedra from `base` to a face, and the prism of height `radius` on it. */
function faceMoments(corners: readonly Vector[], base: Vector, normal: Vector, radius: number): Moments {
  let total = NO_MOMENTS;
  let area: Moments = NO_MOMENTS;
  for (let i = 1; i + 1 < corners.length; i++) {
    const [a, b, c] = [corners[0], corners[i], corners[i + 1]];
    const twice = dot(cross(subtract(b, a), subtract(c, a)), normal);
    const volume = (dot(subtract(a, base), normal) * twice) / 6;
    total = sum(total, simplexMoments([base, a, b, c], volume));
    area = sum(area, simplexMoments([a, b, c], twice / 2));
  }
  const prism: Moments = {
    volume: radius * area.volume,
    first: add(scaled(area.first, radius), scaled(normal, (area.volume * radius ** 2) / 2)),
    second: addMatrices(
      scaledMatrix(area.second, radius), symmetric(area.first, normal, radius ** 2 / 2), outer(normal, normal, (area.volume * radius ** 3) / 3),
    ),
  };
  return sum(total, prism);
}

/** Of a simplex of k corners and given content: x xᵀ has the mean (Σ v vᵀ + Σ v Σ vᵀ) / (k (k + 1)). */
function simplexMoments(corners: readonly Vector[], content: number): Moments {
  const count = corners.length;
  const whole = corners.reduce(add);
  const squares = addMatrices(outer(whole, whole), ...corners.map((corner) => outer(corner, corner)));
  return { volume: content, first: scaled(whole, content / count), second: scaledMatrix(squares, content / (count * (count + 1))) };
}

/** The sector of a cylinder along the edge from a to b. */
function edgeMoments(a: Vector, b: Vector, { angle, first, second }: Arc, radius: number): Moments {
  const length = Math.hypot(...subtract(b, a));
  const line = simplexMoments([a, b], length);
  const section = (angle * radius ** 2) / 2;
  return {
    volume: length * section,
    first: add(scaled(line.first, section), scaled(first, (length * radius ** 3) / 3)),
    second: addMatrices(
      scaledMatrix(line.second, section), symmetric(line.first, first, radius ** 3 / 3), scaledMatrix(second, (length * radius ** 4) / 4),
    ),
  };
}

/** The sector of the ball at a vertex. */
function vertexMoments(vertex: Vector, { solidAngle, first, second }: Region, radius: number): Moments {
  const volume = (solidAngle * radius ** 3) / 3;
  const squares = addMatrices(second, scaledMatrix(IDENTITY, solidAngle / 3));
  return {
    volume,
    first: add(scaled(vertex, volume), scaled(first, radius ** 4 / 4)),
    second: addMatrices(outer(vertex, vertex, volume), symmetric(vertex, first, radius ** 4 / 4), scaledMatrix(squares, radius ** 5 / 5)),
  };
}

/** Each edge's vertices and the outward normals between those of its two faces. */
function edgesOf(hull: Hull, normals: readonly Vector[]): [low: number, high: number, arc: Arc][] {
  const { vertices, faceStart, faceVertices, dimension } = hull;
  if (dimension === 0) return [];
  const along = (from: number, to: number): Vector => unit(subtract(vectorAt(vertices, to), vectorAt(vertices, from)));
  if (dimension === 1) {
    const axis = along(0, 1);
    const around = scaledMatrix(addMatrices(IDENTITY, outer(axis, axis, -1)), Math.PI);
    return [[0, 1, { angle: 2 * Math.PI, first: [0, 0, 0], second: around }]];
  }
  const count = vertices.length / 3;
  /** The face on the left of each directed edge. */
  const left = new Map<number, number>();
  for (let face = 0; face + 1 < faceStart.length; face++) {
    for (let i = faceStart[face]; i < faceStart[face + 1]; i++) {
      const next = i + 1 < faceStart[face + 1] ? i + 1 : faceStart[face];
      left.set(faceVertices[i] * count + faceVertices[next], face);
    }
  }
  return Array.from(left)
    .filter(([key]) => Math.floor(key / count) < key % count)
    .map(([key, face]) => {
      const [low, high] = [Math.floor(key / count), key % count];
      const other = left.get(high * count + low)!;
      return [low, high, arcBetween(along(low, high), normals[face], normals[other])];
    });
}

/** From one normal to the other, about an edge that has the first's face on its left. */
function arcBetween(along: Vector, from: Vector, to: Vector): Arc {
  const outward = unit(cross(along, from));
  const angle = Math.max(Math.atan2(dot(to, outward), dot(to, from)), 0);
  const middle = add(scaled(from, Math.cos(angle / 2)), scaled(outward, Math.sin(angle / 2)));
  const across = cross(along, middle);
  const [same, turned] = [angle + Math.sin(angle), angle - Math.sin(angle)];
  return {
    angle,
    first: scaled(middle, 2 * Math.sin(angle / 2)),
    second: addMatrices(outer(middle, middle, same / 2), outer(across, across, turned / 2)),
  };
}

function angleBetween(a: Vector, b: Vector): number {
  return Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
}

function unit(a: Vector): Vector {
  const length = Math.hypot(...a);
  return length > 0 ? scaled(a, 1 / length) : a;
}

function vectorAt(array: Float64Array, index: number): Vector {
  return [array[3 * index], array[3 * index + 1], array[3 * index + 2]];
}
