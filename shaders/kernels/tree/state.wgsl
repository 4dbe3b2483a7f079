// The state of a tree of boxes, for the kernels after the one that writes it.

@group(0) @binding(16) var<storage, read> tree: array<u32>;
