// Nodes of trees of boxes over the parts of shapes (src/bvh/part-tree.ts), packed by src/gpu/part-pairs/pack-tree.ts.
// All lengths are in the tree's unit, a power of two: no point of a box is as much as two units from the origin.

import package::shared::math::{rotationMatrix};

// 32 bytes.
struct PartNode {
  centre: vec3f,
  // The first of two children, which the second one follows. For a leaf, -1 - part.
  link: i32,
  // The axes of the box, as a quaternion of any length: four numbers of 16 bits.
  rotation: vec2u,
  // Half extents in HALF_UNIT: three f16 numbers, none of which is subnormal.
  half: vec2u,
}

const HALF_UNIT: f32 = 6.103515625e-5;

struct PartBox {
  centre: vec3f,
  link: i32,
  half: vec3f,
  // The axes are the columns.
  axes: mat3x3f,
}

fn boxOf(node: PartNode) -> PartBox {
  let rotation = vec4f(unpack2x16snorm(node.rotation.x), unpack2x16snorm(node.rotation.y));
  let half = vec3f(unpack2x16float(node.half.x), unpack2x16float(node.half.y).x);
  return PartBox(node.centre, node.link, HALF_UNIT * half, rotationMatrix(rotation));
}

fn isLeaf(box: PartBox) -> bool {
  return box.link < 0;
}

fn sizeOf(box: PartBox) -> f32 {
  return box.half.x + box.half.y + box.half.z;
}
