// The exact box of a core that is rotated: not the box of a rotated local box.

import package::shared::geometry::{geometryVector};
import package::shared::shapes::{
  Shape, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID
};

struct Box {
  low: vec3f,
  high: vec3f,
}

// The core's box about the body's position, at scale 1. `rotation` has the images of the axes as columns.
fn coreBox(shape: Shape, rotation: mat3x3f) -> Box {
  let x = rotation[0] * shape.halfExtents.x;
  let y = rotation[1] * shape.halfExtents.y;
  let z = rotation[2] * shape.halfExtents.z;
  // Half the size along each axis of a disc about the y axis.
  let disc = shape.halfExtents.x * sqrt(rotation[0] * rotation[0] + rotation[2] * rotation[2]);
  switch (shape.kind) {
    case CORE_POINT: {
      return Box(vec3f(0.0), vec3f(0.0));
    }
    case CORE_SEGMENT: {
      return Box(-abs(y), abs(y));
    }
    case CORE_BOX: {
      let half = abs(x) + abs(y) + abs(z);
      return Box(-half, half);
    }
    case CORE_CYLINDER: {
      let half = abs(y) + disc;
      return Box(-half, half);
    }
    case CORE_CONE: {
      // The apex is at y, the base's centre at -y.
      return Box(min(y, -y - disc), max(y, disc - y));
    }
    case CORE_ELLIPSOID: {
      // Divided by the greatest half axis first, so that no square overflows or vanishes.
      let greatest = max(max(shape.halfExtents.x, max(shape.halfExtents.y, shape.halfExtents.z)), 1e-30);
      let half = greatest * sqrt(
        (x / greatest) * (x / greatest) + (y / greatest) * (y / greatest) + (z / greatest) * (z / greatest)
      );
      return Box(vec3f(shape.radius) - half, half - vec3f(shape.radius));
    }
    default: {
      var box = Box(vec3f(3e38), vec3f(-3e38));
      for (var i = 0u; i < shape.vertexCount; i++) {
        let vertex = rotation * geometryVector(shape.firstRow + i);
        box.low = min(box.low, vertex);
        box.high = max(box.high, vertex);
      }
      let middle = rotation * shape.middle;
      return Box(box.low + middle, box.high + middle);
    }
  }
}
