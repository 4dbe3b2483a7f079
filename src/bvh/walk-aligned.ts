/**
 * The pairs of parts of two aligned trees whose boxes can be at most `margin` apart.
 *
 * All boxes of a tree have the same axes, so that one rotation serves all pairs of boxes. Of the separating axis test
 * (Gottschalk, Lin, Manocha, "OBBTree", 1996), only the 6 axes of the boxes are used, as in van den Bergen, "Efficient
 * collision detection of complex deformable models using AABB trees" (1997). The 9 cross products would save 10 to 15 % of
 * the tests, and take 8 % more time in all.
 *
 * In A's unit, with R the rotation, t the vector between the centres, and a and b the half extents, two boxes are apart
 *
 *     along axis i of A   if  |t_i|     > a_i + sum_j |R_ij| b_j
 *     along axis j of B   if  |t · R_j| > b_j + sum_i |R_ij| a_i
 *
 * A step takes a pair of nodes whose boxes meet, cuts the larger box, and tests both children against the other box, which
 * shares half of the work. The child whose centre is nearer is next: a first hit is found with a third fewer tests.
 */
import type { PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import { noteCut } from './separation.ts';
import { BOXES_AT_ONCE, type Walk } from './walk.ts';

/**
 * Goes on until it has found `most` more pairs of parts, which it adds to `walk.pairs`, until the stack is empty, or until it
 * has tested `BOXES_AT_ONCE` boxes. The pairs of nodes on the stack have been tested, or are the roots.
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
  const linksA = a.links;
  const linksB = b.links;
  const { stack, pairs } = walk;
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
  let { top, pairCount } = walk;
  let boxTests = 0;
  // In A's unit, enlarged by the slack.
  let least = walk.bound / scaleA + slack;
  while (top > 0 && pairCount < most && boxTests < BOXES_AT_ONCE) {
    top--;
    let nodeA = stack[2 * top];
    let nodeB = stack[2 * top + 1];
    for (;;) {
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if ((linkA & linkB) < 0) {
        pairs[2 * pairCount] = -1 - linkA;
        pairs[2 * pairCount + 1] = -1 - linkB;
        pairCount++;
        break;
      }
      boxTests += 2;
      const atA = Math.imul(6, nodeA);
      const atB = Math.imul(6, nodeB);
      const ax = boxesA[atA + 3];
      const ay = boxesA[atA + 4];
      const az = boxesA[atA + 5];
      const bx = scale * boxesB[atB + 3];
      const by = scale * boxesB[atB + 4];
      const bz = scale * boxesB[atB + 5];
      const cutsA = linkB < 0 || (linkA >= 0 && ax + ay + az >= bx + by + bz);
      // Along the axis on which a child is apart, or -1.
      let gapLeft = -1;
      let gap = -1;
      // Squared distance of the centres.
      let squareLeft = 0;
      let square = 0;
      if (cutsA) {
        // In A's frame: the centre of B's box, and how far it reaches along A's axes.
        const px = scale * boxesB[atB];
        const py = scale * boxesB[atB + 1];
        const pz = scale * boxesB[atB + 2];
        const cx = r00 * px + r01 * py + r02 * pz + shiftX;
        const cy = r10 * px + r11 * py + r12 * pz + shiftY;
        const cz = r20 * px + r21 * py + r22 * pz + shiftZ;
        const reachX = f00 * bx + f01 * by + f02 * bz;
        const reachY = f10 * bx + f11 * by + f12 * bz;
        const reachZ = f20 * bx + f21 * by + f22 * bz;
        const left = Math.imul(6, linkA);
        for (let at = left; at < left + 12; at += 6) {
          gapLeft = gap;
          squareLeft = square;
          const tx = cx - boxesA[at];
          const ty = cy - boxesA[at + 1];
          const tz = cz - boxesA[at + 2];
          const hx = boxesA[at + 3];
          const hy = boxesA[at + 4];
          const hz = boxesA[at + 5];
          gap = Math.abs(tx) - hx - reachX;
          if (gap > limit) continue;
          gap = Math.abs(ty) - hy - reachY;
          if (gap > limit) continue;
          gap = Math.abs(tz) - hz - reachZ;
          if (gap > limit) continue;
          gap = Math.abs(r00 * tx + r10 * ty + r20 * tz) - bx - (f00 * hx + f10 * hy + f20 * hz);
          if (gap > limit) continue;
          gap = Math.abs(r01 * tx + r11 * ty + r21 * tz) - by - (f01 * hx + f11 * hy + f21 * hz);
          if (gap > limit) continue;
          gap = Math.abs(r02 * tx + r12 * ty + r22 * tz) - bz - (f02 * hx + f12 * hy + f22 * hz);
          if (gap > limit) continue;
          square = tx * tx + ty * ty + tz * tz;
        }
      } else {
        // The same in B's frame.
        const px = shiftX - boxesA[atA];
        const py = shiftY - boxesA[atA + 1];
        const pz = shiftZ - boxesA[atA + 2];
        const cx = r00 * px + r10 * py + r20 * pz;
        const cy = r01 * px + r11 * py + r21 * pz;
        const cz = r02 * px + r12 * py + r22 * pz;
        const reachX = f00 * ax + f10 * ay + f20 * az;
        const reachY = f01 * ax + f11 * ay + f21 * az;
        const reachZ = f02 * ax + f12 * ay + f22 * az;
        const left = Math.imul(6, linkB);
        for (let at = left; at < left + 12; at += 6) {
          gapLeft = gap;
          squareLeft = square;
          const tx = cx + scale * boxesB[at];
          const ty = cy + scale * boxesB[at + 1];
          const tz = cz + scale * boxesB[at + 2];
          const hx = scale * boxesB[at + 3];
          const hy = scale * boxesB[at + 4];
          const hz = scale * boxesB[at + 5];
          gap = Math.abs(tx) - hx - reachX;
          if (gap > limit) continue;
          gap = Math.abs(ty) - hy - reachY;
          if (gap > limit) continue;
          gap = Math.abs(tz) - hz - reachZ;
          if (gap > limit) continue;
          gap = Math.abs(r00 * tx + r01 * ty + r02 * tz) - ax - (f00 * hx + f01 * hy + f02 * hz);
          if (gap > limit) continue;
          gap = Math.abs(r10 * tx + r11 * ty + r12 * tz) - ay - (f10 * hx + f11 * hy + f12 * hz);
          if (gap > limit) continue;
          gap = Math.abs(r20 * tx + r21 * ty + r22 * tz) - az - (f20 * hx + f21 * hy + f22 * hz);
          if (gap > limit) continue;
          square = tx * tx + ty * ty + tz * tz;
        }
      }
      const leftA = cutsA ? linkA : nodeA;
      const leftB = cutsA ? nodeB : linkB;
      const rightA = cutsA ? linkA + 1 : nodeA;
      const rightB = cutsA ? nodeB : linkB + 1;
      if (gapLeft > limit) {
        if (gapLeft < least) least = noteCut(a, leftA, b, leftB, placement, walk) / scaleA + slack;
        nodeA = rightA;
        nodeB = rightB;
        if (gap <= limit) continue;
        if (gap < least) least = noteCut(a, rightA, b, rightB, placement, walk) / scaleA + slack;
        break;
      }
      const isLeftNext = gap > limit || squareLeft <= square;
      if (gap > limit) {
        if (gap < least) least = noteCut(a, rightA, b, rightB, placement, walk) / scaleA + slack;
      } else {
        stack[2 * top] = isLeftNext ? rightA : leftA;
        stack[2 * top + 1] = isLeftNext ? rightB : leftB;
        top++;
      }
      nodeA = isLeftNext ? leftA : rightA;
      nodeB = isLeftNext ? leftB : rightB;
    }
  }
  walk.top = top;
  walk.pairCount = pairCount;
  walk.boxTests += boxTests;
}
