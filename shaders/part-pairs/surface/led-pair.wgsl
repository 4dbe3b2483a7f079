// Which surface decides about the contacts of two bodies. If both have one, one leads: the mesh, or body A. The other
// one follows: it only accepts or rejects (src/parts/surface/leading-surface.ts).

import package::shared::shapes::{Shape, CORE_HALFSPACE, CORE_PARTS};

// Whether there may be solids. If not, kernels leave out their code.
override HAS_SOLIDS: bool = false;

fn isMesh(body: Shape) -> bool {
  return body.kind == CORE_PARTS && body.faceCount == 0u;
}

fn hasSurface(body: Shape) -> bool {
  return isMesh(body) || (HAS_SOLIDS && body.kind == CORE_PARTS && body.firstCellRow != 0u);
}

// Whether body A's surface leads, if any decides.
fn leadsA(bodyA: Shape, bodyB: Shape) -> bool {
  return isMesh(bodyA) || (!isMesh(bodyB) && hasSurface(bodyA));
}

// Whether a surface decides. `kindA` and `kindB` are those of the parts. Two meshes meet triangle by triangle, and a
// half-space has no edges to catch on.
fn isLed(bodyA: Shape, bodyB: Shape, kindA: u32, kindB: u32) -> bool {
  let isFirst = leadsA(bodyA, bodyB);
  let other = select(kindA, kindB, isFirst);
  return (isFirst || hasSurface(bodyB)) && !(isMesh(bodyA) && isMesh(bodyB)) && other != CORE_HALFSPACE;
}
