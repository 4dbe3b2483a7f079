/**
 * The pairs of leaves of two aligned trees that can be at most `margin` apart.
 *
 * All boxes of one tree have the same axes, so that one rotation serves all pairs of boxes: of the separating axis test
 * (Gottschalk, Lin, Manocha, "OBBTree", 1996), what depends on axes alone is computed once per traversal. In A's unit, with
 * R the rotation, t the vector between the centres, a and b the half extents, two boxes are apart
 *
 *     along axis i of A           if  |t_i| > a_i + Σ_j |R_ij| b_j
 *     along axis j of B           if  |t · R_j| > b_j + Σ_i |R_ij| a_i
 *     along the product of both   if  |t · (e_i × R_j)| > what both boxes reach there.
 *
 * Products are not normalised. They are at most 1 long, so that a margin counts for more than it is, and almost parallel
 * axes, whose product is all rounding, separate nothing.
 */
import type { PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import { noteCut } from './separation.ts';
import type { Walk } from './walk.ts';

/**
 * Goes on until it has found `most` more pairs of leaves, which it adds to `walk.leaves`, or until the stack is empty.
 */
export function walkAligned(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  margin: number,
  most: number,
  walk: Walk,
): void {
  const boxesA = a.boxes;
  const boxesB = b.boxes;
  const rightsA = a.rightChildren;
  const rightsB = b.rightChildren;
  const { stack, leaves } = walk;
  const { rotation, translation, scaleA, scaleB } = placement;
  const scale = scaleB / scaleA;
  const shiftX = translation[0] / scaleA;
  const shiftY = translation[1] / scaleA;
  const shiftZ = translation[2] / scaleA;
  const slack = slackOf(a, b, placement);
  const limit = margin / scaleA + slack;
  const r00 = rotation[0];
  const r10 = rotation[1];
  const r20 = rotation[2];
  const r01 = rotation[3];
  const r11 = rotation[4];
  const r21 = rotation[5];
  const r02 = rotation[6];
  const r12 = rotation[7];
  const r22 = rotation[8];
  const f00 = Math.abs(r00);
  const f10 = Math.abs(r10);
  const f20 = Math.abs(r20);
  const f01 = Math.abs(r01);
  const f11 = Math.abs(r11);
  const f21 = Math.abs(r21);
  const f02 = Math.abs(r02);
  const f12 = Math.abs(r12);
  const f22 = Math.abs(r22);
  let { top, leafCount, boxTests } = walk;
  // In A's unit, and enlarged by the slack.
  let least = walk.bound / scaleA + slack;
  while (top > 0 && leafCount < most) {
    top--;
    let nodeA = stack[2 * top];
    let nodeB = stack[2 * top + 1];
    for (;;) {
      boxTests++;
      const atA = 6 * nodeA;
      const atB = 6 * nodeB;
      const ax = boxesA[atA + 3];
      const ay = boxesA[atA + 4];
      const az = boxesA[atA + 5];
      const bx = scale * boxesB[atB + 3];
      const by = scale * boxesB[atB + 4];
      const bz = scale * boxesB[atB + 5];
      const cx = scale * boxesB[atB];
      const cy = scale * boxesB[atB + 1];
      const cz = scale * boxesB[atB + 2];
      const tx = r00 * cx + r01 * cy + r02 * cz + shiftX - boxesA[atA];
      const ty = r10 * cx + r11 * cy + r12 * cz + shiftY - boxesA[atA + 1];
      const tz = r20 * cx + r21 * cy + r22 * cz + shiftZ - boxesA[atA + 2];
      let gap: number;
      apart: {
        gap = Math.abs(tx) - ax - (f00 * bx + f01 * by + f02 * bz);
        if (gap > limit) break apart;
        gap = Math.abs(ty) - ay - (f10 * bx + f11 * by + f12 * bz);
        if (gap > limit) break apart;
        gap = Math.abs(tz) - az - (f20 * bx + f21 * by + f22 * bz);
        if (gap > limit) break apart;
        gap = Math.abs(r00 * tx + r10 * ty + r20 * tz) - bx - (f00 * ax + f10 * ay + f20 * az);
        if (gap > limit) break apart;
        gap = Math.abs(r01 * tx + r11 * ty + r21 * tz) - by - (f01 * ax + f11 * ay + f21 * az);
        if (gap > limit) break apart;
        gap = Math.abs(r02 * tx + r12 * ty + r22 * tz) - bz - (f02 * ax + f12 * ay + f22 * az);
        if (gap > limit) break apart;
        gap = Math.abs(r10 * tz - r20 * ty) - (f20 * ay + f10 * az) - (f02 * by + f01 * bz);
        if (gap > limit) break apart;
        gap = Math.abs(r11 * tz - r21 * ty) - (f21 * ay + f11 * az) - (f00 * bz + f02 * bx);
        if (gap > limit) break apart;
        gap = Math.abs(r12 * tz - r22 * ty) - (f22 * ay + f12 * az) - (f01 * bx + f00 * by);
        if (gap > limit) break apart;
        gap = Math.abs(r20 * tx - r00 * tz) - (f00 * az + f20 * ax) - (f12 * by + f11 * bz);
        if (gap > limit) break apart;
        gap = Math.abs(r21 * tx - r01 * tz) - (f01 * az + f21 * ax) - (f10 * bz + f12 * bx);
        if (gap > limit) break apart;
        gap = Math.abs(r22 * tx - r02 * tz) - (f02 * az + f22 * ax) - (f11 * bx + f10 * by);
        if (gap > limit) break apart;
        gap = Math.abs(r00 * ty - r10 * tx) - (f10 * ax + f00 * ay) - (f22 * by + f21 * bz);
        if (gap > limit) break apart;
        gap = Math.abs(r01 * ty - r11 * tx) - (f11 * ax + f01 * ay) - (f20 * bz + f22 * bx);
        if (gap > limit) break apart;
        gap = Math.abs(r02 * ty - r12 * tx) - (f12 * ax + f02 * ay) - (f21 * bx + f20 * by);
        if (gap > limit) break apart;

        const rightA = rightsA[nodeA];
        const rightB = rightsB[nodeB];
        if (rightA === 0 && rightB === 0) {
          leaves[2 * leafCount] = nodeA;
          leaves[2 * leafCount + 1] = nodeB;
          leafCount++;
          break;
        }
        // The larger box is cut: the tests of its children are the likelier to fail.
        if (rightB === 0 || (rightA !== 0 && ax + ay + az >= bx + by + bz)) {
          stack[2 * top] = rightA;
          stack[2 * top + 1] = nodeB;
          nodeA++;
        } else {
          stack[2 * top] = nodeA;
          stack[2 * top + 1] = rightB;
          nodeB++;
        }
        top++;
        continue;
      }
      if (gap < least) least = noteCut(a, nodeA, b, nodeB, placement, walk) / scaleA + slack;
      break;
    }
  }
  walk.top = top;
  walk.leafCount = leafCount;
  walk.boxTests = boxTests;
}
