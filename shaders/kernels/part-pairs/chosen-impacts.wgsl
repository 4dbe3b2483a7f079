// The impacts of pairs of parts, their contacts at the start, and the impacts of pairs of bodies, as rows of 16 bytes
// (kernels/impact-records.wgsl and contact-records.wgsl).

import package::shared::results::{INFO_HAS_POINTS, INFO_HIT, STATUS_OVERLAPPING};
import package::shared::shapes::{Velocity};

// The impacts of the pairs of parts.
@group(0) @binding(1) var<storage, read> partRecords: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> records: array<vec4u>;
// With HAS_SURFACES: their contacts at the start.
@group(0) @binding(6) var<storage, read> startRecords: array<vec4u>;
@group(0) @binding(8) var<storage, read> velocities: array<Velocity>;

fn infoOfParts(at: u32) -> u32 {
  return partRecords[2u * at + 1u].w;
}

fn wordOfTime(at: u32) -> u32 {
  return partRecords[2u * at].w;
}

// The velocity of the second body minus that of the first.
fn velocityBetween(bodies: vec2u) -> vec3f {
  return velocities[bodies.y].linear - velocities[bodies.x].linear;
}

fn normalAtStart(at: u32) -> vec3f {
  return bitcast<vec3f>(startRecords[4u * at].xyz);
}

fn pointAtStart(at: u32) -> vec3f {
  return bitcast<vec3f>(startRecords[4u * at + 1u].xyz);
}

// Stores the impact of a pair of parts, of whose `info` only these bits.
fn storeChosen(pair: u32, source: u32, bits: u32) {
  let row = partRecords[2u * source + 1u];
  records[2u * pair] = partRecords[2u * source];
  records[2u * pair + 1u] = vec4u(row.xyz, row.w & bits);
}

// Stores that of bodies that overlap at the start. `time`: the bits of the unclamped time.
fn storeOverlap(pair: u32, normal: vec3f, point: vec3f, time: u32) {
  records[2u * pair] = vec4u(bitcast<vec3u>(normal), time);
  records[2u * pair + 1u] = vec4u(bitcast<vec3u>(point), STATUS_OVERLAPPING | INFO_HIT | INFO_HAS_POINTS);
}

fn storeNoImpact(pair: u32, status: u32, time: u32) {
  records[2u * pair] = vec4u(0u, 0u, 0u, time);
  records[2u * pair + 1u] = vec4u(0u, 0u, 0u, status);
}
