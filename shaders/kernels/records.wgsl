// Result records as rows of 32-bit words, for the kernels that gather and count them whatever they hold.

struct RecordParameters {
  pairCount: u32,
  // Pairs that there is room for: more of them are left out.
  pairCapacity: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // Records that there is room for where they are gathered.
  gatherCapacity: u32,
}

@group(0) @binding(0) var<uniform> parameters: RecordParameters;
@group(0) @binding(1) var<storage, read> records: array<u32>;
