// Distances by GJK.

import package::shared::results::{Distance, STATUS_INVALID_INPUT};
import package::queries::distances::gjk::{distanceSearch, distanceByGjk};
import package::kernels::warm-start::{loadGuess, storeGuess};
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
  var result: Distance;
  result.info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    let search = distanceSearch(input.pair, parameters.margin, loadGuess(index, input.pair));
    storeGuess(index, input.pair, search.simplex);
    result = distanceByGjk(input.pair, parameters.margin, search);
  }
  results[index] = result;
}
