// Lists of pairs: those whose records have a bit, or all, sorted by class.
//
// A counting sort by prefix sums, stable, so that the order never depends on scheduling: list-count counts the pairs of each
// class in each block, list-scan turns the counts into first slots, list-scatter writes the indices of the pairs. Classes are
// counted side by side in one scan, two to a word: a block has 4096 pairs, so that a count fits half a word.

import package::shared::list::{PAIRS_PER_INVOCATION};
import package::shared::shapes::{Shape};

struct ListParameters {
  pairCount: u32,
  // Pairs that there is room for: more of them are left out.
  pairCapacity: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // A pair is wanted when the info of its record has any of these bits; 0: all pairs are, whose records are not there yet.
  mask: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  blockCount: u32,
  classCount: u32,
  // The class of kinds a and b is byte a * KIND_COUNT + b.
  classes: array<vec4u, 4>,
}

@group(0) @binding(0) var<uniform> parameters: ListParameters;
@group(0) @binding(1) var<storage, read> records: array<u32>;
// By class, and in each class by block.
@group(0) @binding(2) var<storage, read_write> blockSums: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;
@group(0) @binding(4) var<storage, read> shapes: array<Shape>;
@group(0) @binding(5) var<storage, read> bodies: array<u32>;
@group(0) @binding(6) var<storage, read> pairs: array<vec2u>;

// Whether there is more than one class.
override IS_CLASSIFIED: bool = false;

const KIND_COUNT: u32 = 8u;
const CLASS_COUNT: u32 = 16u;
const NO_CLASS: u32 = 0xffu;

// The class of a wanted pair; NO_CLASS for others.
fn classOf(index: u32) -> u32 {
  if (index >= min(parameters.pairCount, parameters.pairCapacity)) {
    return NO_CLASS;
  }
  if (parameters.mask != 0u && (records[index * parameters.wordCount + parameters.infoWord] & parameters.mask) == 0u) {
    return NO_CLASS;
  }
  if (!IS_CLASSIFIED) {
    return 0u;
  }
  // What can't be classified goes to the first class, whose kernel finds it invalid.
  let numbers = pairs[index];
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return 0u;
  }
  let shapeNumbers = vec2u(bodies[numbers.x], bodies[numbers.y]);
  if (max(shapeNumbers.x, shapeNumbers.y) >= parameters.shapeCount) {
    return 0u;
  }
  let kindA = shapes[shapeNumbers.x].kind;
  let kindB = shapes[shapeNumbers.y].kind;
  if (max(kindA, kindB) >= KIND_COUNT) {
    return 0u;
  }
  let entry = kindA * KIND_COUNT + kindB;
  return (parameters.classes[entry >> 4u][(entry >> 2u) & 3u] >> (8u * (entry & 3u))) & 0xffu;
}

// ClassCounts of 16 classes: class c in half c & 1 of word c >> 1.
struct ClassCounts {
  low: vec4u,
  high: vec4u,
}

fn countOf(counts: ClassCounts, pairClass: u32) -> u32 {
  let word = pairClass >> 1u;
  let both = select(counts.high[word & 3u], counts.low[word & 3u], word < 4u);
  return (both >> (16u * (pairClass & 1u))) & 0xffffu;
}

fn addOne(counts: ClassCounts, pairClass: u32) -> ClassCounts {
  if (pairClass == NO_CLASS) {
    return counts;
  }
  let one = vec4u(1u << (16u * (pairClass & 1u)));
  let word = vec4u(pairClass >> 1u);
  return ClassCounts(
    counts.low + select(vec4u(0u), one, word == vec4u(0u, 1u, 2u, 3u)),
    counts.high + select(vec4u(0u), one, word == vec4u(4u, 5u, 6u, 7u)),
  );
}

// Of the invocation's pairs.
fn countClasses(first: u32) -> ClassCounts {
  var counts = ClassCounts(vec4u(0u), vec4u(0u));
  for (var i = 0u; i < PAIRS_PER_INVOCATION; i++) {
    counts = addOne(counts, classOf(first + i));
  }
  return counts;
}

var<workgroup> lowSums: array<vec4u, 256>;
var<workgroup> highSums: array<vec4u, 256>;

// Sum of the counts over the invocations up to and including this one (Hillis and Steele 1986); all 256 must call it. The first
// half of the classes is enough where there is one.
fn inclusiveCounts(counts: ClassCounts, localIndex: u32) -> ClassCounts {
  var sum = counts;
  for (var step = 1u; step < 256u; step <<= 1u) {
    lowSums[localIndex] = sum.low;
    if (IS_CLASSIFIED) {
      highSums[localIndex] = sum.high;
    }
    workgroupBarrier();
    if (localIndex >= step) {
      sum.low += lowSums[localIndex - step];
      if (IS_CLASSIFIED) {
        sum.high += highSums[localIndex - step];
      }
    }
    workgroupBarrier();
  }
  return sum;
}
