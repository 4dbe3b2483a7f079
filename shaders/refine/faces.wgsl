// Search among known directions: the normals of faces that EPA did not expand, the axes of both bodies in both
// directions, and the bodies' own face normals. If many faces tie around one axis, the direction of the axis may have
// no face. And the best direction out of a small hull deep in a round shape is one of the hull's own normals.

import package::shared::constants::{REFINE_FACES};
import package::shared::geometry::{geometryVector};
import package::shared::math::{unitAxis};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::support-in-loop::{supportInLoop};
import package::polytope::{faceCount, planeOf};
import package::refine::climb::{Top};

fn tryFaces(pair: Pair, shapeA: Shape, shapeB: Shape, start: Top) -> Top {
  var top = start;
  let facesA = min(shapeA.faceCount, REFINE_FACES);
  let firstA = faceCount + 12u;
  let firstB = firstA + facesA;
  for (var f = 0u; f < firstB + min(shapeB.faceCount, REFINE_FACES); f++) {
    var plane = vec4f(axisAt(pair, f - min(f, faceCount)), 0.0);
    if (f < faceCount) {
      plane = planeOf(f);
    } else if (f >= firstA) {
      let isB = f >= firstB;
      let row = select(firstFaceRow(shapeA) + f - firstA, firstFaceRow(shapeB) + f - firstB, isB);
      let normal = geometryVector(row);
      plane = vec4f(select(normal, -(pair.rotation * normal), isB), 0.0);
    }
    if (plane.w <= top.height) {
      continue;
    }
    let found = dot(plane.xyz, supportInLoop(pair, -plane.xyz).position);
    top.iterations += 1u;
    if (found > top.height) {
      top.height = found;
      top.normal = plane.xyz;
    }
  }
  return top;
}

fn firstFaceRow(shape: Shape) -> u32 {
  return shape.firstRow + shape.vertexCount + shape.edgeCount;
}

// The axes of A, then those of B, each in both directions.
fn axisAt(pair: Pair, i: u32) -> vec3f {
  let unit = unitAxis((i >> 1u) % 3u);
  let axis = select(unit, pair.rotation * unit, i >= 6u);
  return select(axis, -axis, (i & 1u) == 1u);
}
