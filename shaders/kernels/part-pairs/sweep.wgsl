// For `impacts`: how body B of each pair of bodies translates relative to A while their bounding spheres meet, and how
// both rotate. The search takes the pairs of parts whose boxes may meet. An invocation takes a pair of bodies.

@kernel(sweep)
@kernel(planar-sweep)

import package::kernels::part-pairs::parameters::{pairEnd, parameters, FIRST_BOUND};
import package::kernels::part-pairs::searched::{Sweep, SWEEP_WORDS};
@if(sweep) import package::kernels::part-pairs::searched-pair::{loadSearched};
@if(sweep) import package::kernels::part-pairs::swept-pair::{sweepOf};
@if(planar-sweep) import package::kernels::planar::searched-pair::{loadSearched};
@if(planar-sweep) import package::kernels::planar::swept-pair::{sweepOf};

// The numbers of pairs of parts, then the sweeps.
@group(0) @binding(8) var<storage, read_write> partPairCount: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let pair = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (pair >= pairEnd()) {
    return;
  }
  let searched = loadSearched(pair, 0.0, Sweep());
  var sweep = Sweep();
  if (searched.hasParts) {
    sweep = sweepOf(searched);
  }
  let words = array<f32, SWEEP_WORDS>(
    sweep.before.x, sweep.before.y, sweep.before.z, sweep.way.x, sweep.way.y, sweep.way.z, sweep.slack,
    sweep.turns.x, sweep.turns.y
  );
  for (var i = 0u; i < SWEEP_WORDS; i++) {
    partPairCount[FIRST_BOUND + SWEEP_WORDS * pair + i] = bitcast<u32>(words[i]);
  }
}
