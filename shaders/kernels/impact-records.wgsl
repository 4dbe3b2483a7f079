// Records of impacts as rows of 16 bytes, and of pairs that wait for the search of bodies that turn. Rows are integers:
// times may be infinite. Impacts that wait for impacts-parting have a bit of their own.
//
//   row  an impact                      a pair that waits
//   0    normal, unclamped time         normal, when to begin
//   1    point, info                    point, info

import package::shared::results::{
  Impact, INFO_PENDING_GJK, INFO_PENDING_EPA, INFO_LEAVING, INFO_PENDING_REFINE, INFO_ITERATIONS_SHIFT
};
import package::queries::impacts::result::{NEVER};
import package::queries::impacts::linear::{LinearImpact};

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

// What a search of straight motion found. Impacts of bodies that overlap or touch to begin with are left to
// impacts-parting where that comes after.
fn storeLinear(index: u32, found: LinearImpact, passesParting: bool) {
  if (found.isPending) {
    storeRotating(index, found.impact, found.begin, found.isTouching);
    return;
  }
  var impact = found.impact;
  impact.info |= select(0u, INFO_PENDING_REFINE, passesParting && found.isTouching && impact.unclampedTime <= 0.0);
  storeImpact(index, impact);
}

// `impact` has the normal and the point of bodies that touch.
fn storeRotating(index: u32, impact: Impact, begin: f32, isTouching: bool) {
  let info = INFO_PENDING_GJK | select(0u, INFO_PENDING_EPA, isTouching) |
      ((impact.info >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT);
  results[2u * index] = vec4u(bitcast<vec3u>(impact.normal), bitcast<u32>(begin));
  results[2u * index + 1u] = vec4u(bitcast<vec3u>(impact.point), info);
}

// Bodies that turn, and overlap to begin with, and part.
fn storeLeaving(index: u32, iterations: u32) {
  storeNothing(index, INFO_PENDING_GJK | INFO_LEAVING | (iterations << INFO_ITERATIONS_SHIFT));
}

fn storeNothing(index: u32, info: u32) {
  results[2u * index] = vec4u(0u);
  results[2u * index + 1u] = vec4u(0u, 0u, 0u, info);
}

// The impact that is there waits for nothing.
fn storeSettled(index: u32, iterations: u32) {
  let info = results[2u * index + 1u].w;
  let others = (1u << INFO_ITERATIONS_SHIFT) - 1u - INFO_PENDING_REFINE;
  results[2u * index + 1u].w = (info & others) | (iterations << INFO_ITERATIONS_SHIFT);
}

// What storeTurning or storeLeaving left: when to begin is where the time will be.
fn loadRotating(index: u32) -> Impact {
  let first = results[2u * index];
  let last = results[2u * index + 1u];
  return Impact(bitcast<vec3f>(first.xyz), bitcast<f32>(first.w), bitcast<vec3f>(last.xyz), last.w);
}
