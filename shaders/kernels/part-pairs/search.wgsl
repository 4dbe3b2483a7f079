// Finds the pairs of parts of each pair of bodies whose boxes are at most the margin apart, at some moment if the
// bodies translate, in the trees of both bodies. It runs twice: first it counts the pairs of parts of each pair of
// bodies, and then, with the counts summed, it writes them. Two convex bodies are one pair of parts, and so is an
// invalid pair, whose status comes from the kernel that takes that pair of parts.
//
// Pairs of nodes wait on a stack. One is taken from its top, the larger box is cut, and both children are tested
// against the other box. Pairs that remain go back onto the stack, and pairs of leaves to the output. On software
// adapters, an invocation does this for a pair of bodies (main). On graphics cards, a workgroup does (strided): a round
// takes many pairs of nodes, an invocation each, and what they leave is stored in the order of the invocations. So on
// either, the order depends on the trees and the poses alone.

@kernel(search)
@kernel(planar-search)

import package::kernels::part-pairs::parameters::{firstParts, pairEnd, parameters, FIRST_BOUND};
import package::kernels::part-pairs::searched::{
  SearchedPair, Sweep, packed, partNodes, LANES, MOST_LEVELS, SWEEP_FAR, SWEEP_WORDS
};
@if(search) import package::kernels::part-pairs::searched-pair::{loadSearched};
@if(planar-search) import package::kernels::planar::searched-pair::{loadSearched};
import package::part-pairs::boxes::{childrenOf, isLeaf, nodesMeet, PartPlaces, HAS_MOTION, IS_LEAF};

// The bodies of a pair of parts, and the parts with their kinds: two rows of `pairs` for the kernels that answer it.
@group(0) @binding(7) var<storage, read_write> partPairs: array<vec4u>;
// How many pairs of parts there was room for, and how many were left out; then the same for pairs of bodies. With
// bounds, that of each pair of bodies follows, as f32: how far apart its nearest parts are at most. It is negative if
// no pair of parts has to be found. With HAS_MOTION, the sweep of each pair of bodies follows.
@group(0) @binding(8) var<storage, read_write> partPairCount: array<u32>;

const STACK_SIZE: u32 = 1024u;

// Pairs of nodes.
var<workgroup> stack: array<vec2u, STACK_SIZE>;
var<workgroup> height: u32;
// Of the present round and of the one before, four words each: for either child of the box that an invocation cuts, a
// bit per invocation. It is set if the pair with this child goes onto the stack, or if it is a pair of parts.
var<workgroup> waiting: array<atomic<u32>, 8>;
var<workgroup> found: array<atomic<u32>, 8>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let pair = (workgroupId.y * parameters.gridWidth + workgroupId.x) * LANES + localIndex;
  let end = pairEnd();
  if (pair < end) {
    searchAlone(pair, pair + 1u == end);
  }
}

@compute @workgroup_size(64)
fn strided(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let end = pairEnd();
  for (var pair = workgroupId.x; pair < end; pair += workgroups.x) {
    searchTogether(pair, pair + 1u == end, localIndex);
  }
}

// The beginning of a search.
struct Begun {
  searched: SearchedPair,
  // Where the pairs of parts go. While they are counted, no place is within the capacity.
  place: u32,
  // The number of pairs of parts so far, and of pairs of nodes on the stack: that of the roots, or none.
  count: u32,
  height: u32,
}

// `isFirst`: this is the first invocation for the pair.
fn beginSearch(pair: u32, isLast: bool, isFirst: bool) -> Begun {
  var bound = parameters.margin;
  if (parameters.hasBounds != 0u) {
    bound = min(bound, bitcast<f32>(partPairCount[FIRST_BOUND + pair]));
  }
  var sweep = Sweep();
  if (HAS_MOTION) {
    sweep = loadSweep(FIRST_BOUND + SWEEP_WORDS * pair);
    bound = select(bound + max(sweep.slack, 0.0), -1.0, sweep.slack == SWEEP_FAR);
  }
  var begun = Begun(loadSearched(pair, bound, sweep), parameters.partPairCapacity, 0u, 0u);
  let searched = begun.searched;
  var isKept = true;
  if (parameters.isWriting != 0u) {
    begun.place = firstParts[pair];
    isKept = placeAll(begun.place, firstParts[pair + 1u], isLast, isFirst);
  }
  var meets = !searched.hasParts && bound >= 0.0;
  var areLeaves = true;
  var kinds = searched.kinds;
  var parts = vec2u(0u);
  if (searched.hasParts) {
    let a = partNodes[searched.roots.x];
    let b = partNodes[searched.roots.y];
    meets = bound >= 0.0 && nodesMeet(a, b, searched.at);
    areLeaves = isLeaf(a) && isLeaf(b);
    kinds = vec2u(a.kind, b.kind);
    parts = vec2u(a.link, b.link) & vec2u(~IS_LEAF);
  }
  if (meets && areLeaves) {
    begun.count = 1u;
    if (isKept && isFirst) {
      storePartPair(begun.place, searched.numbers, packed(parts, kinds));
    }
  }
  begun.height = select(0u, 1u, meets && !areLeaves && isKept);
  return begun;
}

