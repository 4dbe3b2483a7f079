// The impacts of pairs of parts, their contacts at the start, and the impacts of pairs of bodies, as rows of 16 bytes
// (kernels/planar/impact-records.wgsl and contact-records.wgsl).

import package::shared::results::{INFO_HAS_POINTS, INFO_HIT, STATUS_OVERLAPPING};
import package::planar::shapes::{PlanarVelocity};

// The impacts of the pairs of parts.
@group(0) @binding(1) var<storage, read> partRecords: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> records: array<vec4u>;
// With HAS_SURFACES: their contacts at the start.
@group(0) @binding(6) var<storage, read> startRecords: array<vec4u>;
@group(0) @binding(8) var<storage, read> velocities: array<PlanarVelocity>;

fn infoOfParts(at: u32) -> u32 {
  return partRecords[2u * at].w;
}

fn wordOfTime(at: u32) -> u32 {
  return partRecords[2u * at].z;
}

// The velocity of the second body minus that of the first.
fn velocityBetween(bodies: vec2u) -> vec3f {
  return vec3f(velocities[bodies.y].linear - velocities[bodies.x].linear, 0.0);
}

fn normalAtStart(at: u32) -> vec3f {
  return vec3f(bitcast<vec2f>(startRecords[3u * at].xy), 0.0);
}

fn pointAtStart(at: u32) -> vec3f {
  return vec3f(bitcast<vec2f>(startRecords[3u * at + 1u].xy), 0.0);
}

// Stores the impact of a pair of parts, of whose `info` only these bits.
fn storeChosen(pair: u32, source: u32, bits: u32) {
  let row = partRecords[2u * source];
  records[2u * pair] = vec4u(row.xyz, row.w & bits);
  records[2u * pair + 1u] = partRecords[2u * source + 1u];
}

// Stores that of bodies that overlap at the start. `time`: the bits of the unclamped time.
fn storeOverlap(pair: u32, normal: vec3f, point: vec3f, time: u32) {
  records[2u * pair] = vec4u(bitcast<vec2u>(normal.xy), time, STATUS_OVERLAPPING | INFO_HIT | INFO_HAS_POINTS);
  records[2u * pair + 1u] = vec4u(bitcast<vec2u>(point.xy), 0u, 0u);
}

fn storeNoImpact(pair: u32, status: u32, time: u32) {
  records[2u * pair] = vec4u(0u, 0u, time, status);
  records[2u * pair + 1u] = vec4u(0u);
}
