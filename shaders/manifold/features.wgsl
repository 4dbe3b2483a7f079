// What the points of a manifold lie on: ids of corners, and the features that they stand for.

import package::contact-face::face::{ContactFace, faceVertexNumber};
import package::corners::{ChosenCorners, cornerIds};

// Bits 30 and 31 of an id: what the corner is; 0 is a vertex of A's. See docs/conventions.md, "Features of manifold
// points".
const MANIFOLD_VERTEX: u32 = 1u << 30u;
const MANIFOLD_CROSSING: u32 = 2u << 30u;
const MANIFOLD_WITNESS: u32 = 3u << 30u;
// In features only: the vertex is B's.
const MANIFOLD_VERTEX_OF_B: u32 = 1u << 29u;
const MANIFOLD_EDGE_BITS: u32 = 15u;
// Two vertices with numbers below this have a key of their own.
const MANIFOLD_EDGE_BASE: u32 = 181u;

const NO_EDGE: u32 = 0xffffffffu;

fn crossingId(subjectEdge: u32, regionEdge: u32) -> u32 {
  let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
  return MANIFOLD_CROSSING | (subjectEdge & mask) | ((regionEdge & mask) << MANIFOLD_EDGE_BITS);
}

// Features of the chosen corners: by their names or, if two would have the same, by their ids.
fn chosenFeatures(faceA: ContactFace, faceB: ContactFace, chosen: ChosenCorners) -> vec4u {
  var features = vec4u(0u);
  for (var attempt = 0u; attempt < 2u; attempt++) {
    for (var k = 0u; k < chosen.count; k++) {
      features[k] = pointFeature(faceA, faceB, cornerIds[chosen.numbers[k]][1u - attempt]);
    }
    var areAlike = false;
    for (var k = 1u; k < chosen.count; k++) {
      for (var m = 0u; m < k; m++) {
        areAlike |= features[k] == features[m];
      }
    }
    if (!areAlike) {
      break;
    }
  }
  return features;
}

// The feature of an id: the same, whichever face was clipped against the other. See docs/conventions.md.
fn pointFeature(faceA: ContactFace, faceB: ContactFace, id: u32) -> u32 {
  let kind = id & (3u << 30u);
  if (kind == MANIFOLD_WITNESS) {
    return MANIFOLD_WITNESS;
  }
  if (kind == MANIFOLD_CROSSING) {
    let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
    let edges = vec2u(id & mask, (id >> MANIFOLD_EDGE_BITS) & mask);
    let ofA = select(edges.x, edges.y, faceA.isArea);
    let ofB = select(edges.y, edges.x, faceA.isArea);
    return MANIFOLD_CROSSING | edgeKey(faceA, ofA) | (edgeKey(faceB, ofB) << MANIFOLD_EDGE_BITS);
  }
  let number = id & (MANIFOLD_VERTEX - 1u);
  if (kind == MANIFOLD_VERTEX) {
    return MANIFOLD_VERTEX | MANIFOLD_VERTEX_OF_B | faceVertexNumber(faceB, number);
  }
  return MANIFOLD_VERTEX | faceVertexNumber(faceA, number);
}

// The key of an edge: the same from either end.
fn edgeKey(face: ContactFace, edge: u32) -> u32 {
  let a = faceVertexNumber(face, edge);
  let b = faceVertexNumber(face, select(edge + 1u, 0u, edge + 1u >= face.count));
  return (min(a, b) * MANIFOLD_EDGE_BASE + max(a, b)) & ((1u << MANIFOLD_EDGE_BITS) - 1u);
}
