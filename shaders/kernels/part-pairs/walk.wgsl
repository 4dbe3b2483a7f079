// Descends in the trees of two bodies, from each of a stage's pairs of nodes, by at most MOST_STEPS steps. A step takes
// a pair of nodes whose boxes meet, cuts the larger box, and tests both children against the other box. The child whose
// centre is nearer is next, the other one waits. What waits at the end is left to the next stage, where an invocation
// of its own begins with each.
//
// All that is left is farther down than what the invocation began with, so there are at most as many stages as both
// trees have levels.

import package::kernels::part-pairs::lists::{candidates, counters, verdicts};
import package::kernels::part-pairs::parameters::{parameters, TEST_ANY};
import package::kernels::part-pairs::stage::{placements, stage};
import package::part-pairs::node::{boxOf, isLeaf, sizeOf, PartBox, PartNode};
import package::part-pairs::placement::{boxOfAInB, boxOfBInA};
import package::part-pairs::records::{PartPair};
import package::part-pairs::separation::{areApart};

@group(0) @binding(5) var<storage, read> nodes: array<PartNode>;
// Two halves of parameters.itemCapacity each.
@group(0) @binding(7) var<storage, read_write> items: array<PartPair>;

// More: less to pass on, and less balance between invocations.
override MOST_STEPS: u32 = 16u;

// An invocation ends with so many pairs of nodes that wait, or of parts. The pair that was next waits with them.
const MOST_WAITING: u32 = 11u;
const MOST_CANDIDATES: u32 = 4u;

// By place, then by invocation.
var<workgroup> waiting: array<vec2u, 768>;
var<workgroup> leaves: array<vec2u, 256>;
// How many pairs of nodes and of parts the workgroup appends, its tests, and where it appends.
var<workgroup> itemsHere: atomic<u32>;
var<workgroup> candidatesHere: atomic<u32>;
var<workgroup> testsHere: atomic<u32>;
var<workgroup> firsts: vec2u;

// What an invocation leaves behind.
struct Rest {
  pair: u32,
  waiting: u32,
  leaves: u32,
  tests: u32,
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let count = stage.itemCount;
  for (var first = workgroupId.x * 64u; first < count; first += workgroups.x * 64u) {
    var rest = Rest(0u, 0u, 0u, 0u);
    if (first + localIndex < count) {
      rest = descend(first + localIndex, localIndex);
    }
    append(rest, localIndex);
  }
}

// All pairs of bodies begin with their roots.
fn itemAt(i: u32) -> PartPair {
  if (stage.number == 0u) {
    return PartPair(i, 0u, 0u);
  }
  return items[stage.firstItem + i];
}

fn descend(i: u32, localIndex: u32) -> Rest {
  let item = itemAt(i);
  var rest = Rest(item.pair, 0u, 0u, 0u);
  if (parameters.test == TEST_ANY && verdicts[item.pair] != 0u) {
    return rest;
  }
  let placement = placements[item.pair];
  let mostLeaves = select(MOST_CANDIDATES, 1u, parameters.test == TEST_ANY);
  var at = vec2u(item.a, item.b);
  var boxA = boxOf(nodes[placement.nodesA + at.x]);
  var boxB = boxOf(nodes[placement.nodesB + at.y]);
  var isLoaded = true;
  for (var step = 0u; step < MOST_STEPS && rest.leaves < mostLeaves && rest.waiting < MOST_WAITING; step++) {
    if (!isLoaded) {
      if (rest.waiting == 0u) {
        break;
      }
      rest.waiting--;
      at = waiting[64u * rest.waiting + localIndex];
      boxA = boxOf(nodes[placement.nodesA + at.x]);
      boxB = boxOf(nodes[placement.nodesB + at.y]);
    }
    isLoaded = false;
    if (isLeaf(boxA) && isLeaf(boxB)) {
      leaves[64u * rest.leaves + localIndex] = vec2u(u32(-1 - boxA.link), u32(-1 - boxB.link));
      rest.leaves++;
      continue;
    }
    rest.tests += 2u;
    let cutsA = isLeaf(boxB) || (!isLeaf(boxA) && sizeOf(boxA) >= placement.scale * sizeOf(boxB));
    var other: PartBox;
    var firstChild: u32;
    var scale = 1.0;
    if (cutsA) {
      other = boxOfBInA(boxB, placement);
      firstChild = placement.nodesA + u32(boxA.link);
    } else {
      other = boxOfAInB(boxA, placement);
      firstChild = placement.nodesB + u32(boxB.link);
      scale = placement.scale;
    }
    let left = boxOf(nodes[firstChild]);
    let right = boxOf(nodes[firstChild + 1u]);
    let toLeft = other.centre - scale * left.centre;
    let toRight = other.centre - scale * right.centre;
    let meetsLeft = !areApart(scaled(left, scale), other, toLeft, placement.boxMargin);
    let meetsRight = !areApart(scaled(right, scale), other, toRight, placement.boxMargin);
    let isLeftNext = meetsLeft && (!meetsRight || dot(toLeft, toLeft) <= dot(toRight, toRight));
    let leftAt = select(vec2u(at.x, u32(boxB.link)), vec2u(u32(boxA.link), at.y), cutsA);
    let rightAt = leftAt + select(vec2u(0u, 1u), vec2u(1u, 0u), cutsA);
    if (meetsLeft && meetsRight) {
      waiting[64u * rest.waiting + localIndex] = select(leftAt, rightAt, isLeftNext);
      rest.waiting++;
    }
    isLoaded = meetsLeft || meetsRight;
    at = select(rightAt, leftAt, isLeftNext);
    if (cutsA) {
      boxA = right;
      if (isLeftNext) {
        boxA = left;
      }
    } else {
      boxB = right;
      if (isLeftNext) {
        boxB = left;
      }
    }
  }
  if (isLoaded) {
    waiting[64u * rest.waiting + localIndex] = at;
    rest.waiting++;
  }
  return rest;
}

// A box of B in A's unit. Its centre is not needed.
fn scaled(box: PartBox, scale: f32) -> PartBox {
  return PartBox(box.centre, box.link, scale * box.half, box.axes);
}

// Called by all invocations of a workgroup. One addition to each counter serves all of them.
fn append(rest: Rest, localIndex: u32) {
  let itemsBefore = atomicAdd(&itemsHere, rest.waiting);
  let candidatesBefore = atomicAdd(&candidatesHere, rest.leaves);
  atomicAdd(&testsHere, rest.tests);
  workgroupBarrier();
  if (localIndex == 0u) {
    firsts = vec2u(
      atomicAdd(&counters.items, atomicExchange(&itemsHere, 0u)),
      atomicAdd(&counters.candidates, atomicExchange(&candidatesHere, 0u)),
    );
    atomicAdd(&counters.boxTests, atomicExchange(&testsHere, 0u));
  }
  workgroupBarrier();
  let firstItem = firsts.x + itemsBefore;
  let half = parameters.itemCapacity - stage.firstItem;
  for (var i = 0u; i < rest.waiting && firstItem + i < parameters.itemCapacity; i++) {
    let at = waiting[64u * i + localIndex];
    items[half + firstItem + i] = PartPair(rest.pair, at.x, at.y);
  }
  let firstCandidate = firsts.y + candidatesBefore;
  for (var i = 0u; i < rest.leaves && firstCandidate + i < parameters.candidateCapacity; i++) {
    let parts = leaves[64u * i + localIndex];
    candidates[firstCandidate + i] = PartPair(rest.pair, parts.x, parts.y);
  }
}
