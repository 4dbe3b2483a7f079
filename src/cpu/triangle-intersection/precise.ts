/**
 * Volumes and areas to nearly twice the digits of a double, where those of nearly equal planes and lines cancel. Points
 * stand in arrays and are named by the place of their first number.
 */
import { productError, sumError } from '../../util/rounding-error.ts';
import { NEXT, PREVIOUS } from './predicates.ts';

type Points = ArrayLike<number>;

/** What the number last returned by a function of this file, rounded, falls short of the exact value. */
let rest = 0;

/**
 * det(q - p, r - p, s - p) for the corners p, q, r of `plane` and the point s. Its error is that of one rounding and
 * 2^-98 of the greatest volume with such lengths.
 */
export function preciseVolume(plane: Points, points: Points, s: number): number {
  const ux = difference(plane[3], plane[0]);
  const uxRest = rest;
  const uy = difference(plane[4], plane[1]);
  const uyRest = rest;
  const uz = difference(plane[5], plane[2]);
  const uzRest = rest;
  const vx = difference(plane[6], plane[0]);
  const vxRest = rest;
  const vy = difference(plane[7], plane[1]);
  const vyRest = rest;
  const vz = difference(plane[8], plane[2]);
  const vzRest = rest;
  const nx = determinant(uy, uyRest, vz, vzRest, uz, uzRest, vy, vyRest);
  const nxRest = rest;
  const ny = determinant(uz, uzRest, vx, vxRest, ux, uxRest, vz, vzRest);
  const nyRest = rest;
  const nz = determinant(ux, uxRest, vy, vyRest, uy, uyRest, vx, vxRest);
  const nzRest = rest;
  const dx = difference(points[s], plane[0]);
  const x = product(nx, nxRest, dx, rest);
  const xRest = rest;
  const dy = difference(points[s + 1], plane[1]);
  const y = product(ny, nyRest, dy, rest);
  const yRest = rest;
  const dz = difference(points[s + 2], plane[2]);
  const z = product(nz, nzRest, dz, rest);
  const xy = x + y;
  const sum = xy + z;
  return sum + (sumError(x, y, xy) + sumError(xy, z, sum) + (xRest + yRest + rest));
}

/** det(q - p, r - p) of the projections along `axis` of points p, q of `line` and the point r, as precise. */
export function preciseArea(line: Points, p: number, q: number, points: Points, r: number, axis: number): number {
  const i = NEXT[axis];
  const j = PREVIOUS[axis];
  const ux = difference(line[q + i], line[p + i]);
  const uxRest = rest;
  const uy = difference(line[q + j], line[p + j]);
  const uyRest = rest;
  const vx = difference(points[r + i], line[p + i]);
  const vxRest = rest;
  const vy = difference(points[r + j], line[p + j]);
  return determinant(ux, uxRest, vy, rest, uy, uyRest, vx, vxRest);
}

function difference(a: number, b: number): number {
  const d = a - b;
  rest = sumError(a, -b, d);
  return d;
}

function product(a: number, aRest: number, b: number, bRest: number): number {
  const p = a * b;
  rest = productError(a, b, p) + (a * bRest + aRest * b);
  return p;
}

/** a·b − c·d */
function determinant(
  a: number,
  aRest: number,
  b: number,
  bRest: number,
  c: number,
  cRest: number,
  d: number,
  dRest: number,
): number {
  const ab = product(a, aRest, b, bRest);
  const abRest = rest;
  const cd = product(c, cRest, d, dRest);
  const wide = ab - cd;
  const wideRest = sumError(ab, -cd, wide) + (abRest - rest);
  const sum = wide + wideRest;
  rest = wideRest - (sum - wide);
  return sum;
}

/**
 * The share of the way from s to t at which a plane is passed, where even such volumes cancel: triangles that are
 * collinear except for an ulp, of one line. For coordinates that are 0 or from 2^-300 to 2^300 in absolute value.
 */
export function exactShare(plane: Points, points: Points, s: number, t: number): number {
  const used = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => plane[i]);
  for (let k = 0; k < 3; k++) used.push(points[s + k]);
  for (let k = 0; k < 3; k++) used.push(points[t + k]);
  const least = Math.min(...used.filter((x) => x !== 0).map(Math.abs));
  const toWhole = 2 ** (54 - Math.floor(Math.log2(least)));
  const whole = used.map((x) => BigInt(x * toWhole));
  const from = (corner: number): bigint[] => [0, 1, 2].map((k) => whole[corner + k] - whole[k]);
  const [u, v] = [from(3), from(6)];
  const heightOf = (w: bigint[]): bigint => {
    const height =
      w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
    return height < 0n ? -height : height;
  };
  const start = heightOf(from(9));
  return Number((start << 64n) / (start + heightOf(from(12)))) * 2 ** -64;
}
