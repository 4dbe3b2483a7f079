// Features of the points of a manifold, from the ids of corners: what the points lie on.

import package::contact-face::face::{contactFaces, faceVertexNumber};
import package::corners::{ChosenCorners, idsOf};
import package::manifold::ids::{
  MANIFOLD_CROSSING, MANIFOLD_EDGE_BITS, MANIFOLD_VERTEX, MANIFOLD_VERTEX_OF_B, MANIFOLD_WITNESS, edgeKey
};

fn crossingId(subjectEdge: u32, regionEdge: u32) -> u32 {
  let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
  return MANIFOLD_CROSSING | (subjectEdge & mask) | ((regionEdge & mask) << MANIFOLD_EDGE_BITS);
}

// Features of the chosen corners: by their names or, if two would have the same, by their ids.
fn chosenFeatures(chosen: ChosenCorners) -> vec4u {
  var features = vec4u(0u);
  // The names, then perhaps the ids, in a loop: compilers inline every call.
  var end = chosen.count;
  for (var step = 0u; step < end; step++) {
    let isByName = step < chosen.count;
    let k = select(step - chosen.count, step, isByName);
    let ids = idsOf(chosen.numbers[k]);
    features[k] = pointFeature(select(ids.x, ids.y, isByName));
    if (step + 1u == chosen.count && areAlike(features, chosen.count)) {
      end = 2u * chosen.count;
    }
  }
  return features;
}

// Whether two of the first `count` are the same.
fn areAlike(features: vec4u, count: u32) -> bool {
  return (count > 1u && features.x == features.y) || (count > 2u && any(features.xy == features.zz)) ||
      (count > 3u && any(features.xyz == features.www));
}

// The feature of an id: the same, whichever face was clipped against the other. See docs/conventions.md.
fn pointFeature(id: u32) -> u32 {
  let kind = id & (3u << 30u);
  if (kind == MANIFOLD_WITNESS) {
    return MANIFOLD_WITNESS;
  }
  // The vertex, or the ends of A's edge and of B's.
  let isCrossing = kind == MANIFOLD_CROSSING;
  let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
  let edges = vec2u(id & mask, (id >> MANIFOLD_EDGE_BITS) & mask);
  // A's edge, then B's.
  let edgesOfBoth = select(edges, edges.yx, contactFaces[0].isArea);
  var numbers = vec4u(0u);
  let count = select(1u, 4u, isCrossing);
  for (var i = 0u; i < count; i++) {
    let isOfB = select(kind == MANIFOLD_VERTEX, i >= 2u, isCrossing);
    let face = contactFaces[select(0u, 1u, isOfB)];
    let first = select(edgesOfBoth.x, edgesOfBoth.y, isOfB);
    let last = select(first + 1u, 0u, first + 1u >= face.count);
    let number = select(id & (MANIFOLD_VERTEX - 1u), select(last, first, (i & 1u) == 0u), isCrossing);
    numbers[i] = faceVertexNumber(face, number);
  }
  if (isCrossing) {
    return MANIFOLD_CROSSING | edgeKey(numbers.xy) | (edgeKey(numbers.zw) << MANIFOLD_EDGE_BITS);
  }
  return MANIFOLD_VERTEX | select(0u, MANIFOLD_VERTEX_OF_B, kind == MANIFOLD_VERTEX) | numbers.x;
}
