// Records of any query as rows of 32-bit words, for the kernels that gather and count them.

struct RecordParameters {
  pairCount: u32,
  // Capacity in pairs: pairs beyond it are left out.
  pairCapacity: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // Capacity of `gathered` in records.
  gatherCapacity: u32,
  // For the caller's next pass: invocations per workgroup, and the most workgroups per row.
  callersWorkgroupSize: u32,
  callersRowLength: u32,
}

@group(0) @binding(0) var<uniform> parameters: RecordParameters;
@group(0) @binding(1) var<storage, read> records: array<u32>;
// Arguments of the caller's next pass, for dispatchWorkgroupsIndirect.
@group(0) @binding(5) var<storage, read_write> dispatch: array<u32>;

// Sizes that pass for at least one invocation per record. Workgroups that do not fit one row go into rows of the
// greatest length: dispatchedRecord (results.wgsl) is the inverse.
fn storeDispatch(count: u32) {
  let size = parameters.callersWorkgroupSize;
  let workgroups = count / size + select(0u, 1u, count % size != 0u);
  let rowLength = parameters.callersRowLength;
  dispatch[0] = min(workgroups, rowLength);
  dispatch[1] = max(1u, (workgroups + rowLength - 1u) / rowLength);
  dispatch[2] = 1u;
}
