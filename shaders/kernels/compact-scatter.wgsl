// Writes the indices of the selected pairs, class by class, ascending within each class.
//
// Each invocation counts its pairs by class. Then each count becomes the sum over the invocations before it, in two
// steps: within a row of 16, which one invocation adds up for each word, and over the rows. An invocation has at most
// 16 pairs, so those before it in a row have at most 240, and four classes fit a word. A block has 4096 pairs, so two
// classes of a row fit a word. This takes few barriers and no vectors, because both cost compilers and software
// adapters more than additions do.

import package::kernels::compact::{
  parameters, blockCount, blockSums, list, classesFrom, classNumber, IS_CLASSIFIED
};
import package::shared::constants::{BLOCK_SIZE, PAIRS_PER_INVOCATION};

const ROW_SIZE: u32 = 16u;
const ROW_COUNT: u32 = 16u;
// Where the rows of odd classes begin: after those of the even classes of four words.
const ODD_ROWS: u32 = 64u;
// The bytes of a word that are counts of even classes.
const EVEN_CLASSES: u32 = 0x00ff00ffu;

// Words of all classes, four in each.
const WORD_COUNT: u32 = 4u;

// By word, then by invocation: its number of pairs of these classes; later the sum of those before it in its row.
var<workgroup> counts: array<u32, 256u * WORD_COUNT>;
// Of even classes by word, then by row: the number of pairs in the row; later the sum of the rows before it. Then those
// of odd classes.
var<workgroup> rowCounts: array<u32, 2u * ODD_ROWS>;

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
  if (localIndex < WORD_COUNT * ROW_COUNT) {
    var even = 0u;
    var odd = 0u;
    for (var at = localIndex * ROW_SIZE; at < (localIndex + 1u) * ROW_SIZE; at++) {
      let count = counts[at];
      counts[at] = even | (odd << 8u);
      even += count & EVEN_CLASSES;
      odd += (count >> 8u) & EVEN_CLASSES;
    }
    rowCounts[localIndex] = even;
    rowCounts[ODD_ROWS + localIndex] = odd;
  }
  workgroupBarrier();
  if (localIndex < 2u * WORD_COUNT) {
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
    let row = ODD_ROWS * (pairClass & 1u) + ROW_COUNT * word + localIndex / ROW_SIZE;
    let before = ((rowCounts[row] >> (8u * (pairClass & 2u))) & 0xffffu) +
        ((counts[at] >> (8u * (pairClass & 3u))) & 0xffu);
    // After 256 pairs of one class in a row this reaches into the next byte. The invocation has no more pairs then.
    counts[at] += oneOf(pairClass);
    list[parameters.firstEntry + blockSums[pairClass * blockCount() + blockIndex] + before] = first + i;
  }
}

// A count of one for this class, in its byte of the word.
fn oneOf(pairClass: u32) -> u32 {
  return 1u << (8u * (pairClass & 3u));
}
