// From the weights of a simplex or face to points on both surfaces.

import package::shared::pair::{Pair};
import package::shared::support::{vertexA, vertexB};
import package::simplex::{Simplex};

// A point of each body, in A's frame.
struct Surface {
  onA: vec3f,
  onB: vec3f,
}

// The nearest points of the cores: the simplex's weights carried over to the vertices on either side.
fn simplexWitness(pair: Pair, s: Simplex) -> Surface {
  var cores = Surface(vertexA(pair, s.a.id) * s.weights.x, vertexB(pair, s.a.id) * s.weights.x);
  if (s.count > 1u) {
    cores.onA += vertexA(pair, s.b.id) * s.weights.y;
    cores.onB += vertexB(pair, s.b.id) * s.weights.y;
  }
  if (s.count > 2u) {
    cores.onA += vertexA(pair, s.c.id) * s.weights.z;
    cores.onB += vertexB(pair, s.c.id) * s.weights.z;
  }
  return cores;
}

fn triangleWitness(pair: Pair, ids: vec3u, weights: vec3f) -> Surface {
  return Surface(
    vertexA(pair, ids.x) * weights.x + vertexA(pair, ids.y) * weights.y + vertexA(pair, ids.z) * weights.z,
    vertexB(pair, ids.x) * weights.x + vertexB(pair, ids.y) * weights.y + vertexB(pair, ids.z) * weights.z,
  );
}

// Points on the rounded surfaces exactly `distance` apart along the normal: what rounding left between the two
// estimates is shared by both.
fn surfacePoints(pair: Pair, normal: vec3f, distance: f32, cores: Surface) -> Surface {
  let middle = 0.5 * (cores.onA + cores.onB + normal * (pair.radiusA - pair.radiusB));
  return Surface(middle - normal * (0.5 * distance), middle + normal * (0.5 * distance));
}
