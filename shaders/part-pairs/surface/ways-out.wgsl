// Ways out of a compound for a body in the middle of it: through an open face of any of its solids, which the body need
// not touch. `proposeBuried` of src/parts/surface/first-pass.ts does the same in double precision.

import package::part-pairs::surface::convex-part::{lowestOfB};
import package::part-pairs::surface::feature-casts::{CastTo, Feature, coreOfPolygon};
import package::part-pairs::surface::rows::{SurfacePart, placeOfPart, polygonInRow, wayOutRow};
import package::shared::math::{conjugate, relativeQuaternion, rotated, rotationMatrix};
import package::shared::pair::{Pair};

// A way out, for a body that may pass it and moves by less than `most`.
fn wayOut(pair: Pair, part: SurfacePart, number: u32, reach: f32, most: f32) -> CastTo {
  var candidate: CastTo;
  let face = bitcast<vec4f>(wayOutRow(part, number, 0u));
  let ball = bitcast<vec4f>(wayOutRow(part, number, 1u));
  let own = placeOfPart(part, part.number);
  let toOwn = conjugate(own.quaternion);
  // From the compound's unit to the pair's.
  let scale = part.scale / own.scale;
  let normal = rotated(toOwn, face.xyz);
  let height = face.w * scale - dot(normal, pair.middleA);
  let fromMiddle = height - dot(pair.translation, normal);
  let between = rotated(toOwn, ball.xyz) * scale - pair.middleA - pair.translation;
  let aside = between - normal * dot(between, normal);
  if (fromMiddle - reach >= most || length(aside) > ball.w * scale + reach) {
    return candidate;
  }
  let clearance = height - dot(lowestOfB(pair, normal), normal);
  if (clearance <= 0.0 || clearance >= most) {
    return candidate;
  }
  let rest = wayOutRow(part, number, 2u);
  let polygon = polygonInRow(part, rest.w);
  let place = placeOfPart(part, polygon.part);
  let axes = rotationMatrix(relativeQuaternion(own.quaternion, place.quaternion));
  let middle = rotated(toOwn, bitcast<vec3f>(rest.xyz)) * scale - pair.middleA;
  return CastTo(
    true, normal, clearance, Feature(coreOfPolygon(polygon, place.scale * scale), axes, middle)
  );
}