fn loadSweep(at: u32) -> Sweep {
  var words: array<f32, SWEEP_WORDS>;
  for (var i = 0u; i < SWEEP_WORDS; i++) {
    words[i] = bitcast<f32>(partPairCount[at + i]);
  }
  return Sweep(
    vec3f(words[0], words[1], words[2]), vec3f(words[3], words[4], words[5]), words[6], vec2f(words[7], words[8])
  );
}

fn storeCount(pair: u32, count: u32) {
  if (parameters.isWriting == 0u) {
    firstParts[pair] = count;
  }
}

// A pair of bodies by one invocation, which takes one pair of nodes after the other.
fn searchAlone(pair: u32, isLast: bool) {
  let begun = beginSearch(pair, isLast, true);
  let numbers = begun.searched.numbers;
  var waits: array<vec2u, MOST_LEVELS>;
  waits[0] = begun.searched.roots;
  var top = begun.height;
  var count = begun.count;
  while (top > 0u && count < parameters.mostFound) {
    top--;
    let cut = cutPair(waits[top], begun.searched.at);
    if ((cut.bits & 1u) != 0u) {
      waits[top] = cut.first;
      top++;
    }
    if ((cut.bits & 2u) != 0u) {
      waits[min(top, MOST_LEVELS - 1u)] = cut.second;
      top++;
    }
    if ((cut.bits & 4u) != 0u) {
      storePartPair(begun.place + count, numbers, cut.partsOfFirst);
      count++;
    }
    if ((cut.bits & 8u) != 0u) {
      storePartPair(begun.place + count, numbers, cut.partsOfSecond);
      count++;
    }
  }
  storeCount(pair, count);
}

// A pair of bodies by a workgroup, all of whose invocations call it.
fn searchTogether(pair: u32, isLast: bool, lane: u32) {
  let begun = beginSearch(pair, isLast, lane == 0u);
  if (lane == 0u) {
    stack[0] = begun.searched.roots;
    height = begun.height;
  }
  if (lane < 8u) {
    atomicStore(&waiting[lane], 0u);
    atomicStore(&found[lane], 0u);
  }
  let count = descend(begun, lane);
  if (lane == 0u) {
    storeCount(pair, count);
  }
}

// Whether there is room for a pair's pairs of parts, from `first` up to `end`. Stores how many there is room for.
fn placeAll(first: u32, end: u32, isLast: bool, isFirst: bool) -> bool {
  let isKept = end <= parameters.partPairCapacity;
  if (isFirst) {
    if (!isKept && first <= parameters.partPairCapacity) {
      partPairCount[0] = first;
      partPairCount[1] = firstParts[parameters.pairCapacity] - first;
    } else if (isKept && isLast) {
      partPairCount[0] = end;
    }
    if (isLast) {
      partPairCount[2] = pairEnd();
      partPairCount[3] = parameters.pairCount - pairEnd();
    }
  }
  return isKept;
}

// What an invocation makes of a pair of nodes in a round: the pairs with each child, bits 0 and 1 for those that wait,
// and bits 2 and 3 for those that are pairs of parts.
struct Cut {
  first: vec2u,
  second: vec2u,
  bits: u32,
  // Of the pairs of parts.
  partsOfFirst: vec2u,
  partsOfSecond: vec2u,
}

