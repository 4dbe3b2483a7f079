// Where B is relative to A, for a search for pairs of their parts.

import package::part-pairs::node::{PartBox};

// Lengths are in A's unit: that of its tree.
struct PartPlacement {
  // The rotation from B's axes to A's, column by column; and where the nodes and the triangles of both begin. Only
  // meshes have triangles.
  columnX: vec3f,
  nodesA: u32,
  columnY: vec3f,
  nodesB: u32,
  columnZ: vec3f,
  trianglesA: u32,
  // From A's position to B's, in A's axes.
  translation: vec3f,
  trianglesB: u32,
  // B's unit.
  scale: f32,
  // Boxes that are farther apart than this are certain to be farther apart than the margin of the search.
  boxMargin: f32,
  // Triangles that are certain to be farther apart than this are left out.
  triangleMargin: f32,
  // Coordinates of B's triangles in A's frame are off by less than this.
  placementError: f32,
}

const NO_TRIANGLES: u32 = 0xffffffffu;

fn rotationOf(placement: PartPlacement) -> mat3x3f {
  return mat3x3f(placement.columnX, placement.columnY, placement.columnZ);
}

// A box of one tree in the frame of the other, in A's unit.
fn boxOfAInB(box: PartBox, placement: PartPlacement) -> PartBox {
  let turnedBack = transpose(rotationOf(placement));
  let centre = turnedBack * (box.centre - placement.translation);
  return PartBox(centre, box.link, box.half, turnedBack * box.axes);
}

fn boxOfBInA(box: PartBox, placement: PartPlacement) -> PartBox {
  let rotation = rotationOf(placement);
  let centre = rotation * (placement.scale * box.centre) + placement.translation;
  return PartBox(centre, box.link, placement.scale * box.half, rotation * box.axes);
}
