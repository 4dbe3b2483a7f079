// The part of a shape's surface that faces along a direction: the points of a manifold lie on it.
//
//   sphere, ellipsoid    the farthest point of the surface: contact-face/point.wgsl
//   capsule              the line of the surface above the axis: segment.wgsl
//   polytope             the face most aligned with the direction, or the line above an edge: polytope.wgsl
//   cylinder, cone       a cap, or the line on the side: cylinder.wgsl, cone.wgsl
//   half-space           the plane: halfspace.wgsl
//
// The contact face of a rounded shape is the face of its core, moved by the radius along the face's own normal. It lies
// on the surface, whatever the direction is. So does the peak, the surface's farthest point along the direction, which
// need not be on the contact face.

import package::shared::constants::{MANIFOLD_LEAST_COSINE, MANIFOLD_LEAST_WIDTH};
import package::shared::shapes::{
  Shape, Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_HULL, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID, CORE_HALFSPACE
};
import package::shared::support-of-polytope::{CoreVertex, supportOfPolytope};
import package::contact-face::cone::{coneFace};
import package::contact-face::cylinder::{cylinderFace};
import package::contact-face::face::{ContactFace, faceVertex};
import package::contact-face::halfspace::{halfspaceFace};
import package::contact-face::point::{ellipsoidFace, pointFace};
import package::contact-face::polytope::{boxFace, hullFace};
import package::contact-face::segment::{segmentFace};

// `direction` is a unit vector in the body's frame. `rotation` takes vectors from there to u, v, h; `offset` is the
// body's origin there.
fn contactFace(
  shape: Shape, core: Core, radius: f32, direction: vec3f, side: f32, rotation: mat3x3f, offset: vec3f
) -> ContactFace {
  var face = faceInBody(shape, core, radius, direction);
  face.kind = core.kind;
  face.side = side;
  face.radius = radius;
  let p = face.columns[0];
  let q = face.columns[1];
  face.columns = mat3x3f(rotation * p, rotation * q, vec3f(0.0));
  if (face.loopStart > 0u) {
    face.columns = mat3x3f(rotation[0] * core.scale, rotation[1] * core.scale, rotation[2] * core.scale);
  }
  face.origin = rotation * face.origin + offset;
  face.peak = rotation * face.peak + offset;
  face.middle = rotation * face.middle + offset;
  face.normal = rotation * face.normal;
  face.flanks = mat2x3f(rotation * face.flanks[0], rotation * face.flanks[1]);
  face.cosine = face.normal.z * side;
  // Boxes and discs may be flat: nothing can be over a line.
  let leastSquare = MANIFOLD_LEAST_WIDTH * MANIFOLD_LEAST_WIDTH;
  let isFlat = face.loopStart == 0u && face.count > 2u && min(dot(p, p), dot(q, q)) < leastSquare;
  face.isArea = (face.count >= 3u || face.count == 0u) && face.cosine >= MANIFOLD_LEAST_COSINE && !isFlat;
  if (face.isArea) {
    face.slope = -face.normal.xy / face.normal.z;
  }
  face.anchor = face.origin;
  if (face.loopStart > 0u) {
    face.anchor = faceVertex(face, 0u);
  }
  return face;
}

// The face in the body's frame.
fn faceInBody(shape: Shape, core: Core, radius: f32, direction: vec3f) -> ContactFace {
  var top: CoreVertex;
  if (core.kind <= CORE_HULL) {
    top = supportOfPolytope(core, direction);
  }
  var face: ContactFace;
  switch (core.kind) {
    case CORE_POINT: {
      face = pointFace(radius, direction);
    }
    case CORE_SEGMENT: {
      face = segmentFace(core, radius, direction, top.number);
    }
    case CORE_BOX: {
      face = boxFace(core, radius, direction, top.number);
    }
    case CORE_CYLINDER: {
      face = cylinderFace(core, radius, direction);
    }
    case CORE_CONE: {
      face = coneFace(core, radius, direction);
    }
    case CORE_ELLIPSOID: {
      face = ellipsoidFace(core, direction);
    }
    case CORE_HALFSPACE: {
      face = halfspaceFace(core, radius);
    }
    default: {
      face = hullFace(shape, core, radius, direction, top.number);
    }
  }
  if (core.kind <= CORE_HULL) {
    face.peak = top.position + direction * radius;
  }
  return face;
}
