// All work lists of a query, in one buffer: a kernel reads its pairs from one and appends pairs to others. The order of
// appended pairs depends on scheduling, so they are for kernels only, never for lists that callers see.
//
//   word 0                 0: the slot where each list with one class starts
//   up to CLASS_COUNT      the header of the list with all classes (compact.wgsl)
//   up to LIST_HEADER - 1  the count of each other list; zero before the query
//   from LIST_HEADER on    room for all pairs, several times over. Lists that are not needed at once share it

// In place of `list`.
@group(0) @binding(7) var<storage, read_write> workLists: array<atomic<u32>>;

fn listWord(word: u32) -> u32 {
  return atomicLoad(&workLists[word]);
}
