/** Directions in which the surface of a hull extends: its principal axes, and the normals of its largest triangles. */
import type { Vec3 } from '../api/vectors.ts';
import type { HullSurface } from './hull.ts';
import { AXES, combine, cross, dot, length, unit } from './vectors.ts';

/** Most normals of triangles. */
const MOST_NORMALS = 48;
/** Normals nearer to each other than this, in radians, count as one. */
const LEAST_ANGLE = 1e-3;

/** Eigenvectors of the covariance of the hull's surface, by Jacobi's method. */
export function principalAxes({ vertices, triangles }: HullSurface): Vec3[] {
  const m = surfaceCovariance(vertices, triangles);
  let axes: Vec3[] = [...AXES];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const angle = Math.atan2(2 * m[p][q], m[q][q] - m[p][p]) / 2;
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      for (const row of m) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
      const [rowP, rowQ] = [m[p], m[q]];
      m[p] = rowP.map((value, k) => c * value - s * rowQ[k]);
      m[q] = rowP.map((value, k) => s * value + c * rowQ[k]);
      const [a, b] = [axes[p], axes[q]];
      axes = axes.map((axis, k) => (k === p ? combine(a, c, b, -s) : k === q ? combine(a, s, b, c) : axis));
    }
  }
  return axes.map(unit);
}

/** The covariance matrix of the points of all triangles, by area. */
function surfaceCovariance(vertices: Float64Array, triangles: Uint32Array): number[][] {
  const mean = [0, 0, 0];
  const moments = [0, 1, 2].map(() => [0, 0, 0]);
  let whole = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = cornersOf(vertices, triangles, t);
    const area = length(areaNormal(a, b, c));
    const sum = combine(a, 1, b, 1, c, 1);
    whole += area;
    for (let i = 0; i < 3; i++) {
      mean[i] += (area * sum[i]) / 3;
      for (let j = 0; j < 3; j++)
        moments[i][j] += (area * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j])) / 12;
    }
  }
  return moments.map((row, i) => row.map((value, j) => value / whole - (mean[i] * mean[j]) / whole ** 2));
}

/** Normals of the largest triangles, one of those that are parallel. */
export function largestNormals({ vertices, triangles }: HullSurface): Vec3[] {
  const byArea = Array.from({ length: triangles.length / 3 }, (_, t) => {
    return areaNormal(...cornersOf(vertices, triangles, 3 * t));
  }).sort((a, b) => dot(b, b) - dot(a, a));
  const chosen: Vec3[] = [];
  for (const normal of byArea.map(unit)) {
    if (chosen.length === MOST_NORMALS) break;
    if (chosen.every((other) => length(cross(normal, other)) > LEAST_ANGLE)) chosen.push(normal);
  }
  return chosen;
}

function cornersOf(vertices: Float64Array, triangles: Uint32Array, first: number): [Vec3, Vec3, Vec3] {
  const at = (corner: number): Vec3 => {
    const from = 3 * triangles[first + corner];
    return [vertices[from], vertices[from + 1], vertices[from + 2]];
  };
  return [at(0), at(1), at(2)];
}

/** Normal of a triangle; its length is twice the area. */
function areaNormal(a: Vec3, b: Vec3, c: Vec3): Vec3 {
  return cross(combine(b, 1, a, -1), combine(c, 1, a, -1));
}
