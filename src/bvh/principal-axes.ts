/**
 * The principal axes of triangles: the eigenvectors of the covariance of their points, by area (Gottschalk, "Collision
 * queries using oriented bounding boxes", 2000).
 */

/** Sums over triangles, relative to a point near them, from which their covariance follows. */
export interface Moments {
  /** The point. */
  readonly origin: Float64Array;
  /** Twice the area; that times x, y, z; times xx, xy, xz, yy, yz, zz. */
  readonly byArea: Float64Array;
  /** The same with 1 per corner in place of the area: for triangles without area. */
  readonly byCorner: Float64Array;
}

export function createMoments(): Moments {
  return { origin: new Float64Array(3), byArea: new Float64Array(10), byCorner: new Float64Array(10) };
}

/** Forgets all triangles, and puts the origin at the first corner of a triangle. */
export function clearMoments(moments: Moments, corners: Float32Array, triangle: number): void {
  for (let k = 0; k < 3; k++) moments.origin[k] = corners[9 * triangle + k];
  moments.byArea.fill(0);
  moments.byCorner.fill(0);
}

/** Adds a range of triangles. Their corners are 9 numbers per triangle. */
export function addMoments(
  corners: Float32Array,
  first: number,
  end: number,
  { origin, byArea, byCorner }: Moments,
): void {
  const [x, y, z] = origin;
  for (let at = 9 * first; at < 9 * end; at += 9) {
    const px = corners[at] - x;
    const py = corners[at + 1] - y;
    const pz = corners[at + 2] - z;
    const qx = corners[at + 3] - x;
    const qy = corners[at + 4] - y;
    const qz = corners[at + 5] - z;
    const rx = corners[at + 6] - x;
    const ry = corners[at + 7] - y;
    const rz = corners[at + 8] - z;
    const nx = (qy - py) * (rz - pz) - (qz - pz) * (ry - py);
    const ny = (qz - pz) * (rx - px) - (qx - px) * (rz - pz);
    const nz = (qx - px) * (ry - py) - (qy - py) * (rx - px);
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const sx = px + qx + rx;
    const sy = py + qy + ry;
    const sz = pz + qz + rz;
    const xx = px * px + qx * qx + rx * rx;
    const xy = px * py + qx * qy + rx * ry;
    const xz = px * pz + qx * qz + rx * rz;
    const yy = py * py + qy * qy + ry * ry;
    const yz = py * pz + qy * qz + ry * rz;
    const zz = pz * pz + qz * qz + rz * rz;
    // The integral of uv over a triangle of area 1 is (the sum over its corners + the product of the sums) / 12.
    byArea[0] += area;
    byArea[1] += (area * sx) / 3;
    byArea[2] += (area * sy) / 3;
    byArea[3] += (area * sz) / 3;
    byArea[4] += (area * (xx + sx * sx)) / 12;
    byArea[5] += (area * (xy + sx * sy)) / 12;
    byArea[6] += (area * (xz + sx * sz)) / 12;
    byArea[7] += (area * (yy + sy * sy)) / 12;
    byArea[8] += (area * (yz + sy * sz)) / 12;
    byArea[9] += (area * (zz + sz * sz)) / 12;
    byCorner[0] += 3;
    byCorner[1] += sx;
    byCorner[2] += sy;
    byCorner[3] += sz;
    byCorner[4] += xx;
    byCorner[5] += xy;
    byCorner[6] += xz;
    byCorner[7] += yy;
    byCorner[8] += yz;
    byCorner[9] += zz;
  }
}

/** Adds all that has been added to other moments, about another origin. */
export function mergeMoments(from: Moments, to: Moments): void {
  const x = from.origin[0] - to.origin[0];
  const y = from.origin[1] - to.origin[1];
  const z = from.origin[2] - to.origin[2];
  addShifted(from.byArea, x, y, z, to.byArea);
  addShifted(from.byCorner, x, y, z, to.byCorner);
}

function addShifted(from: Float64Array, x: number, y: number, z: number, to: Float64Array): void {
  const [weight, sx, sy, sz] = from;
  to[0] += weight;
  to[1] += sx + weight * x;
  to[2] += sy + weight * y;
  to[3] += sz + weight * z;
  to[4] += from[4] + 2 * sx * x + weight * x * x;
  to[5] += from[5] + sx * y + sy * x + weight * x * y;
  to[6] += from[6] + sx * z + sz * x + weight * x * z;
  to[7] += from[7] + 2 * sy * y + weight * y * y;
  to[8] += from[8] + sy * z + sz * y + weight * y * z;
  to[9] += from[9] + 2 * sz * z + weight * z * z;
}

/** Upper right half of the covariance: xx, xy, xz, yy, yz, zz. */
const covariance = new Float64Array(6);
const columns = new Float64Array(9);

