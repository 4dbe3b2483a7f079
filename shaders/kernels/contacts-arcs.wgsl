// The normal of the pairs of polytopes that contacts-epa left, which are those whose depth is nearly the same in many
// directions. It goes to contacts-epa once more, for the face along it and witness points.

import package::queries::contacts::arcs::{epaStartByArcs};
import package::kernels::contact-records::{loadEpaStart, storeEpaStart};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, list};
import package::shared::constants::{EPA_WORKERS};
import package::shared::results::{LIST_HEADER};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var slot = list[parameters.firstClass] + id.x; slot < list[parameters.endClass]; slot += EPA_WORKERS) {
    let index = list[LIST_HEADER + slot];
    let input = loadInput(index);
    storeEpaStart(index, epaStartByArcs(input.pair, input.shapeA, input.shapeB, loadEpaStart(index)));
  }
}