// Goes on until the stack is empty. Returns how many pairs of parts there are.
fn descend(begun: Begun, lane: u32) -> u32 {
  let numbers = begun.searched.numbers;
  var count = begun.count;
  var parity = 0u;
  loop {
    let waits = workgroupUniformLoad(&height);
    if (waits == 0u) {
      break;
    }
    let taken = min(waits, takenAt(waits));
    let rest = waits - taken;
    // With a value: on lavapipe, a variable without one has that of the round before.
    var cut = Cut();
    if (lane < taken) {
      cut = cutPair(stack[rest + lane], begun.searched.at);
    }
    let word = 4u * parity + (lane >> 5u);
    let bit = 1u << (lane & 31u);
    for (var child = 0u; child < 2u; child++) {
      if ((cut.bits & (1u << child)) != 0u) {
        atomicOr(&waiting[word + 2u * child], bit);
      }
      if ((cut.bits & (4u << child)) != 0u) {
        atomicOr(&found[word + 2u * child], bit);
      }
    }
    workgroupBarrier();
    var to = rest + rankOfWaiting(parity, lane);
    if ((cut.bits & 1u) != 0u) {
      stack[to] = cut.first;
      to++;
    }
    if ((cut.bits & 2u) != 0u) {
      stack[to] = cut.second;
    }
    var at = begun.place + count + rankOfFound(parity, lane);
    if ((cut.bits & 4u) != 0u) {
      storePartPair(at, numbers, cut.partsOfFirst);
      at++;
    }
    if ((cut.bits & 8u) != 0u) {
      storePartPair(at, numbers, cut.partsOfSecond);
    }
    count += rankOfFound(parity, LANES);
    if (lane == 0u) {
      height = select(rest + rankOfWaiting(parity, LANES), 0u, count >= parameters.mostFound);
    }
    parity = 1u - parity;
    if (lane < 4u) {
      atomicStore(&waiting[4u * parity + lane], 0u);
      atomicStore(&found[4u * parity + lane], 0u);
    }
  }
  return count;
}

// How many pairs of nodes a round takes from a stack of this height. Each needs a place per level of both trees until
// all below it is done, so fewer are taken where there is less room. One is a descent depth first, for which there is
// always room, as it begins with room for two.
fn takenAt(waits: u32) -> u32 {
  return clamp((STACK_SIZE - LANES - min(waits, STACK_SIZE - LANES)) / parameters.levels, 1u, LANES);
}

// Cuts the larger box that is not a leaf, and tests its children.
fn cutPair(numbers: vec2u, at: PartPlaces) -> Cut {
  var cut: Cut;
  let children = childrenOf(numbers, partNodes[numbers.x], partNodes[numbers.y], at);
  cut.first = children.first;
  cut.second = children.second;
  for (var child = 0u; child < 2u; child++) {
    let pair = select(children.second, children.first, child == 0u);
    let nodeA = partNodes[pair.x];
    let nodeB = partNodes[pair.y];
    if (nodesMeet(nodeA, nodeB, at)) {
      let areLeaves = isLeaf(nodeA) && isLeaf(nodeB);
      cut.bits |= select(1u, 4u, areLeaves) << child;
      let parts = packed(vec2u(nodeA.link, nodeB.link) & vec2u(~IS_LEAF), vec2u(nodeA.kind, nodeB.kind));
      cut.partsOfFirst = select(cut.partsOfFirst, parts, child == 0u);
      cut.partsOfSecond = parts;
    }
  }
  return cut;
}

// How many pairs with children of invocations before this one wait.
fn rankOfWaiting(parity: u32, lane: u32) -> u32 {
  let before = bitsBefore(lane);
  let words = 4u * parity;
  return countOneBits(atomicLoad(&waiting[words]) & before.x) +
      countOneBits(atomicLoad(&waiting[words + 1u]) & before.y) +
      countOneBits(atomicLoad(&waiting[words + 2u]) & before.x) +
      countOneBits(atomicLoad(&waiting[words + 3u]) & before.y);
}

fn rankOfFound(parity: u32, lane: u32) -> u32 {
  let before = bitsBefore(lane);
  let words = 4u * parity;
  return countOneBits(atomicLoad(&found[words]) & before.x) +
      countOneBits(atomicLoad(&found[words + 1u]) & before.y) +
      countOneBits(atomicLoad(&found[words + 2u]) & before.x) +
      countOneBits(atomicLoad(&found[words + 3u]) & before.y);
}

// The bits of invocations below `lane`, which may be LANES, in two words.
fn bitsBefore(lane: u32) -> vec2u {
  let low = select((1u << (lane & 31u)) - 1u, 0xffffffffu, lane >= 32u);
  let high = select(select(0u, (1u << (lane & 31u)) - 1u, lane >= 32u), 0xffffffffu, lane >= LANES);
  return vec2u(low, high);
}

fn storePartPair(at: u32, numbers: vec2u, parts: vec2u) {
  if (at < parameters.partPairCapacity) {
    partPairs[at] = vec4u(numbers, parts);
  }
}
