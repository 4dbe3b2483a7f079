// Tests the pairs of parts that a stage has come to, and lists those that are wanted.

import package::kernels::part-pairs::lists::{candidates, counters, verdicts};
import package::kernels::part-pairs::parameters::{parameters, TEST_ANY, TEST_NEAR};
import package::kernels::part-pairs::stage::{placements, stage};
import package::part-pairs::placement::{rotationOf, PartPlacement, NO_TRIANGLES};
import package::part-pairs::records::{PartPair, IS_OPEN};
import package::part-pairs::triangles::{classifyTriangles, Fan, APART, OPEN};
import package::shared::triangle::{Triangle};

// Nine numbers per triangle, in the units of the meshes' trees.
@group(0) @binding(5) var<storage, read> triangles: array<f32>;
@group(0) @binding(7) var<storage, read_write> found: array<PartPair>;

var<workgroup> foundHere: atomic<u32>;
var<workgroup> firstHere: u32;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let count = stage.candidateCount;
  for (var first = workgroupId.x * 64u; first < count; first += workgroups.x * 64u) {
    var candidate = PartPair(0u, 0u, 0u);
    var isListed = false;
    if (first + localIndex < count) {
      candidate = candidates[first + localIndex];
      let outcome = outcomeOf(candidate);
      isListed = outcome != APART;
      if (outcome == OPEN) {
        candidate.a |= IS_OPEN;
      } else if (isListed && parameters.test == TEST_ANY) {
        verdicts[candidate.pair] = 1u;
        isListed = false;
      }
    }
    append(candidate, isListed, localIndex);
  }
}

fn outcomeOf(candidate: PartPair) -> u32 {
  let placement = placements[candidate.pair];
  if (placement.trianglesA == NO_TRIANGLES || placement.trianglesB == NO_TRIANGLES) {
    return OPEN;
  }
  let a = triangleAt(placement.trianglesA + candidate.a);
  let b = placed(triangleAt(placement.trianglesB + candidate.b), placement);
  let isExact = parameters.test != TEST_NEAR;
  return classifyTriangles(a, b, placement.placementError, placement.triangleMargin, isExact);
}

fn triangleAt(number: u32) -> Triangle {
  let at = 9u * number;
  return Triangle(
    vec3f(triangles[at], triangles[at + 1u], triangles[at + 2u]),
    vec3f(triangles[at + 3u], triangles[at + 4u], triangles[at + 5u]),
    vec3f(triangles[at + 6u], triangles[at + 7u], triangles[at + 8u]),
  );
}

// A triangle of B in A's frame. With u = 2^-24, its first corner is off along each axis by 7 u of the corner's length
// and 2 u of the translation's: less than the placement's error. Edges are off by 10 u of their length: 1 u for the
// difference, 2 u for the scale, 2 u for the rotation's own rounding and 5.2 u for the product.
fn placed(t: Triangle, placement: PartPlacement) -> Fan {
  let rotation = rotationOf(placement);
  return Fan(
    rotation * (placement.scale * t.a) + placement.translation,
    rotation * (placement.scale * (t.b - t.a)),
    rotation * (placement.scale * (t.c - t.a)),
  );
}

// Called by all invocations of a workgroup.
fn append(candidate: PartPair, isListed: bool, localIndex: u32) {
  var place = 0u;
  if (isListed) {
    place = atomicAdd(&foundHere, 1u);
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    firstHere = atomicAdd(&counters.found, atomicExchange(&foundHere, 0u));
  }
  workgroupBarrier();
  if (isListed && firstHere + place < parameters.listCapacity) {
    found[firstHere + place] = candidate;
  }
}
