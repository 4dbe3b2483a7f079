// Whether the shapes of a pair are at most the margin apart, by one stage each.

@kernel(intersects-closed) // pairs that have a closed form
@kernel(intersects-gjk)    // any pair
@kernel(intersects-mpr)    // the pairs that MPR decides; the others are left to intersects-gjk
@kernel(intersects-sat)    // the box pairs that SAT decides; the others, as above

import package::shared::results::{STATUS_INVALID_INPUT};
@if(intersects-closed) import package::queries::intersects::closed::{intersectsByClosedForm};
@if(intersects-gjk) import package::queries::intersects::gjk::{intersectsSearch, intersectsByGjk};
@if(intersects-gjk) import package::kernels::warm-start::{loadGuess, storeGuess};
@if(intersects-mpr) import package::queries::intersects::mpr::{intersectsByMpr};
@if(intersects-sat) import package::queries::intersects::sat::{intersectsBySat};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    @if(intersects-gjk) let search = intersectsSearch(input.pair, parameters.margin, loadGuess(index, input.pair));
    @if(intersects-gjk) storeGuess(index, input.pair, search.simplex);
    @if(intersects-gjk) info = intersectsByGjk(input.pair, parameters.margin, search);
    @if(intersects-closed) info = intersectsByClosedForm(input.pair, parameters.margin);
    @if(intersects-mpr) info = intersectsByMpr(input.pair, parameters.margin);
    @if(intersects-sat) info = intersectsBySat(input.pair, parameters.margin);
  }
  results[index] = info;
}
