// All work lists of a query, in one buffer: a kernel reads its pairs from one and appends pairs to others. The order of
// appended pairs depends on scheduling, so they are for kernels only, never for lists that callers see.
//
//   word 0                 0: the slot where each list with one class starts
//   up to CLASS_COUNT      the header of the list with all classes (compact.wgsl)
//   up to LIST_HEADER - 1  the count of each other list; zero before the query
//   from LIST_HEADER on    room for all pairs, several times over. Lists that are not needed at once share it

import package::shared::results::{LIST_HEADER};

struct WorkLists {
  header: array<atomic<u32>, LIST_HEADER>,
  // Each word has one writer, and is read by later kernels.
  pairs: array<u32>,
}

// In place of `list`.
@group(0) @binding(7) var<storage, read_write> workLists: WorkLists;

var<workgroup> slotsHere: vec2u;

// As in list.wgsl. One invocation reads for all: on D3D12, reading an atomic number is an interlocked operation, for
// which all invocations of all workgroups would wait at the same address.
fn slotsOf(first: u32, end: u32, localIndex: u32) -> vec2u {
  if (localIndex == 0u) {
    slotsHere = vec2u(atomicLoad(&workLists.header[first]), atomicLoad(&workLists.header[end]));
  }
  return workgroupUniformLoad(&slotsHere);
}

fn listedPair(word: u32) -> u32 {
  return workLists.pairs[word - LIST_HEADER];
}
