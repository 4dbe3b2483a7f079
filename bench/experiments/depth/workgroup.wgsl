// Depth by EPA with a workgroup per pair and the polytope in its memory, for comparison only. The lanes share the scan
// over faces, the test of which are visible, and the new faces. It has none of the rules that keep a polytope whole
// under rounding, and starts from tetrahedra only.

import package::kernels::work-lists as package::kernels::list;
import package::shared::constants::{EPA_EXIT_ULPS, EPA_VISIBLE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::results::{INFO_ITERATIONS_SHIFT};
import package::shared::support::{differenceSupport, differencePoint};
import package::triangle::{triangleFrame};
import package::queries::pair-unit::{marginInUnits};
import package::queries::witness::{Surface};
import package::queries::contacts::result::{convergedContact};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{loadEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::list::{listedPair, slotsOf};
import package::kernels::parameters::{parameters};

override LANES: u32 = 8u;
const MAX_VERTICES: u32 = 40u;
const MAX_FACES: u32 = 96u;
const GONE: f32 = -1e30;

var<workgroup> positions: array<vec3f, MAX_VERTICES>;
var<workgroup> planes: array<vec4f, MAX_FACES>;
var<workgroup> corners: array<vec3u, MAX_FACES>;
var<workgroup> neighbours: array<array<u32, 3>, MAX_FACES>;
var<workgroup> isVisible: array<u32, MAX_FACES>;
var<workgroup> heights: array<f32, 32>;
var<workgroup> nearest: array<u32, 32>;
var<workgroup> edges: array<vec3u, MAX_FACES>;
var<workgroup> removed: array<u32, MAX_FACES>;
var<workgroup> faceFrom: array<u32, MAX_VERTICES>;
var<workgroup> faceTo: array<u32, MAX_VERTICES>;
var<workgroup> edgeCount: atomic<u32>;
var<workgroup> removedCount: atomic<u32>;
var<workgroup> faceCount: u32;
var<workgroup> isDone: u32;

fn slotOf(k: u32, count: u32) -> u32 {
  return select(faceCount + k - count, removed[min(k, MAX_FACES - 1u)], k < count);
}

fn putFace(f: u32, c: vec3u) {
  let frame = triangleFrame(positions[c.x], positions[c.y], positions[c.z]);
  planes[f] = vec4f(-frame.normal, select(GONE, -dot(frame.normal, positions[c.x]), frame.hasInside));
  corners[f] = c;
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u, @builtin(num_workgroups) workgroups: vec3u, @builtin(local_invocation_index) lane: u32
) {
  let slots = slotsOf(parameters.firstClass, parameters.endClass, lane);
  for (var round = 0u; round < 65536u; round++) {
    let slot = slots.x + round * workgroups.x + workgroupId.x;
    if (lane == 0u) {
      isDone = select(0u, 1u, slot >= slots.y);
    }
    if (workgroupUniformLoad(&isDone) == 1u) {
      break;
    }
    let index = listedPair(parameters.firstEntry + slot);
    let loaded = loadPair(index);
    let pair = loaded.pair;
    let pending = loadEpaStart(index);
    var vertexCount = 4u;
    if (lane == 0u) {
      // Tetrahedra only; the few other pairs stay without an answer.
      isDone = select(1u, 0u, pending.count == 4u);
      var ids = pending.ids;
      for (var v = 0u; v < 4u; v++) {
        positions[v] = differencePoint(pair, ids[v]).position;
      }
      if (dot(cross(positions[1] - positions[0], positions[2] - positions[0]), positions[3] - positions[0]) > 0.0) {
        let other = positions[1];
        positions[1] = positions[2];
        positions[2] = other;
      }
      // Counter-clockwise from outside: 0 1 2, 0 3 1, 1 3 2, 2 3 0.
      for (var f = 0u; f < 4u; f++) {
        var c = vec3u(0u, 1u, 2u);
        if (f > 0u) {
          c = vec3u(f - 1u, 3u, f % 3u);
        }
        putFace(f, c);
      }
      neighbours[0] = array<u32, 3>(1u, 2u, 3u);
      neighbours[1] = array<u32, 3>(3u, 2u, 0u);
      neighbours[2] = array<u32, 3>(1u, 3u, 0u);
      neighbours[3] = array<u32, 3>(2u, 1u, 0u);
      faceCount = 4u;
    }
    var lower = -1e30;
    var normal = vec3f(1.0, 0.0, 0.0);
    var iterations = pending.info >> INFO_ITERATIONS_SHIFT;
    for (var i = 0u; i < 64u; i++) {
      if (workgroupUniformLoad(&isDone) == 1u) {
        break;
      }
      var height = -1e31;
      var face = 0u;
      for (var f = lane; f < faceCount; f += LANES) {
        if (planes[f].w > height) {
          height = planes[f].w;
          face = f;
        }
      }
      heights[lane] = height;
      nearest[lane] = face;
      if (lane == 0u) {
        atomicStore(&edgeCount, 0u);
        atomicStore(&removedCount, 0u);
      }
      workgroupBarrier();
      for (var other = 0u; other < LANES; other++) {
        if (heights[other] > height || (heights[other] == height && nearest[other] < face)) {
          height = heights[other];
          face = nearest[other];
        }
      }
      let plane = planes[face];
      let point = differenceSupport(pair, -plane.xyz).position;
      let support = dot(plane.xyz, point);
      iterations += 1u;
      if (support > lower) {
        lower = support;
        normal = plane.xyz;
      }
      if (lane == 0u) {
        isDone = select(0u, 1u, plane.w - support <= EPA_EXIT_ULPS * EPSILON || vertexCount == MAX_VERTICES);
      }
      if (workgroupUniformLoad(&isDone) == 1u) {
        break;
      }
      for (var f = lane; f < faceCount; f += LANES) {
        let isSeen = f == face || (planes[f].w > GONE && dot(planes[f].xyz, point) - planes[f].w < -EPA_VISIBLE_ULPS * EPSILON);
        isVisible[f] = select(0u, 1u, isSeen);
        if (isSeen) {
          removed[min(atomicAdd(&removedCount, 1u), MAX_FACES - 1u)] = f;
        }
      }
      if (lane == 0u) {
        positions[vertexCount] = point;
      }
      workgroupBarrier();
      let gone = atomicLoad(&removedCount);
      for (var f = lane; f < faceCount; f += LANES) {
        if (isVisible[f] == 1u) {
          for (var e = 0u; e < 3u; e++) {
            let outer = neighbours[f][e];
            if (isVisible[outer] == 0u) {
              let k = min(atomicAdd(&edgeCount, 1u), MAX_FACES - 1u);
              let edge = vec3u(corners[f][e], corners[f][(e + 1u) % 3u], outer);
              edges[k] = edge;
              faceFrom[edge.x] = slotOf(k, gone);
              faceTo[edge.y] = slotOf(k, gone);
            }
          }
        }
      }
      workgroupBarrier();
      let fan = atomicLoad(&edgeCount);
      for (var k = lane; k < fan; k += LANES) {
        let edge = edges[k];
        let slot = slotOf(k, gone);
        putFace(slot, vec3u(edge.xy, vertexCount));
        neighbours[slot] = array<u32, 3>(edge.z, faceFrom[edge.y], faceTo[edge.x]);
        for (var e = 0u; e < 3u; e++) {
          if (corners[edge.z][e] == edge.y) {
            neighbours[edge.z][e] = slot;
          }
        }
      }
      for (var k = fan + lane; k < gone; k += LANES) {
        planes[removed[k]].w = GONE;
      }
      vertexCount += 1u;
      workgroupBarrier();
      if (lane == 0u) {
        faceCount = min(faceCount + max(fan, gone) - gone, MAX_FACES);
      }
    }
    if (lane == 0u && pending.count == 4u) {
      let cores = Surface(vec3f(0.0), vec3f(0.0));
      storeContact(index, convergedContact(pair, normal, lower, lower, cores, marginInUnits(pair, parameters.margin), iterations));
    }
  }
}
