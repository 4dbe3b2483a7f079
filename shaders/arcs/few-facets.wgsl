// Which pairs are searched by faces and arcs before EPA.

import package::arcs::gauss-map::{GaussMap};

// Most facets of both bodies together. Pairs with more go to EPA (src/gpu/adapter-class.ts).
override MOST_FACETS: u32 = 0xffffffffu;
const NO_LIMIT: u32 = 0xffffffffu;

fn haveFewFacets(mapA: GaussMap, mapB: GaussMap) -> bool {
  return mapA.normalCount + mapB.normalCount <= MOST_FACETS && mapA.stepCount + mapB.stepCount > 0u;
}
