// Appends pairs to work lists, for kernels that run over them later.

import package::kernels::parameters::{parameters};
import package::kernels::work-lists::{workLists};
import package::shared::results::{LIST_HEADER};

// Whether the kernel has a list to append to. In some plans no later kernel reads one.
override APPENDS: bool = true;

// No list: the pair is appended nowhere.
const NO_LIST: u32 = 3u;

var<workgroup> countsHere: atomic<u32>;
var<workgroup> firstPlaces: array<u32, NO_LIST>;

// Of list 0, 1 or 2: the word of its count, or 0 if there is no such list.
fn countWordOf(toList: u32) -> u32 {
  let words = vec3u(parameters.countWord0, parameters.countWord1, parameters.countWord2);
  return words[min(toList, 2u)];
}

fn storeEntry(toList: u32, place: u32, index: u32) {
  let entries = vec3u(parameters.firstEntry0, parameters.firstEntry1, parameters.firstEntry2);
  workLists.pairs[entries[min(toList, 2u)] + place - LIST_HEADER] = index;
}

// Appends a pair to a list. Called by all invocations of a workgroup, with a pair each. One addition to the count of
// each list serves all of them.
fn appendTogether(index: u32, toList: u32, localIndex: u32) {
  if (!APPENDS) {
    return;
  }
  let isAppended = toList < NO_LIST && countWordOf(toList) != 0u;
  // A workgroup has 64 invocations, so eight bits hold the count of a list.
  let shift = 8u * (toList & 3u);
  var place = 0u;
  if (isAppended) {
    place = (atomicAdd(&countsHere, 1u << shift) >> shift) & 0xffu;
  }
  workgroupBarrier();
  if (localIndex < NO_LIST) {
    let count = (atomicLoad(&countsHere) >> (8u * localIndex)) & 0xffu;
    if (count > 0u) {
      firstPlaces[localIndex] = atomicAdd(&workLists.header[countWordOf(localIndex)], count);
    }
  }
  workgroupBarrier();
  if (isAppended) {
    storeEntry(toList, firstPlaces[toList] + place, index);
  }
}

// The same for kernels that append few of their pairs: each invocation by itself.
fn appendAlone(index: u32, toList: u32) {
  let countWord = countWordOf(toList);
  if (countWord != 0u) {
    storeEntry(toList, atomicAdd(&workLists.header[countWord], 1u), index);
  }
}
