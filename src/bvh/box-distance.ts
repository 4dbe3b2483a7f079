/**
 * Bounds of the distances of both children of a node from a node of another tree, the *fixed* box. Along each axis of either box,
 * there is the gap of box-overlap.ts. The gaps along the three axes of one box, together, are a lower bound of the distance, and
 * so is the gap along the line of the centres.
 */
import type { PartTree } from './part-tree.ts';
import { ALIGNED, fixedBox, CUTS_A, CUTS_B, LIMIT, limits, placeFixed, relations, verdictOf } from './tree-places.ts';

/** Does what `testChildren` does, with the greatest of these bounds. A child that is beyond the limit gets any that says so. */
export function boundChildren(cut: PartTree, left: number, fixed: PartTree, node: number, cutsA: boolean): number {
  placeFixed(fixed, node, cutsA);
  const gx = fixedBox[0];
  const gy = fixedBox[1];
  const gz = fixedBox[2];
  const cx = fixedBox[3];
  const cy = fixedBox[4];
  const cz = fixedBox[5];
  const ux = fixedBox[6];
  const uy = fixedBox[7];
  const uz = fixedBox[8];
  const vx = fixedBox[9];
  const vy = fixedBox[10];
  const vz = fixedBox[11];
  const wx = fixedBox[12];
  const wy = fixedBox[13];
  const wz = fixedBox[14];
  const { boxes } = cut;
  const axes = cut.axes ?? ALIGNED;
  const stride = cut.axes ? 9 : 0;
  const scale = relations[(cutsA ? CUTS_A : CUTS_B) + 16];
  const limit = limits[LIMIT];
  let gapLeft = 0;
  let gap = 0;
  let squareLeft = 0;
  let square = 0;
  for (let child = left; child < left + 2; child++) {
    gapLeft = gap;
    squareLeft = square;
    const at = Math.imul(6, child);
    const first = Math.imul(stride, child);
    const tx = cx - scale * boxes[at];
    const ty = cy - scale * boxes[at + 1];
    const tz = cz - scale * boxes[at + 2];
    const hx = scale * boxes[at + 3];
    const hy = scale * boxes[at + 4];
    const hz = scale * boxes[at + 5];
    square = tx * tx + ty * ty + tz * tz;
    let x = axes[first + 6];
    let y = axes[first + 7];
    let z = axes[first + 8];
    const m20 = Math.abs(x * ux + y * uy + z * uz);
    const m21 = Math.abs(x * vx + y * vy + z * vz);
    const m22 = Math.abs(x * wx + y * wy + z * wz);
    const t2 = x * tx + y * ty + z * tz;
    gap = Math.abs(t2) - hz - (m20 * gx + m21 * gy + m22 * gz);
    if (gap > limit) continue;
    const c2 = gap;
    x = axes[first + 3];
    y = axes[first + 4];
    z = axes[first + 5];
    const m10 = Math.abs(x * ux + y * uy + z * uz);
    const m11 = Math.abs(x * vx + y * vy + z * vz);
    const m12 = Math.abs(x * wx + y * wy + z * wz);
    const t1 = x * tx + y * ty + z * tz;
    gap = Math.abs(t1) - hy - (m10 * gx + m11 * gy + m12 * gz);
    if (gap > limit) continue;
    const c1 = gap;
    x = axes[first];
    y = axes[first + 1];
    z = axes[first + 2];
    const m00 = Math.abs(x * ux + y * uy + z * uz);
    const m01 = Math.abs(x * vx + y * vy + z * vz);
    const m02 = Math.abs(x * wx + y * wy + z * wz);
    const t0 = x * tx + y * ty + z * tz;
    gap = Math.abs(t0) - hx - (m00 * gx + m01 * gy + m02 * gz);
    if (gap > limit) continue;
    const c0 = gap;
    const s2 = Math.abs(wx * tx + wy * ty + wz * tz);
    gap = s2 - gz - (m02 * hx + m12 * hy + m22 * hz);
    if (gap > limit) continue;
    const f2 = gap;
    const s1 = Math.abs(vx * tx + vy * ty + vz * tz);
    gap = s1 - gy - (m01 * hx + m11 * hy + m21 * hz);
    if (gap > limit) continue;
    const f1 = gap;
    const s0 = Math.abs(ux * tx + uy * ty + uz * tz);
    gap = s0 - gx - (m00 * hx + m10 * hy + m20 * hz);
    if (gap > limit) continue;
    const f0 = gap;
    const reach = hx * Math.abs(t0) + hy * Math.abs(t1) + hz * Math.abs(t2) + gx * s0 + gy * s1 + gz * s2;
    gap = distanceBound(squareOf(c0, c1, c2), squareOf(f0, f1, f2), square, reach);
  }
  return verdictOf(gapLeft, gap, squareLeft, square);
}

/** The sum of the squares of positive gaps. */
function squareOf(x: number, y: number, z: number): number {
  return (x > 0 ? x * x : 0) + (y > 0 ? y * y : 0) + (z > 0 ? z * z : 0);
}

/** The greatest of the bounds by the axes of the child, by those of the fixed box, and by the line of the centres. */
function distanceBound(ofChild: number, ofFixed: number, square: number, reach: number): number {
  const most = ofChild > ofFixed ? ofChild : ofFixed;
  const rest = square - reach;
  return Math.sqrt(rest > 0 && rest * rest > most * square ? (rest * rest) / square : most);
}
