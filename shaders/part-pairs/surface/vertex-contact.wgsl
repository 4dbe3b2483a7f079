// The normal of a vertex's cone along which a convex body has to move least to clear the vertex.
// src/parts/surface/vertex-contact.ts finds it by the contact of the body with a pyramid. Here, the normals are tried
// that the body itself has around the vertex: of its faces, and of its round surfaces where they are nearest. The best
// normal at the rim of the cone is on one of the rim's arcs, each of which is across a spoke:
//
//              1                the rim seen from above: an arc across each of the spokes 1, 2, 3, as far as the other
//          .______.             spokes allow. The spokes of a triangle's own edges bound only part of the rim.
//           \    /
//          3 \  / 2
//             \/

import package::part-pairs::surface::accepted-normal::{isAcceptedAtVertex};
import package::part-pairs::surface::angle::{angleOf};
import package::part-pairs::surface::arc-search::{Arc, HALF_TURN};
import package::part-pairs::surface::convex-part::{lowestOfB};
import package::part-pairs::surface::rows::{EdgePiece, SurfacePart, cornerAt, spokeAt, spokesOf};
import package::shared::geometry::{geometryVector};
import package::shared::pair::{Pair};
import package::shared::shapes::{
  Core, Shape, CORE_BOX, CORE_CONE, CORE_CYLINDER, CORE_ELLIPSOID, CORE_HULL, CORE_SEGMENT, CORE_TRIANGLE
};

struct VertexNormal {
  normal: vec3f,
  // How far the body moves; 0 if no normal of the cone was found.
  clearance: f32,
}

// Two spokes are in one line up to this sine.
const IN_LINE: f32 = 1e-5;

// The arc across a spoke of a corner's cone; empty up to rounding if the spoke does not bound the cone, or if the cone
// has no inside.
fn rimOfCone(part: SurfacePart, corner: u32, number: u32) -> Arc {
  let spokes = spokesOf(part, corner);
  var arc = Arc();
  if (number >= spokes.y) {
    return arc;
  }
  let along = spokeAt(spokes.x + number);
  var across = vec3f(0.0);
  var normal = vec3f(0.0);
  for (var i = 0u; i < spokes.y; i++) {
    let other = spokeAt(spokes.x + i);
    let away = along * dot(other, along) - other;
    if (length(away) <= IN_LINE) {
      if (dot(other, along) < 0.0) {
        return Arc();
      }
      continue;
    }
    if (all(across == vec3f(0.0))) {
      // In this order, because `away` is precise neither in length nor in direction if the spokes are nearly parallel.
      normal = normalize(cross(along, away));
      across = cross(normal, along);
      arc.least = -0.5 * HALF_TURN;
      arc.greatest = 0.5 * HALF_TURN;
    }
    // The middle of the half turn that is against the other spoke, near the present range.
    let present = 0.5 * (arc.least + arc.greatest);
    var middle = angleOf(vec2f(dot(away, across), dot(away, normal)));
    middle -= 2.0 * HALF_TURN * round((middle - present) / (2.0 * HALF_TURN));
    arc.least = max(arc.least, middle - 0.5 * HALF_TURN);
    arc.greatest = min(arc.greatest, middle + 0.5 * HALF_TURN);
    if (arc.least > arc.greatest) {
      return Arc();
    }
  }
  arc.piece = EdgePiece(cornerAt(part, corner), 1.0, along, across, normal, 0.0, 0.0, arc.least, arc.greatest);
  return arc;
}

// The best of the body's own normals. Of a pair with a part of a surface as A.
fn leastAtVertex(pair: Pair, shapeB: Shape, part: SurfacePart, corner: u32, slack: f32) -> VertexNormal {
  let vertex = cornerAt(part, corner);
  // In B's frame, about its middle.
  let place = (vertex - pair.translation) * pair.rotation;
  var best = VertexNormal(vec3f(0.0), 0.0);
  let count = faceNormalCount(pair.coreB, shapeB);
  for (var i = 0u; i < count; i++) {
    let outward = faceNormal(pair.coreB, shapeB, place, i);
    let normal = -(pair.rotation * outward);
    if (all(outward == vec3f(0.0)) || !isAcceptedAtVertex(part, corner, normal, slack)) {
      continue;
    }
    let clearance = dot(vertex - lowestOfB(pair, normal), normal);
    if (clearance > 0.0 && (best.clearance == 0.0 || clearance < best.clearance)) {
      best = VertexNormal(normal, clearance);
    }
  }
  return best;
}

// The number of normals to try.
fn faceNormalCount(core: Core, shape: Shape) -> u32 {
  switch (core.kind) {
    case CORE_BOX: {
      return 7u;
    }
    case CORE_TRIANGLE, CORE_HULL: {
      return shape.faceCount;
    }
    case CORE_CYLINDER: {
      return 3u;
    }
    case CORE_CONE: {
      return 2u;
    }
    default: {
      return 1u;
    }
  }
}

// An outward normal in the body's frame, or zero. `place`: of the vertex, about the body's middle.
fn faceNormal(core: Core, shape: Shape, place: vec3f, number: u32) -> vec3f {
  switch (core.kind) {
    case CORE_BOX: {
      if (number < 6u) {
        let side = select(1.0, -1.0, (number & 1u) != 0u);
        return vec3f(vec3u(number >> 1u) == vec3u(0u, 1u, 2u)) * side;
      }
      // Of a rounded box, from the nearest point of its core.
      return directionOf(place - clamp(place, -core.halfExtents, core.halfExtents));
    }
    case CORE_TRIANGLE, CORE_HULL: {
      return geometryVector(core.firstRow + shape.vertexCount + shape.edgeCount + number);
    }
    case CORE_SEGMENT: {
      return directionOf(place - vec3f(0.0, clamp(place.y, -core.halfExtents.y, core.halfExtents.y), 0.0));
    }
    case CORE_CYLINDER: {
      if (number < 2u) {
        return vec3f(0.0, select(1.0, -1.0, number == 1u), 0.0);
      }
      return directionOf(vec3f(place.x, 0.0, place.z));
    }
    case CORE_CONE: {
      if (number == 0u) {
        return vec3f(0.0, -1.0, 0.0);
      }
      let radial = directionOf(vec3f(place.x, 0.0, place.z));
      return directionOf(radial * (2.0 * core.halfExtents.y) + vec3f(0.0, core.halfExtents.x, 0.0));
    }
    case CORE_ELLIPSOID: {
      let reaches = core.halfExtents + vec3f(shape.radius * core.scale);
      return directionOf(place / (reaches * reaches));
    }
    default: {
      return directionOf(place);
    }
  }
}

fn directionOf(v: vec3f) -> vec3f {
  let size = length(v);
  return select(vec3f(0.0), v / max(size, 1e-30), size > 1e-12);
}
