// The most tests that the search does for one body, of up to SAMPLES bodies that are evenly spaced in the grid. A
// search that takes long does so for many bodies, some of which are among these.

import package::broad-phase::state::{STATE_HALFSPACES};
import package::kernels::broad-phase::load-body::{bodyAt};
import package::kernels::broad-phase::rows::{
  countOf, gridCount, isNone, layerOf, layersOf, otherLayers, rowsFrom, state, ROWS
};

@group(0) @binding(17) var<storage, read_write> mostTests: atomic<u32>;

const SAMPLES: u32 = 4096u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let bodyCount = gridCount();
  let slot = (workgroupId.x * 256u + localIndex) * ((bodyCount + SAMPLES - 1u) / SAMPLES);
  if (slot >= bodyCount) {
    return;
  }
  let body = bodyAt(slot);
  var tests = state[STATE_HALFSPACES];
  for (var layers = layersOf(body); !isNone(layers); layers = otherLayers(layers)) {
    let layer = layerOf(body, slot, layers);
    for (var row = 0u; row < layer.rowCount; row += ROWS) {
      tests += countOf(rowsFrom(layer, row, slot));
    }
  }
  atomicMax(&mostTests, tests);
}
