/** Where two trees are relative to each other, as tests of their boxes need it; and what these tests find. */
import { SKEW, type PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';

/**
 * How boxes of one tree, the *fixed* ones, get into the frame of the other tree, whose box is cut: in A's unit, a rotation, row
 * by row; what is subtracted before it, and added after it; the scales of fixed boxes and of others. From `CUTS_A` on into A's
 * frame, from `CUTS_B` on into B's.
 */
export const relations = new Float64Array(34);
export const CUTS_A = 0;
export const CUTS_B = 17;

/** `LIMIT`: the greatest gap, in A's unit, of boxes that matter. `LOSS`: what is lost of a gap. `SHARE`: its share at full scale. */
export const limits = new Float64Array(4);
export const LIMIT = 0;
export const LOSS = 1;
const SHARE = 2;
const LENGTH = 3;

/** Begins with two trees. */
export function placeTrees(a: PartTree, b: PartTree, placement: Placement): void {
  const { rotation, translation, scaleA, scaleB } = placement;
  for (let row = 0; row < 3; row++) {
    const shift = translation[row] / scaleA;
    relations[3 * row] = relations[CUTS_B + row] = rotation[row];
    relations[3 * row + 1] = relations[CUTS_B + 3 + row] = rotation[3 + row];
    relations[3 * row + 2] = relations[CUTS_B + 6 + row] = rotation[6 + row];
    relations[9 + row] = relations[CUTS_B + 12 + row] = 0;
    relations[12 + row] = relations[CUTS_B + 9 + row] = shift;
  }
  relations[15] = relations[CUTS_B + 16] = scaleB / scaleA;
  relations[16] = relations[CUTS_B + 15] = 1;
  const skew = a.axes || b.axes ? SKEW : 0;
  limits[LOSS] = slackOf(a, b, placement);
  limits[SHARE] = scaleA * (1 - skew);
  limits[LENGTH] = (1 + skew) / scaleA;
}

/** Boxes with lower bounds of their distance that are more than `most`, at full scale, do not matter from now on. */
export function setMost(most: number): void {
  limits[LIMIT] = most * limits[LENGTH] + limits[LOSS];
}

/** The axes of all boxes of an aligned tree. */
export const ALIGNED = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** The fixed box in the frame of the children: half extents, centre, axes. */
export const fixedBox = new Float64Array(15);

/** Writes it. `cutsA`: whether the children are A's. */
export function placeFixed({ boxes, axes }: PartTree, node: number, cutsA: boolean): void {
  const from = cutsA ? CUTS_A : CUTS_B;
  const r00 = relations[from];
  const r01 = relations[from + 1];
  const r02 = relations[from + 2];
  const r10 = relations[from + 3];
  const r11 = relations[from + 4];
  const r12 = relations[from + 5];
  const r20 = relations[from + 6];
  const r21 = relations[from + 7];
  const r22 = relations[from + 8];
  const scale = relations[from + 15];
  const at = Math.imul(6, node);
  fixedBox[0] = scale * boxes[at + 3];
  fixedBox[1] = scale * boxes[at + 4];
  fixedBox[2] = scale * boxes[at + 5];
  const x = scale * boxes[at] - relations[from + 9];
  const y = scale * boxes[at + 1] - relations[from + 10];
  const z = scale * boxes[at + 2] - relations[from + 11];
  fixedBox[3] = r00 * x + r01 * y + r02 * z + relations[from + 12];
  fixedBox[4] = r10 * x + r11 * y + r12 * z + relations[from + 13];
  fixedBox[5] = r20 * x + r21 * y + r22 * z + relations[from + 14];
  const own = axes ?? ALIGNED;
  const first = axes ? Math.imul(9, node) : 0;
  const u0 = own[first];
  const u1 = own[first + 1];
  const u2 = own[first + 2];
  fixedBox[6] = r00 * u0 + r01 * u1 + r02 * u2;
  fixedBox[7] = r10 * u0 + r11 * u1 + r12 * u2;
  fixedBox[8] = r20 * u0 + r21 * u1 + r22 * u2;
  const v0 = own[first + 3];
  const v1 = own[first + 4];
  const v2 = own[first + 5];
  fixedBox[9] = r00 * v0 + r01 * v1 + r02 * v2;
  fixedBox[10] = r10 * v0 + r11 * v1 + r12 * v2;
  fixedBox[11] = r20 * v0 + r21 * v1 + r22 * v2;
  const w0 = own[first + 6];
  const w1 = own[first + 7];
  const w2 = own[first + 8];
  fixedBox[12] = r00 * w0 + r01 * w1 + r02 * w2;
  fixedBox[13] = r10 * w0 + r11 * w1 + r12 * w2;
  fixedBox[14] = r20 * w0 + r21 * w1 + r22 * w2;
}

/** Lower bounds of the distances of both children from the fixed box, at full scale. */
export const bounds = new Float64Array(2);

/** What a test says of two children: whether the right one is to be searched next, and which of them do not matter. */
export const RIGHT_IS_NEXT = 1;
export const LEFT_IS_CUT = 2;
export const RIGHT_IS_CUT = 4;

/**
 * Writes the bounds by the gaps of both children. The one with the lesser bound is next; if both may touch the fixed box, the
 * one whose centre is nearer.
 */
export function verdictOf(gapLeft: number, gapRight: number, squareLeft: number, squareRight: number): number {
  const limit = limits[LIMIT];
  const loss = limits[LOSS];
  const share = limits[SHARE];
  bounds[0] = (gapLeft - loss) * share;
  bounds[1] = (gapRight - loss) * share;
  if (gapLeft > limit) return gapRight > limit ? LEFT_IS_CUT | RIGHT_IS_CUT : LEFT_IS_CUT | RIGHT_IS_NEXT;
  if (gapRight > limit) return RIGHT_IS_CUT;
  const isLeftNext = gapLeft <= loss && gapRight <= loss ? squareLeft <= squareRight : gapLeft <= gapRight;
  return isLeftNext ? 0 : RIGHT_IS_NEXT;
}
