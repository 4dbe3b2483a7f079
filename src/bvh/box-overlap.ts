/**
 * The test of both children of a node against a node of another tree, the *fixed* box, which share half of the work.
 *
 * With C_i the axes of a child's box, F_j those of the fixed one, M_ij = C_i · F_j, t the vector between the centres, and h
 * and g the half extents, two boxes are apart
 *
 *     along axis i of the child       if  |t · C_i| > h_i + sum_j |M_ij| g_j
 *     along axis j of the fixed box   if  |t · F_j| > g_j + sum_i |M_ij| h_i
 *     along C_i × F_j                 if  |t · (C_i × F_j)| is more than what both boxes reach there
 *
 * (Gottschalk, Lin, Manocha, "OBBTree", 1996). Of the 9 cross products, only the four of the first two axes of both boxes are
 * tested. The last axis is that along which the triangles spread least, and its products separate 0.4 % of the pairs. All 15
 * axes take 5 % more time than 10, and 6 axes 6 % more than 15.
 *
 * Cross products are not normalised. They are at most 1 long, so that a margin counts for more than it is there, and almost
 * parallel axes, whose product is all rounding, separate nothing. What the boxes reach is that of orthonormal axes. The skew
 * of a box's own axes is in its half extents (oriented-boxes.ts); the skew of the other box's axes is in `crossLimit`.
 */
import { SKEW, type PartTree } from './part-tree.ts';
import {
  ALIGNED,
  fixedBox,
  CUTS_A,
  CUTS_B,
  LIMIT,
  limits,
  LOSS,
  placeFixed,
  relations,
  verdictOf,
} from './tree-places.ts';

/**
 * Tests the children `left` and `left + 1` of a node of the tree `cut` against the box `node` of the tree `fixed`. `cutsA`:
 * whether `cut` is A's tree. The bounds say only whether boxes are apart by more than the limit.
 */
export function testChildren(cut: PartTree, left: number, fixed: PartTree, node: number, cutsA: boolean): number {
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
  const crossLimit = limit + SKEW * (gx + gy + gz);
  const loss = limits[LOSS];
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
    const m20 = x * ux + y * uy + z * uz;
    const m21 = x * vx + y * vy + z * vz;
    const m22 = x * wx + y * wy + z * wz;
    const t2 = x * tx + y * ty + z * tz;
    gap = Math.abs(t2) - hz - (Math.abs(m20) * gx + Math.abs(m21) * gy + Math.abs(m22) * gz);
    if (gap > limit) continue;
    x = axes[first + 3];
    y = axes[first + 4];
    z = axes[first + 5];
    const m10 = x * ux + y * uy + z * uz;
    const m11 = x * vx + y * vy + z * vz;
    const m12 = x * wx + y * wy + z * wz;
    const t1 = x * tx + y * ty + z * tz;
    gap = Math.abs(t1) - hy - (Math.abs(m10) * gx + Math.abs(m11) * gy + Math.abs(m12) * gz);
    if (gap > limit) continue;
    x = axes[first];
    y = axes[first + 1];
    z = axes[first + 2];
    const m00 = x * ux + y * uy + z * uz;
    const m01 = x * vx + y * vy + z * vz;
    const m02 = x * wx + y * wy + z * wz;
    const t0 = x * tx + y * ty + z * tz;
    gap = Math.abs(t0) - hx - (Math.abs(m00) * gx + Math.abs(m01) * gy + Math.abs(m02) * gz);
    if (gap > limit) continue;
    gap = Math.abs(wx * tx + wy * ty + wz * tz) - gz - (Math.abs(m02) * hx + Math.abs(m12) * hy + Math.abs(m22) * hz);
    if (gap > limit) continue;
    gap = Math.abs(vx * tx + vy * ty + vz * tz) - gy - (Math.abs(m01) * hx + Math.abs(m11) * hy + Math.abs(m21) * hz);
    if (gap > limit) continue;
    gap = Math.abs(ux * tx + uy * ty + uz * tz) - gx - (Math.abs(m00) * hx + Math.abs(m10) * hy + Math.abs(m20) * hz);
    if (gap > limit) continue;
    gap =
      Math.abs(m10 * t2 - m20 * t1) -
      (Math.abs(m20) * hy + Math.abs(m10) * hz) -
      (Math.abs(m02) * gy + Math.abs(m01) * gz);
    if (gap > crossLimit) continue;
    gap =
      Math.abs(m11 * t2 - m21 * t1) -
      (Math.abs(m21) * hy + Math.abs(m11) * hz) -
      (Math.abs(m00) * gz + Math.abs(m02) * gx);
    if (gap > crossLimit) continue;
    gap =
      Math.abs(m20 * t0 - m00 * t2) -
      (Math.abs(m00) * hz + Math.abs(m20) * hx) -
      (Math.abs(m12) * gy + Math.abs(m11) * gz);
    if (gap > crossLimit) continue;
    gap =
      Math.abs(m21 * t0 - m01 * t2) -
      (Math.abs(m01) * hz + Math.abs(m21) * hx) -
      (Math.abs(m10) * gz + Math.abs(m12) * gx);
    if (gap > crossLimit) continue;
    gap = loss;
  }
  return verdictOf(gapLeft, gap, squareLeft, square);
}
