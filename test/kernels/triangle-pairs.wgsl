// Intersection and distance of pairs of triangles, for the tests alone.

import package::shared::triangle::{Triangle};
import package::triangle-distance::{triangleDistance};
import package::triangle-intersection::{triangleIntersection};

// Six corners per pair.
@group(0) @binding(0) var<storage, read> corners: array<f32>;
// 15 numbers per pair: whether they are a hit and coplanar, the ends of the segment, the distance and its points.
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

fn corner(i: u32) -> vec3f {
  return vec3f(corners[3u * i], corners[3u * i + 1u], corners[3u * i + 2u]);
}

fn put(at: u32, v: vec3f) {
  results[at] = v.x;
  results[at + 1u] = v.y;
  results[at + 2u] = v.z;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let pair = id.x;
  if (pair >= arrayLength(&corners) / 18u) {
    return;
  }
  let a = Triangle(corner(6u * pair), corner(6u * pair + 1u), corner(6u * pair + 2u));
  let b = Triangle(corner(6u * pair + 3u), corner(6u * pair + 4u), corner(6u * pair + 5u));
  let intersection = triangleIntersection(a, b);
  let nearest = triangleDistance(a, b);
  let at = 15u * pair;
  results[at] = select(0.0, 1.0, intersection.isHit);
  results[at + 1u] = select(0.0, 1.0, intersection.isCoplanar);
  put(at + 2u, intersection.start);
  put(at + 5u, intersection.end);
  results[at + 8u] = nearest.distance;
  put(at + 9u, nearest.pointA);
  put(at + 12u, nearest.pointB);
}
