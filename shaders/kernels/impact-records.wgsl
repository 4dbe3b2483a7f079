// Records of impacts as rows of 16 bytes, and records of pairs that wait for a later kernel. Rows are integers because
// times may be infinite. Bits of `info` say what a pair waits for (shared/results.wgsl). An impact with
// INFO_PENDING_PARTING waits for impacts-parting, which keeps it if the bodies close in. A pair with
// INFO_PENDING_MOTION waits for impacts-rotating, or, after velocity EPA, for impacts-cast, which starts anew. With
// INFO_TOUCHING as well, its bodies touch: the record has their normal and their point.
//
//   row  an impact                      a pair that waits
//   0    normal, unclamped time         normal, when to begin
//   1    point, info                    point, info

import package::shared::results::{
  Impact, INFO_ITERATIONS_SHIFT, INFO_LEAVING, INFO_PENDING_MOTION, INFO_PENDING_PARTING, INFO_TOUCHING
};
import package::queries::impacts::result::{NEVER};
import package::queries::impacts::linear::{LinearImpact};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;

const INFINITY_BITS: u32 = 0x7f800000u;
const SIGN_BIT: u32 = 0x80000000u;

fn storeImpact(index: u32, impact: Impact) {
  var time = bitcast<u32>(impact.unclampedTime);
  if (abs(impact.unclampedTime) >= NEVER) {
    time = INFINITY_BITS | (time & SIGN_BIT);
  }
  records[2u * index] = vec4u(bitcast<vec3u>(impact.normal), time);
  records[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), impact.info);
}

// The result of a search for bodies that translate. Impacts of bodies that overlap or touch at the start are left to
// impacts-parting, if that kernel follows.
fn storeLinear(index: u32, found: LinearImpact, passesParting: bool) {
  if (found.isPending) {
    storeRotating(index, found.impact, found.begin, found.isTouching);
    return;
  }
  var impact = found.impact;
  impact.info |= select(0u, INFO_PENDING_PARTING, passesParting && found.isTouching && impact.unclampedTime <= 0.0);
  storeImpact(index, impact);
}

// `impact` has the normal and the point of bodies that touch.
fn storeRotating(index: u32, impact: Impact, begin: f32, isTouching: bool) {
  let info = INFO_PENDING_MOTION | select(0u, INFO_TOUCHING, isTouching) |
      ((impact.info >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT);
  records[2u * index] = vec4u(bitcast<vec3u>(impact.normal), bitcast<u32>(begin));
  records[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), info);
}

// Rotating bodies that overlap at the start and part.
fn storeLeaving(index: u32, iterations: u32) {
  storeNothing(index, INFO_PENDING_MOTION | INFO_LEAVING | (iterations << INFO_ITERATIONS_SHIFT));
}

fn storeNothing(index: u32, info: u32) {
  records[2u * index] = vec4u(0u);
  records[2u * index + 1u] = vec4u(0u, 0u, 0u, info);
}

// Keeps the impact that is there and clears its pending bit.
fn storeSettled(index: u32, iterations: u32) {
  let info = records[2u * index + 1u].w;
  let others = (1u << INFO_ITERATIONS_SHIFT) - 1u - INFO_PENDING_PARTING;
  records[2u * index + 1u].w = (info & others) | (iterations << INFO_ITERATIONS_SHIFT);
}

// The result of storeRotating or storeLeaving. The time at which to begin is in the place of the impact's time.
fn loadRotating(index: u32) -> Impact {
  let first = records[2u * index];
  let last = records[2u * index + 1u];
  return Impact(bitcast<vec3f>(first.xyz), bitcast<f32>(first.w), bitcast<vec3f>(last.xyz), last.w);
}
