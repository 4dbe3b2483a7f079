// The list that a kernel reads its pairs from. work-lists.wgsl stands in for this file in kernels that append pairs to
// lists.

// Pairs by class, as compact-scatter leaves them, or as kernels appended them. Kernels over all pairs do not read it.
@group(0) @binding(7) var<storage, read> list: array<u32>;

fn listWord(word: u32) -> u32 {
  return list[word];
}
