// Compaction of pairs into a list, sorted by class: the pairs whose records have certain bits, or all pairs.
//
// It is a counting sort by prefix sums. It is stable, so that the order never depends on scheduling. compact-count
// counts the pairs of each class in each block, compact-scan turns the counts into first slots, and compact-scatter
// writes the indices of the pairs. A list of pairs holds the first slot of each class, then the number of all listed
// pairs, and from LIST_HEADER (results.wgsl) on the pairs. In a buffer of several lists (work-lists.wgsl), the number
// and the pairs have other places.

import package::shared::constants::{BLOCK_SIZE, KIND_COUNT, PAIRS_PER_INVOCATION, PART_KIND_SHIFT};

struct CompactParameters {
  pairCount: u32,
  // Capacity in pairs: pairs beyond it are left out.
  pairCapacity: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // A pair is selected if the info of its record has any of these bits. 0 selects all pairs, before they have records.
  mask: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  classCount: u32,
  // Words in the record of a shape, and which of them holds the kind, in its low eight bits.
  shapeWords: u32,
  kindWord: u32,
  // The words of the list that get the number of all listed pairs and the first pair.
  countWord: u32,
  firstEntry: u32,
  // The class of kinds a and b is byte a * KIND_COUNT + b.
  classes: array<vec4u, 16>,
}

@group(0) @binding(0) var<uniform> parameters: CompactParameters;
@group(0) @binding(1) var<storage, read> records: array<u32>;
// One number per class and block, the blocks of a class together.
@group(0) @binding(2) var<storage, read_write> blockSums: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;
@group(0) @binding(4) var<storage, read> shapeRecords: array<u32>;
@group(0) @binding(5) var<storage, read> bodyShapes: array<u32>;
@group(0) @binding(6) var<storage, read> pairs: array<vec2u>;

// Whether the pairs are pairs of parts: two rows of `pairs` each, the second one with the parts and their kinds.
override HAS_PARTS: bool = false;
// Whether there is more than one class.
override IS_CLASSIFIED: bool = false;

const CLASS_COUNT: u32 = 16u;
const NO_CLASS: u32 = 0xffu;

// The blocks that have pairs, at least one.
fn blockCount() -> u32 {
  return max(1u, (min(parameters.pairCount, parameters.pairCapacity) + BLOCK_SIZE - 1u) / BLOCK_SIZE);
}

// The class of a selected pair; NO_CLASS for others.
fn classOf(index: u32) -> u32 {
  if (parameters.mask != 0u && (records[index * parameters.wordCount + parameters.infoWord] & parameters.mask) == 0u) {
    return NO_CLASS;
  }
  if (!IS_CLASSIFIED) {
    return 0u;
  }
  if (HAS_PARTS) {
    let kinds = pairs[2u * index + 1u] >> vec2u(PART_KIND_SHIFT);
    return classOfKinds(kinds.x, kinds.y);
  }
  // A pair that can't be classified goes to the first class, whose kernel finds it invalid.
  let numbers = pairs[index];
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return 0u;
  }
  let shapeNumbers = vec2u(bodyShapes[numbers.x], bodyShapes[numbers.y]);
  if (max(shapeNumbers.x, shapeNumbers.y) >= parameters.shapeCount) {
    return 0u;
  }
  let kindA = kindOfShape(shapeNumbers.x);
  let kindB = kindOfShape(shapeNumbers.y);
  if (max(kindA, kindB) >= KIND_COUNT) {
    return 0u;
  }
  return classOfKinds(kindA, kindB);
}

fn classOfKinds(kindA: u32, kindB: u32) -> u32 {
  let entry = kindA * KIND_COUNT + kindB;
  return (parameters.classes[entry >> 4u][(entry >> 2u) & 3u] >> (8u * (entry & 3u))) & 0xffu;
}

// KIND_COUNT or more for a removed shape.
fn kindOfShape(shape: u32) -> u32 {
  return shapeRecords[shape * parameters.shapeWords + parameters.kindWord] & 0xffu;
}

// The classes of an invocation's pairs.
struct Classes {
  // Bit i: pair i is selected.
  selected: u32,
  // Four bits per pair, eight pairs per word.
  numbers: vec2u,
}

// The loop has no constant length, because compilers would unroll it.
fn classesFrom(first: u32) -> Classes {
  var classes = Classes(0u, vec2u(0u));
  let end = min(first + PAIRS_PER_INVOCATION, min(parameters.pairCount, parameters.pairCapacity));
  for (var index = first; index < end; index++) {
    let pairClass = classOf(index);
    let i = index - first;
    if (pairClass != NO_CLASS) {
      classes.selected |= 1u << i;
      classes.numbers |= select(vec2u(0u), vec2u(pairClass << (4u * (i & 7u))), vec2u(i >> 3u) == vec2u(0u, 1u));
    }
  }
  return classes;
}

// The class of an invocation's pair i, which is selected.
fn classNumber(classes: Classes, i: u32) -> u32 {
  if (!IS_CLASSIFIED) {
    return 0u;
  }
  return (select(classes.numbers.x, classes.numbers.y, i >= 8u) >> (4u * (i & 7u))) & 15u;
}
