// Writes the indices of the selected pairs, class by class, ascending within each class.
//
// Each invocation counts its pairs by class. Then each count becomes the sum over the invocations before it, in two
// steps: within a row of 16, which one invocation adds up for each word, and over the rows. An invocation has 16 pairs,
// so the invocations before it in a row have at most 240, and four classes fit a word. A block has 4096, so of the rows
// two classes fit a word. This takes few barriers and no vectors, because both cost compilers and software adapters
// more than additions do.

import package::kernels::compact::{
  parameters, blockCount, blockSums, list, classesFrom, classNumber, IS_CLASSIFIED
};
import package::shared::constants::{BLOCK_SIZE, PAIRS_PER_INVOCATION};

const ROW_SIZE: u32 = 16u;
const ROW_COUNT: u32 = 16u;
// Words of 16 classes, four in each.
const WORD_COUNT: u32 = 4u;
// The bytes of a word that are counts of even classes.
const EVEN_CLASSES: u32 = 0x00ff00ffu;

// No more than needed: some drivers compile a store per word of workgroup memory.
override COUNT_WORDS: u32 = 256u * select(1u, WORD_COUNT, IS_CLASSIFIED);

// By word, then by invocation: its number of pairs of these classes; later the sum of those before it in its row.
var<workgroup> counts: array<u32, COUNT_WORDS>;
// By word, its even classes before its odd ones, then by row: the number of pairs in the row; later the sum of the rows
// before it.
var<workgroup> rowCounts: array<u32, 2u * WORD_COUNT * ROW_COUNT>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let first = blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION;
  let classes = classesFrom(first);
  if (IS_CLASSIFIED) {
    for (var rest = classes.selected; rest != 0u; rest &= rest - 1u) {
      let pairClass = classNumber(classes, firstTrailingBit(rest));
      counts[256u * (pairClass >> 2u) + localIndex] += oneOf(pairClass);
    }
  } else {
    counts[localIndex] = countOneBits(classes.selected);
  }
  workgroupBarrier();
  let wordCount = select(1u, WORD_COUNT, IS_CLASSIFIED);
  if (localIndex < wordCount * ROW_COUNT) {
    var even = 0u;
    var odd = 0u;
    for (var at = localIndex * ROW_SIZE; at < (localIndex + 1u) * ROW_SIZE; at++) {
      let count = counts[at];
      counts[at] = even | (odd << 8u);
      even += count & EVEN_CLASSES;
      odd += (count >> 8u) & EVEN_CLASSES;
    }
    let word = localIndex / ROW_COUNT;
    rowCounts[localIndex + ROW_COUNT * word] = even;
    rowCounts[localIndex + ROW_COUNT * (word + 1u)] = odd;
  }
  workgroupBarrier();
  if (localIndex < 2u * wordCount) {
    var sum = 0u;
    for (var at = localIndex * ROW_COUNT; at < (localIndex + 1u) * ROW_COUNT; at++) {
      let count = rowCounts[at];
      rowCounts[at] = sum;
      sum += count;
    }
  }
  workgroupBarrier();
  if (blockIndex >= blockCount()) {
    return;
  }
  for (var rest = classes.selected; rest != 0u; rest &= rest - 1u) {
    let i = firstTrailingBit(rest);
    let pairClass = classNumber(classes, i);
    let word = pairClass >> 2u;
    let at = 256u * word + localIndex;
    let rowWord = 2u * word + (pairClass & 1u);
    let inRow = (counts[at] >> (8u * (pairClass & 3u))) & 0xffu;
    let before = (rowCounts[ROW_COUNT * rowWord + localIndex / ROW_SIZE] >> (8u * (pairClass & 2u))) & 0xffffu;
    // After 256 pairs of one class in a row this reaches into the next byte. The invocation has no more pairs then.
    counts[at] += oneOf(pairClass);
    let slot = blockSums[pairClass * blockCount() + blockIndex] + before + inRow;
    list[parameters.firstEntry + slot] = first + i;
  }
}

// A count of one for this class, in its byte of the word.
fn oneOf(pairClass: u32) -> u32 {
  return 1u << (8u * (pairClass & 3u));
}
