// Records of impacts as rows of 16 bytes, and records of pairs that wait for impacts-rotating. Rows are integers
// because times may be infinite. With INFO_TOUCHING, bodies that wait touch at the start: the record has their normal
// and their point. Pairs that wait for impacts-parting have the impact that it keeps if the bodies close in.
//
//   row  an impact                      a pair that waits
//   0    normal, unclamped time         normal, when to begin
//   1    point, info                    point, info

import package::shared::results::{Impact, INFO_ITERATIONS_SHIFT, INFO_LEAVING, INFO_PASSES, INFO_TOUCHING};
import package::queries::impacts::times::{NEVER, INFINITY_BITS, SIGN_BIT};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;

fn storeImpact(index: u32, impact: Impact) {
  var time = bitcast<u32>(impact.unclampedTime);
  if (abs(impact.unclampedTime) >= NEVER) {
    time = INFINITY_BITS | (time & SIGN_BIT);
  }
  records[2u * index] = vec4u(bitcast<vec3u>(impact.normal), time);
  records[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), impact.info);
}

// `impact` has the normal and the point of bodies that touch.
fn storeRotating(index: u32, impact: Impact, begin: f32, isTouching: bool) {
  let info = select(0u, INFO_TOUCHING, isTouching) |
      ((impact.info >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT);
  records[2u * index] = vec4u(bitcast<vec3u>(impact.normal), bitcast<u32>(begin));
  records[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), info);
}

// Rotating bodies that overlap at the start and part.
fn storeLeaving(index: u32, iterations: u32) {
  storeNothing(index, INFO_LEAVING | (iterations << INFO_ITERATIONS_SHIFT));
}

// Rotating bodies that overlap at the start, along a normal, and pass each other.
fn storePassing(index: u32, iterations: u32, normal: vec3f) {
  storeNothing(index, INFO_PASSES | (iterations << INFO_ITERATIONS_SHIFT));
  records[2u * index] = vec4u(bitcast<vec3u>(normal), 0u);
}

fn storeNothing(index: u32, info: u32) {
  records[2u * index] = vec4u(0u);
  records[2u * index + 1u] = vec4u(0u, 0u, 0u, info);
}

// Keeps the impact that is there.
fn storeSettled(index: u32, iterations: u32) {
  let info = records[2u * index + 1u].w;
  records[2u * index + 1u].w = (info & ((1u << INFO_ITERATIONS_SHIFT) - 1u)) | (iterations << INFO_ITERATIONS_SHIFT);
}

// The result of storeRotating or storeLeaving. The time at which to begin is in the place of the impact's time.
fn loadRotating(index: u32) -> Impact {
  let first = records[2u * index];
  let last = records[2u * index + 1u];
  return Impact(bitcast<vec3f>(first.xyz), bitcast<f32>(first.w), bitcast<vec3f>(last.xyz), last.w);
}
