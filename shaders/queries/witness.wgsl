// From the weights of a simplex or face to points of both cores.

import package::shared::pair::{Pair};
import package::shared::support::{vertexA, vertexB};
import package::queries::surface::{Surface};
import package::simplex::{Simplex};

// The nearest points of the cores: the weights of a face of the difference carried over to the vertices on either side.
fn cornerWitness(pair: Pair, a: vec2u, b: vec2u, c: vec2u, weights: vec3f) -> Surface {
  var cores = Surface(vec3f(0.0), vec3f(0.0));
  var ids = array(a, b, c);
  for (var i = 0u; i < 3u; i++) {
    cores.onA += vertexA(pair, ids[i]) * weights[i];
    cores.onB += vertexB(pair, ids[i]) * weights[i];
  }
  return cores;
}

fn simplexWitness(pair: Pair, s: Simplex) -> Surface {
  // Slots beyond the count have no weight; their ids may be anything, so the first serves for them.
  return cornerWitness(
    pair, s.a.id, select(s.a.id, s.b.id, s.count > 1u), select(s.a.id, s.c.id, s.count > 2u), s.weights.xyz
  );
}

// The same for a simplex of this very pair, of which GJK knows the positions: B's point is A's and the point of the
// difference, and only A's vertices are loaded. Slots beyond the count have the weight 0.
fn searchWitness(pair: Pair, s: Simplex) -> Surface {
  let onA = mat3x3f(vertexA(pair, s.a.id), vertexA(pair, s.b.id), vertexA(pair, s.c.id)) * s.weights.xyz;
  return Surface(onA, onA + mat3x3f(s.a.position, s.b.position, s.c.position) * s.weights.xyz);
}
