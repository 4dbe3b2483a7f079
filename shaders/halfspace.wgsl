// A bounded core against a half-space: the lowest point of the core decides, and it has a closed form for every kind.

import package::shared::constants::{LEAST_LENGTH};
import package::shared::shapes::{Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID};
import package::shared::curved::{ellipsoidPoint};
import package::shared::support-of-polytope::{supportOfPolytope};

// Out of a half-space; a core has it scaled like all its lengths.
fn halfspaceNormal(core: Core) -> vec3f {
  return normalize(core.halfExtents / core.scale);
}

// The point of a bounded core that is farthest along the unit vector `down`, in the body's frame; where a whole edge or
// face is, one of its vertices.
fn lowestPoint(core: Core, down: vec3f) -> vec3f {
  let size = core.halfExtents;
  switch (core.kind) {
    case CORE_POINT: {
      return vec3f(0.0);
    }
    case CORE_SEGMENT: {
      return vec3f(0.0, select(-size.y, size.y, down.y >= 0.0), 0.0);
    }
    case CORE_BOX: {
      return select(-size, size, down >= vec3f(0.0));
    }
    case CORE_CYLINDER: {
      return rimPoint(size, down, select(-size.y, size.y, down.y >= 0.0));
    }
    case CORE_CONE: {
      // The apex, unless the base's rim is farther: heights over the base's centre.
      if (2.0 * size.y * down.y >= size.x * length(down.xz)) {
        return vec3f(0.0, size.y, 0.0);
      }
      return rimPoint(size, down, -size.y);
    }
    case CORE_ELLIPSOID: {
      return lowestOfEllipsoid(size, down);
    }
    default: {
      return supportOfPolytope(core, down).position;
    }
  }
}

// The point farthest along `down` on a circle of radius size.x around the y axis; its centre where they are all as far.
fn rimPoint(size: vec3f, down: vec3f, y: f32) -> vec3f {
  let slope = length(down.xz);
  if (slope <= LEAST_LENGTH) {
    return vec3f(0.0, y, 0.0);
  }
  let rim = down.xz * (size.x / slope);
  return vec3f(rim.x, y, rim.y);
}

// The ellipsoid is the unit ball stretched by its half axes, which takes the normal `down` back to half axes times
// `down`.
fn lowestOfEllipsoid(size: vec3f, down: vec3f) -> vec3f {
  let w = size * down;
  let longest = max(abs(w.x), max(abs(w.y), abs(w.z)));
  // Only where all half axes along `down` are 0: every point is as far.
  if (longest <= LEAST_LENGTH) {
    return vec3f(0.0);
  }
  return ellipsoidPoint(size, normalize(w / longest));
}
