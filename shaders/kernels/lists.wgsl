// Lists of pairs: those whose records have a bit, or all, sorted by class.
//
// A counting sort by prefix sums, stable, so that the order never depends on scheduling: list-count counts the pairs of
// each class in each block, list-scan turns the counts into first slots, list-scatter writes the indices of the pairs.

import package::shared::list::{PAIRS_PER_INVOCATION};

struct ListParameters {
  pairCount: u32,
  // Pairs that there is room for: more of them are left out.
  pairCapacity: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // A pair is wanted when the info of its record has any of these bits; 0: all pairs are, whose records are not there
  // yet.
  mask: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  blockCount: u32,
  classCount: u32,
  // Words in the record of a shape, and which of them has the kind, in its low eight bits.
  shapeWords: u32,
  kindWord: u32,
  // The class of kinds a and b is byte a * KIND_COUNT + b.
  classes: array<vec4u, 16>,
}

@group(0) @binding(0) var<uniform> parameters: ListParameters;
@group(0) @binding(1) var<storage, read> records: array<u32>;
// By class, and in each class by block.
@group(0) @binding(2) var<storage, read_write> blockSums: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;
@group(0) @binding(4) var<storage, read> shapes: array<u32>;
@group(0) @binding(5) var<storage, read> bodies: array<u32>;
@group(0) @binding(6) var<storage, read> pairs: array<vec2u>;

// Whether there is more than one class.
override IS_CLASSIFIED: bool = false;

const KIND_COUNT: u32 = 16u;
const CLASS_COUNT: u32 = 16u;
const NO_CLASS: u32 = 0xffu;

// The class of a wanted pair; NO_CLASS for others.
fn classOf(index: u32) -> u32 {
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
  let kindA = kindOfShape(shapeNumbers.x);
  let kindB = kindOfShape(shapeNumbers.y);
  if (max(kindA, kindB) >= KIND_COUNT) {
    return 0u;
  }
  let entry = kindA * KIND_COUNT + kindB;
  return (parameters.classes[entry >> 4u][(entry >> 2u) & 3u] >> (8u * (entry & 3u))) & 0xffu;
}

// A removed shape has none that is below KIND_COUNT.
fn kindOfShape(shape: u32) -> u32 {
  return shapes[shape * parameters.shapeWords + parameters.kindWord] & 0xffu;
}

// The classes of an invocation's pairs, read once.
struct Classes {
  // Bit i: pair i is wanted.
  wanted: u32,
  // Four bits a pair, eight pairs a word.
  numbers: vec2u,
}

// The loop's length is none that compilers know: they would unroll it.
fn classesFrom(first: u32) -> Classes {
  var classes = Classes(0u, vec2u(0u));
  let end = min(first + PAIRS_PER_INVOCATION, min(parameters.pairCount, parameters.pairCapacity));
  for (var index = first; index < end; index++) {
    let pairClass = classOf(index);
    let i = index - first;
    if (pairClass != NO_CLASS) {
      classes.wanted |= 1u << i;
      classes.numbers |= select(vec2u(0u), vec2u(pairClass << (4u * (i & 7u))), vec2u(i >> 3u) == vec2u(0u, 1u));
    }
  }
  return classes;
}

// Of pair i of an invocation's, which is wanted.
fn classNumber(classes: Classes, i: u32) -> u32 {
  if (!IS_CLASSIFIED) {
    return 0u;
  }
  return (select(classes.numbers.x, classes.numbers.y, i >= 8u) >> (4u * (i & 7u))) & 15u;
}
