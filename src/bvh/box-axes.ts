/** The axes of the boxes of an OBB-tree, and the ranges of triangles along them. */

/** Angles that are tried within a quarter turn. */
const ANGLES = 6;
/** At most this many triangles are looked at. */
export const MOST_SAMPLES = 32;
const cosines = Float64Array.from({ length: 2 * ANGLES }, (_, i) => Math.cos((i * Math.PI) / (2 * ANGLES)));
const sines = Float64Array.from({ length: 2 * ANGLES }, (_, i) => Math.sin((i * Math.PI) / (2 * ANGLES)));
/** The samples along the axes, and their ranges along each direction of the plane. */
const samples = new Float64Array(6 * MOST_SAMPLES);
const lows = new Float64Array(2 * ANGLES);
const highs = new Float64Array(2 * ANGLES);

/** Axes of a box, and ranges along them: three least and three greatest projections, before the axes were rounded. */
export interface BoxAxes {
  axes: Float32Array;
  ranges: Float64Array;
}

/** A triangle whose height is less than this share of its longest edge is a sliver. */
const LEAST_HEIGHT = 2 ** -20;

/**
 * Turns principal axes about the last one, along which the points spread least, to the least surface among `ANGLES` of the
 * box of a range of triangles. If there are more than `MOST_SAMPLES`, some of them stand for all. Writes the axes, and the
 * ranges along them from `origin`.
 */
export function turnAxes(
  corners: Float32Array,
  first: number,
  end: number,
  origin: Float64Array,
  principal: Float64Array,
  { axes, ranges }: BoxAxes,
): void {
  const [x, y, z] = origin;
  const [ux, uy, uz, vx, vy, vz, wx, wy, wz] = principal;
  const step = Math.ceil((end - first) / MOST_SAMPLES);
  let count = 0;
  let low = Infinity;
  let high = -Infinity;
  for (let triangle = first; triangle < end; triangle += step) {
    for (let at = 9 * triangle, stop = at + 9; at < stop; at += 3) {
      const px = corners[at] - x;
      const py = corners[at + 1] - y;
      const pz = corners[at + 2] - z;
      samples[count++] = ux * px + uy * py + uz * pz;
      samples[count++] = vx * px + vy * py + vz * pz;
      const w = wx * px + wy * py + wz * pz;
      if (w < low) low = w;
      if (w > high) high = w;
    }
  }
  for (let i = 0; i < 2 * ANGLES; i++) rangeAlong(i, count);
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < ANGLES; i++) {
    const u = highs[i] - lows[i];
    const v = highs[i + ANGLES] - lows[i + ANGLES];
    const surface = u * v + (high - low) * (u + v);
    if (surface >= least) continue;
    least = surface;
    best = i;
  }
  const c = cosines[best];
  const s = sines[best];
  for (let k = 0; k < 3; k++) {
    axes[k] = c * principal[k] + s * principal[3 + k];
    axes[3 + k] = c * principal[3 + k] - s * principal[k];
    axes[6 + k] = principal[6 + k];
  }
  ranges[0] = lows[best];
  ranges[1] = lows[best + ANGLES];
  ranges[2] = low;
  ranges[3] = highs[best];
  ranges[4] = highs[best + ANGLES];
  ranges[5] = high;
}

/** Writes the range of the first samples along a direction of the plane. */
function rangeAlong(direction: number, count: number): void {
  const c = cosines[direction];
  const s = sines[direction];
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i += 2) {
    const along = c * samples[i] + s * samples[i + 1];
    if (along < low) low = along;
    if (along > high) high = along;
  }
  lows[direction] = low;
  highs[direction] = high;
}

/**
 * Writes the axes of the box of one triangle, and its ranges from its first corner: its longest edge, at right angles to it
 * in the triangle, and its normal. Returns false for a sliver, whose normal would be rounded too much.
 */
export function frameTriangle(corners: Float32Array, triangle: number, { axes, ranges }: BoxAxes): boolean {
  const at = 9 * triangle;
  let longest = 0;
  let from = 0;
  for (let i = 0; i < 9; i += 3) {
    const next = (i + 3) % 9;
    const x = corners[at + next] - corners[at + i];
    const y = corners[at + next + 1] - corners[at + i + 1];
    const z = corners[at + next + 2] - corners[at + i + 2];
    const square = x * x + y * y + z * z;
    if (square <= longest) continue;
    longest = square;
    from = i;
  }
  const p = at + from;
  const q = at + ((from + 3) % 9);
  const r = at + ((from + 6) % 9);
  const length = Math.sqrt(longest);
  const ux = (corners[q] - corners[p]) / length;
  const uy = (corners[q + 1] - corners[p + 1]) / length;
  const uz = (corners[q + 2] - corners[p + 2]) / length;
  const x = corners[r] - corners[p];
  const y = corners[r + 1] - corners[p + 1];
  const z = corners[r + 2] - corners[p + 2];
  const nx = uy * z - uz * y;
  const ny = uz * x - ux * z;
  const nz = ux * y - uy * x;
  const height = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(height > LEAST_HEIGHT * length)) return false;
  axes[0] = ux;
  axes[1] = uy;
  axes[2] = uz;
  axes[3] = (ny * uz - nz * uy) / height;
  axes[4] = (nz * ux - nx * uz) / height;
  axes[5] = (nx * uy - ny * ux) / height;
  axes[6] = nx / height;
  axes[7] = ny / height;
  axes[8] = nz / height;
  // The foot of the third corner is within the longest edge.
  const dx = corners[p] - corners[at];
  const dy = corners[p + 1] - corners[at + 1];
  const dz = corners[p + 2] - corners[at + 2];
  for (let k = 0; k < 3; k++) {
    ranges[k] = ranges[3 + k] = axes[3 * k] * dx + axes[3 * k + 1] * dy + axes[3 * k + 2] * dz;
  }
  ranges[3] += length;
  ranges[4] += height;
  return true;
}
