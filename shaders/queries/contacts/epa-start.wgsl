// What EPA and the arcs start from: GJK's result for a pair whose cores overlap or touch.

import package::shared::geometry::{HAS_PARTS};
import package::shared::pair::{Pair};
import package::shared::shapes::{CORE_BOX, CORE_HULL, CORE_TRIANGLE};

struct EpaStart {
  // The best axis so far in A's frame, and the bounds of the cores' distance: GJK's, or those of the arcs.
  normal: vec3f,
  lower: f32,
  upper: f32,
  info: u32,
  // Vertices of the last simplex.
  ids: array<vec2u, 4>,
  count: u32,
}

// Whether the Gauss maps of the shapes have arcs, as far as their kinds say: both are polytopes, and one has faces.
fn haveArcs(pair: Pair) -> bool {
  let greatest = max(pair.coreA.kind, pair.coreB.kind);
  // Triangles of meshes have no Gauss maps.
  let isBare = HAS_PARTS && (pair.coreA.kind == CORE_TRIANGLE || pair.coreB.kind == CORE_TRIANGLE);
  return greatest >= CORE_BOX && greatest <= CORE_HULL && !isBare;
}
