// Support mappings of the cores and of the Minkowski difference B - A.
//
// support-of-polytope.wgsl defines the numbers of the vertices of points, segments, boxes and hulls, curved.wgsl those
// of the points of curved cores.

import package::shared::curved::{curvedSupport, curvedPoint};
import package::shared::shapes::{Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_HULL, CORE_ELLIPSOID};
import package::shared::support-of-polytope::{CoreVertex, supportOfPolytope, vertexOfPolytope};
import package::shared::pair::{Pair};

// Whether there may be cylinders, cones and ellipsoids. If false, kernels leave out their code.
override HAS_CURVED: bool = false;

// The number of the core's vertex farthest along `direction`.
fn support(core: Core, direction: vec3f) -> u32 {
  return supportVertex(core, direction).number;
}

// The core's vertex farthest along `direction`. Its position is that of `vertex`, without another load.
fn supportVertex(core: Core, direction: vec3f) -> CoreVertex {
  if (isCurved(core)) {
    let number = curvedSupport(core, direction);
    return CoreVertex(curvedPoint(core, number), number);
  }
  return supportOfPolytope(core, direction);
}

fn isCurved(core: Core) -> bool {
  return HAS_CURVED && core.kind > CORE_HULL && core.kind <= CORE_ELLIPSOID;
}

// Whether either core is curved: f32 resolves their supports less well.
fn isCurvedPair(pair: Pair) -> bool {
  return isCurved(pair.coreA) || isCurved(pair.coreB);
}

// Number of vertices. For curved cores, all numbers except the last one name a point.
fn vertexCountOf(core: Core) -> u32 {
  switch (core.kind) {
    case CORE_POINT: {
      return 1u;
    }
    case CORE_SEGMENT: {
      return 2u;
    }
    case CORE_BOX: {
      return 8u;
    }
    default: {
      return select(core.vertexCount, 0xffffffffu, isCurved(core));
    }
  }
}

// Position of a core's vertex in its body's frame.
fn vertex(core: Core, number: u32) -> vec3f {
  if (isCurved(core)) {
    return curvedPoint(core, number);
  }
  return vertexOfPolytope(core, number);
}

// A vertex of the Minkowski difference B - A in A's frame.
struct Point {
  position: vec3f,
  // Vertex numbers on A and on B.
  id: vec2u,
}

fn vertexA(pair: Pair, id: vec2u) -> vec3f {
  return vertex(pair.coreA, id.x);
}

fn vertexB(pair: Pair, id: vec2u) -> vec3f {
  return pair.rotation * vertex(pair.coreB, id.y) + pair.translation;
}

fn differencePoint(pair: Pair, id: vec2u) -> Point {
  return Point(vertexB(pair, id) - vertexA(pair, id), id);
}

// The point of B - A farthest along `direction`. Compilers inline both calls: see support-in-loop.wgsl.
fn differenceSupport(pair: Pair, direction: vec3f) -> Point {
  let a = supportVertex(pair.coreA, -direction);
  let b = supportVertex(pair.coreB, direction * pair.rotation);
  return Point(pair.rotation * b.position + pair.translation - a.position, vec2u(a.number, b.number));
}
