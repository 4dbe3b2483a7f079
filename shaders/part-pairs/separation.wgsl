// Whether two boxes are apart: the separating axis test with all 15 axes (Gottschalk, Lin, Manocha, "OBBTree", 1996),
// as src/bvh/walk-oriented.ts has it in double precision.
//
// With C_i and F_j the axes of the boxes, M_ij = C_i · F_j, t the vector between the centres, d and e its coordinates
// along C and F, and h and g the half extents, two boxes are apart
//
//     along C_i        if  |d_i| > h_i + sum_j |M_ij| g_j
//     along F_j        if  |e_j| > g_j + sum_i |M_ij| h_i
//     along C_i × F_j  if  |M_i1j d_i2 - M_i2j d_i1| is more than what both boxes reach there
//
// Cross products are not normalised. They are at most 1 long, so that a margin counts for more than it is there.
//
// No pair of boxes that meet is found to be apart. With u = 2^-24, the rounding of an operation, and L the sum of the
// distance of the bodies and of the extents of both trees, in this order:
//
// - The matrix of a quaternion is off by at most 50 u as an operator: its factor by 9 u, which counts twice on the
//   diagonal, and its products and sums. That of the placement is rounded from doubles: 2 u. So C is off by 50 u, and
//   F, their product, by 57 u.
// - t is off by 13 u L, d by (50 + 13 + 3) u L and e by (57 + 13 + 3) u L. M_ij is off by (50 + 57 + 3) u.
// - Along C_i and F_j a gap is off by 73 u L, by 110 u for each length that M is multiplied with, and by 6 u L for its
//   own sums: less than BOX_ROOM (L + h_1 + h_2 + h_3 + g_1 + g_2 + g_3).
// - Along C_i × F_j it is off by 94 u L for d, by 114 u (|d_i1| + |d_i2|) for M and its products, and by 110 u for each
//   half extent and 6 u L as above: less than BOX_ROOM (L + |d_1| + |d_2| + |d_3| + h_1 + ... + g_3).
//
// `margin` includes BOX_ROOM L, and as a length along axes that are not quite 1 long it is enlarged by the share
// BOX_ROOM (src/gpu/part-pairs/placements.ts). The rest is added here.

import package::part-pairs::node::{PartBox};

// 128 u.
const BOX_ROOM: f32 = 7.62939453125e-6;

// Both boxes are in one frame. `t` is from the first box's centre to the second one's.
fn areApart(first: PartBox, second: PartBox, t: vec3f, margin: f32) -> bool {
  let h = first.half;
  let g = second.half;
  let d = t * first.axes;
  let e = t * second.axes;
  let m0 = first.axes[0] * second.axes;
  let m1 = first.axes[1] * second.axes;
  let m2 = first.axes[2] * second.axes;
  let f0 = abs(m0);
  let f1 = abs(m1);
  let f2 = abs(m2);
  let room = margin + BOX_ROOM * (h.x + h.y + h.z + g.x + g.y + g.z);
  let ofFirst = abs(d) - h - vec3f(dot(f0, g), dot(f1, g), dot(f2, g));
  let ofSecond = abs(e) - g - (f0 * h.x + f1 * h.y + f2 * h.z);
  let faces = max(ofFirst, ofSecond);
  if (max(faces.x, max(faces.y, faces.z)) > room) {
    return true;
  }
  let ofCross0 = abs(m1 * d.z - m2 * d.y) - (f2 * h.y + f1 * h.z) - (f0.zxy * g.yzx + f0.yzx * g.zxy);
  let ofCross1 = abs(m2 * d.x - m0 * d.z) - (f0 * h.z + f2 * h.x) - (f1.zxy * g.yzx + f1.yzx * g.zxy);
  let ofCross2 = abs(m0 * d.y - m1 * d.x) - (f1 * h.x + f0 * h.y) - (f2.zxy * g.yzx + f2.yzx * g.zxy);
  let crosses = max(ofCross0, max(ofCross1, ofCross2));
  return max(crosses.x, max(crosses.y, crosses.z)) > room + BOX_ROOM * (abs(d.x) + abs(d.y) + abs(d.z));
}