/** Writes the principal axes, orthonormal and right-handed, the one along which the points spread least last. */
export function principalAxes({ byArea, byCorner }: Moments, axes: Float64Array): void {
  const sums = byArea[0] > 0 ? byArea : byCorner;
  const [x, y, z] = [sums[1] / sums[0], sums[2] / sums[0], sums[3] / sums[0]];
  covariance[0] = sums[4] / sums[0] - x * x;
  covariance[1] = sums[5] / sums[0] - x * y;
  covariance[2] = sums[6] / sums[0] - x * z;
  covariance[3] = sums[7] / sums[0] - y * y;
  covariance[4] = sums[8] / sums[0] - y * z;
  covariance[5] = sums[9] / sums[0] - z * z;
  eigenvectors(covariance, columns);
  orthonormalise(columns, axes);
}

/** Jacobi's method converges in a few sweeps. */
const MOST_SWEEPS = 10;
/** Share of the diagonal below which other elements count as 0: their square is below rounding. */
const ZERO_SHARE = 2 ** -50;

/** Writes the eigenvectors of a symmetric matrix into the columns of `to`, that of the least eigenvalue last. */
function eigenvectors(matrix: Float64Array, to: Float64Array): void {
  let [xx, xy, xz, yy, yz, zz] = matrix;
  to.fill(0);
  to[0] = to[4] = to[8] = 1;
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    const rest = Math.abs(xy) + Math.abs(xz) + Math.abs(yz);
    if (!(rest > ZERO_SHARE * (Math.abs(xx) + Math.abs(yy) + Math.abs(zz)))) break;
    if (xy !== 0) {
      const t = tangentOf(xx, xy, yy);
      const c = 1 / Math.sqrt(1 + t * t);
      const s = t * c;
      xx -= t * xy;
      yy += t * xy;
      xy = 0;
      const old = xz;
      xz = c * old - s * yz;
      yz = s * old + c * yz;
      turnColumns(to, 0, 3, c, s);
    }
    if (xz !== 0) {
      const t = tangentOf(xx, xz, zz);
      const c = 1 / Math.sqrt(1 + t * t);
      const s = t * c;
      xx -= t * xz;
      zz += t * xz;
      xz = 0;
      const old = xy;
      xy = c * old - s * yz;
      yz = s * old + c * yz;
      turnColumns(to, 0, 6, c, s);
    }
    if (yz !== 0) {
      const t = tangentOf(yy, yz, zz);
      const c = 1 / Math.sqrt(1 + t * t);
      const s = t * c;
      yy -= t * yz;
      zz += t * yz;
      yz = 0;
      const old = xy;
      xy = c * old - s * xz;
      xz = s * old + c * xz;
      turnColumns(to, 3, 6, c, s);
    }
  }
  if (xx < Math.min(yy, zz)) swapColumns(to, 0, 6);
  else if (yy < zz) swapColumns(to, 3, 6);
}

function swapColumns(matrix: Float64Array, p: number, q: number): void {
  for (let k = 0; k < 3; k++) {
    const old = matrix[p + k];
    matrix[p + k] = matrix[q + k];
    matrix[q + k] = old;
  }
}

/** Tangent of the smaller angle that makes pq of the matrix ((pp, pq), (pq, qq)) vanish. */
function tangentOf(pp: number, pq: number, qq: number): number {
  const theta = (qq - pp) / (2 * pq);
  const t = 1 / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
  return theta < 0 ? -t : t;
}

function turnColumns(matrix: Float64Array, p: number, q: number, c: number, s: number): void {
  for (let k = 0; k < 3; k++) {
    const old = matrix[p + k];
    matrix[p + k] = c * old - s * matrix[q + k];
    matrix[q + k] = s * old + c * matrix[q + k];
  }
}

/** Takes what rounding has added up to out of three columns that are almost orthonormal. */
function orthonormalise(from: Float64Array, to: Float64Array): void {
  const [ux, uy, uz, vx, vy, vz] = from;
  const first = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz);
  to[0] = ux * first;
  to[1] = uy * first;
  to[2] = uz * first;
  const along = vx * to[0] + vy * to[1] + vz * to[2];
  const wx = vx - along * to[0];
  const wy = vy - along * to[1];
  const wz = vz - along * to[2];
  const second = 1 / Math.sqrt(wx * wx + wy * wy + wz * wz);
  to[3] = wx * second;
  to[4] = wy * second;
  to[5] = wz * second;
  to[6] = to[1] * to[5] - to[2] * to[4];
  to[7] = to[2] * to[3] - to[0] * to[5];
  to[8] = to[0] * to[4] - to[1] * to[3];
}
