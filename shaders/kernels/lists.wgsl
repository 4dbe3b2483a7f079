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
  let one = vec4u(1u << (16u * (pairClass & 1u)));
  let word = vec4u(pairClass >> 1u);
  return ClassCounts(
    counts.low + select(vec4u(0u), one, word == vec4u(0u, 1u, 2u, 3u)),
    counts.high + select(vec4u(0u), one, word == vec4u(4u, 5u, 6u, 7u)),
  );
}

// The classes of an invocation's pairs, read once.
struct Classes {
  // Bit i: pair i is wanted.
  wanted: u32,
  // Four bits a pair, eight pairs a word.
  numbers: vec2u,
  counts: ClassCounts,
}

fn classesFrom(first: u32) -> Classes {
  var classes = Classes(0u, vec2u(0u), ClassCounts(vec4u(0u), vec4u(0u)));
  for (var i = 0u; i < PAIRS_PER_INVOCATION; i++) {
    let pairClass = classOf(first + i);
    if (pairClass != NO_CLASS) {
      classes.wanted |= 1u << i;
      classes.numbers |= select(vec2u(0u), vec2u(pairClass << (4u * (i & 7u))), vec2u(i >> 3u) == vec2u(0u, 1u));
      classes.counts = addOne(classes.counts, pairClass);
    }
  }
  return classes;
}

// Of pair i of an invocation's, which is wanted.
fn classNumber(classes: Classes, i: u32) -> u32 {
  return (select(classes.numbers.x, classes.numbers.y, i >= 8u) >> (4u * (i & 7u))) & 15u;
}

// Of each invocation first, then of those before it in its row of 16.
var<workgroup> lowCounts: array<vec4u, 256>;
var<workgroup> highCounts: array<vec4u, 256>;
// Of each row.
var<workgroup> lowRows: array<vec4u, 16>;
var<workgroup> highRows: array<vec4u, 16>;

// Sum of the counts over the invocations before this one; all 256 must call it. One invocation a row adds up the row: barriers cost
// more than sixteen additions. Where there is one class the first word is all.
fn countsBefore(counts: ClassCounts, localIndex: u32) -> ClassCounts {
  lowCounts[localIndex] = counts.low;
  if (IS_CLASSIFIED) {
    highCounts[localIndex] = counts.high;
  }
  workgroupBarrier();
  if (localIndex < 16u) {
    var sum = ClassCounts(vec4u(0u), vec4u(0u));
    for (var i = 16u * localIndex; i < 16u * localIndex + 16u; i++) {
      let low = lowCounts[i];
      lowCounts[i] = sum.low;
      sum.low += low;
      if (IS_CLASSIFIED) {
        let high = highCounts[i];
        highCounts[i] = sum.high;
        sum.high += high;
      }
    }
    lowRows[localIndex] = sum.low;
    highRows[localIndex] = sum.high;
  }
  workgroupBarrier();
  var before = ClassCounts(lowCounts[localIndex], highCounts[localIndex]);
  for (var row = 0u; row < localIndex / 16u; row++) {
    before.low += lowRows[row];
    if (IS_CLASSIFIED) {
      before.high += highRows[row];
    }
  }
  return before;
}
