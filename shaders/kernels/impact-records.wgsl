// Records of impacts as rows of 16 bytes, and of pairs that wait for the search of bodies that turn. Rows are integers: times may be infinite.
//
//   row  an impact                      a pair that waits
//   0    normal, unclamped time         normal, when to begin
//   1    point, info                    point, info

import package::shared::results::{Impact, INFO_PENDING_GJK, INFO_PENDING_EPA, INFO_ITERATIONS_SHIFT};
import package::queries::impacts::result::{NEVER};

@group(0) @binding(6) var<storage, read_write> results: array<vec4u>;

const INFINITY_BITS: u32 = 0x7f800000u;
const SIGN_BIT: u32 = 0x80000000u;

fn storeImpact(index: u32, impact: Impact) {
  var time = bitcast<u32>(impact.unclampedTime);
  if (abs(impact.unclampedTime) >= NEVER) {
    time = INFINITY_BITS | (time & SIGN_BIT);
  }
  results[2u * index] = vec4u(bitcast<vec3u>(impact.normal), time);
  results[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), impact.info);
}

// `impact` has the normal and the point of bodies that touch.
fn storeTurning(index: u32, impact: Impact, begin: f32, isTouching: bool) {
  let info = INFO_PENDING_GJK | select(0u, INFO_PENDING_EPA, isTouching) | ((impact.info >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT);
  results[2u * index] = vec4u(bitcast<vec3u>(impact.normal), bitcast<u32>(begin));
  results[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), info);
}

fn storeNothing(index: u32, info: u32) {
  results[2u * index] = vec4u(0u);
  results[2u * index + 1u] = vec4u(0u, 0u, 0u, info);
}

// What storeTurning left: when to begin is where the time will be.
fn loadTurning(index: u32) -> Impact {
  let first = results[2u * index];
  let last = results[2u * index + 1u];
  return Impact(bitcast<vec3f>(first.xyz), bitcast<f32>(first.w), bitcast<vec3f>(last.xyz), last.w);
}
