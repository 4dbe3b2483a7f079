// The partners that the search keeps for each body, and the pairs found.

import package::broad-phase::bound::{NUMBER_BITS};
import package::broad-phase::sums::{MOST_RANKED};
import package::kernels::broad-phase::owners::{owners, rowLength};
import package::kernels::broad-phase::parameters::{parameters};

// x: the partner, until the pairs are sorted.
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;
// Two rows of one number per place: how many partners there are, and the places of bodies with more than MOST_KEPT.
// Then MOST_KEPT partners of each place. Where the partner is the owner, its number has the pair's rank above it.
@group(0) @binding(16) var<storage, read_write> partners: array<u32>;

const MOST_KEPT: u32 = 20u;
const FIRST_KEPT: u32 = 2u;

fn keep(slot: u32, i: u32, other: u32, rank: u32) {
  partners[firstKeptOf(slot) + i] = other | (min(rank, MOST_RANKED) << NUMBER_BITS);
}

fn firstKeptOf(slot: u32) -> u32 {
  return FIRST_KEPT * parameters.bodyCapacity + MOST_KEPT * slot;
}

fn listSlot(slot: u32) {
  partners[parameters.bodyCapacity + atomicAdd(&owners[listedWord()], 1u)] = slot;
}

fn listedSlot(i: u32) -> u32 {
  return partners[parameters.bodyCapacity + i];
}

fn listedCount() -> u32 {
  return atomicLoad(&owners[listedWord()]);
}

// After the last row.
fn listedWord() -> u32 {
  return 3u * rowLength() - 1u;
}
