// The list that a kernel reads its pairs from. work-lists.wgsl stands in for this file in kernels that append pairs to
// lists.

// Pairs by class, as compact-scatter leaves them, or as kernels appended them. Kernels over all pairs do not read it.
@group(0) @binding(7) var<storage, read> list: array<u32>;

// The first slot and the end of classes `first` up to, but not including, `end`. All invocations of the workgroup call
// it, each with its own index.
fn slotsOf(first: u32, end: u32, localIndex: u32) -> vec2u {
  return vec2u(list[first], list[end]);
}

// The pair in a word of the list.
fn listedPair(word: u32) -> u32 {
  return list[word];
}
