/**
 * Cuts a box into the Voronoi cells of seeded points. Each cell starts as the box and is cut by the bisecting plane to
 * each other point, the nearest first, until no other point can be near enough to cut it.
 */

import { createRandom } from '../../verification/families/random.ts';

type Point = readonly [number, number, number];
type Polygon = Point[];

export interface Cell {
  /** Vertices of the cell's faces, xyz, relative to `centre`. */
  points: Float32Array;
  /** Centre of mass, in the box's frame. */
  centre: Point;
}

export function cutBox([x, y, z]: Point, count: number, seed: number): Cell[] {
  const random = createRandom(seed);
  const sites = Array.from({ length: count }, (): Point => [
    (2 * random() - 1) * x,
    (2 * random() - 1) * y,
    (2 * random() - 1) * z,
  ]);
  return sites.map((site) => {
    let faces = boxFaces([x, y, z]);
    const others = sites
      .filter((other) => other !== site)
      .map((other) => ({ other, away: distance(site, other) }))
      .sort((p, q) => p.away - q.away);
    for (const { other, away } of others) {
      if (away > 2 * Math.max(...faces.flat().map((point) => distance(site, point)))) break;
      const normal: Point = [other[0] - site[0], other[1] - site[1], other[2] - site[2]];
      const offset = (dot(other, other) - dot(site, site)) / 2;
      faces = cut(faces, normal, offset);
    }
    return cellOf(faces);
  });
}

function boxFaces(half: Point): Polygon[] {
  return [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) =>
      [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ].map(([u, v]) => {
        const point: [number, number, number] = [0, 0, 0];
        point[axis] = side * half[axis];
        point[(axis + 1) % 3] = u * half[(axis + 1) % 3];
        point[(axis + 2) % 3] = v * half[(axis + 2) % 3];
        return point;
      }),
    ),
  );
}

/** Keeps what lies on the side dot(normal, x) <= offset. The new face has the points where edges are cut, unsorted. */
function cut(faces: Polygon[], normal: Point, offset: number): Polygon[] {
  const fresh: Polygon = [];
  const kept = faces.flatMap((face) => {
    const result: Polygon = [];
    for (const [i, point] of face.entries()) {
      const next = face[(i + 1) % face.length];
      const [here, there] = [dot(normal, point) - offset, dot(normal, next) - offset];
      if (here <= 0) result.push(point);
      if (here < 0 !== there < 0 && here !== 0 && there !== 0) {
        const share = here / (here - there);
        const crossing: Point = [0, 1, 2].map((k) => point[k] + share * (next[k] - point[k])) as unknown as Point;
        result.push(crossing);
        fresh.push(crossing);
      }
    }
    return result.length >= 3 ? [result] : [];
  });
  return fresh.length >= 3 ? [...kept, ordered(fresh, normal)] : kept;
}

/** Sorts the points around their mean, about the normal, so that the face can be cut again. */
function ordered(points: Polygon, normal: Point): Polygon {
  const mean = meanOf(points);
  const away = points.map((point) => [0, 1, 2].map((k) => point[k] - mean[k]) as unknown as Point);
  const along = away.reduce((best, vector) => (dot(vector, vector) > dot(best, best) ? vector : best));
  const across = cross(normal, along);
  const angle = (vector: Point): number =>
    Math.atan2(dot(vector, across) * Math.sqrt(dot(along, along)), dot(vector, along) * Math.sqrt(dot(across, across)));
  return points
    .map((point, i) => ({ point, angle: angle(away[i]) }))
    .sort((p, q) => p.angle - q.angle)
    .map(({ point }) => point);
}

function cellOf(faces: Polygon[]): Cell {
  const points = faces.flat();
  const centre = centroidOf(faces);
  return { centre, points: Float32Array.from(points.flatMap((point) => point.map((value, k) => value - centre[k]))) };
}

/** The centre of mass, from the tetrahedra between a point inside and the triangles of each face. */
function centroidOf(faces: Polygon[]): Point {
  const inside = meanOf(faces.flat());
  const sum = [0, 0, 0];
  let volume = 0;
  for (const face of faces) {
    for (let i = 1; i + 1 < face.length; i++) {
      const [a, b, c] = [face[0], face[i], face[i + 1]].map((p) => p.map((x, k) => x - inside[k]) as unknown as Point);
      const part = Math.abs(dot(a, cross(b, c)));
      volume += part;
      for (let k = 0; k < 3; k++) sum[k] += (part * (a[k] + b[k] + c[k])) / 4;
    }
  }
  return inside.map((value, k) => value + sum[k] / volume) as unknown as Point;
}

function meanOf(points: Polygon): Point {
  return [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length) as unknown as Point;
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
