// Distances, by one stage each.

@kernel(distances-closed) // pairs that have a closed form
@kernel(distances-gjk)    // any pair
@kernel(distances-mpr)    // the pairs that MPR decides; the others are left to distances-gjk
@kernel(distances-newton) // pairs without hulls, as far as the projected Newton search gets; the others, as above
@kernel(distances-sat)    // the box pairs that SAT decides; the others, as above

import package::shared::results::{Distance, STATUS_INVALID_INPUT};
@if(distances-closed) import package::queries::distances::closed::{distanceByClosedForm};
@if(distances-gjk) import package::queries::distances::gjk::{distanceSearch, distanceByGjk};
@if(distances-gjk) import package::kernels::warm-start::{loadGuess, storeGuess};
@if(distances-mpr) import package::queries::distances::mpr::{distanceByMpr};
@if(distances-newton) import package::queries::distances::newton::{distanceByNewton};
@if(distances-sat) import package::queries::distances::sat::{distanceBySat};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<Distance>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var record: Distance;
  record.info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    @if(distances-gjk) let search = distanceSearch(input.pair, parameters.margin, loadGuess(index, input.pair));
    @if(distances-gjk) storeGuess(index, input.pair, search.simplex);
    @if(distances-gjk) record = distanceByGjk(input.pair, parameters.margin, search);
    @if(distances-closed) record = distanceByClosedForm(input.pair, parameters.margin);
    @if(distances-mpr) record = distanceByMpr(input.pair, parameters.margin);
    @if(distances-newton) record = distanceByNewton(input.pair, parameters.margin);
    @if(distances-sat) record = distanceBySat(input.pair, parameters.margin);
  }
  results[index] = record;
}
