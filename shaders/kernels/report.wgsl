// What the host has to know about a query's input. The kernels that pack and inspect the input write it. All words are
// 0 before.

import package::shared::constants::{KIND_COUNT};

// The complement of the lowest index of a body, a pair or a velocity that the host's validation may refuse; 0 if there
// is none.
const REPORT_BODY: u32 = 0u;
const REPORT_PAIR: u32 = 1u;
const REPORT_VELOCITY: u32 = 2u;
// The greatest high word of the absolute values of all 64-bit coordinates, rounded up.
const REPORT_GREATEST: u32 = 3u;
// Bit kindA * KIND_COUNT + kindB is set if a pair has these kinds.
const REPORT_KINDS: u32 = 4u;
// One bit per shape id: a body has the shape.
const REPORT_SHAPES: u32 = 12u;

@group(0) @binding(7) var<storage, read_write> report: array<atomic<u32>>;

// Whether the host reads the report. If not, it has checked the input itself.
override INSPECTS: bool = true;

// The functions below read a word before they change it, so that invocations rarely wait for each other.

// Records that the host has to check the body, pair or velocity with this index.
fn flag(word: u32, index: u32) {
  raiseReport(word, ~index);
}

// Makes a word at least `value`.
fn raiseReport(word: u32, value: u32) {
  if (atomicLoad(&report[word]) < value) {
    atomicMax(&report[word], value);
  }
}

fn reportShape(shape: u32) {
  setReportBit(REPORT_SHAPES, shape);
}

fn reportKinds(kindA: u32, kindB: u32) {
  setReportBit(REPORT_KINDS, kindA * KIND_COUNT + kindB);
}

fn setReportBit(firstWord: u32, bit: u32) {
  let word = firstWord + (bit >> 5u);
  let mask = 1u << (bit & 31u);
  if ((atomicLoad(&report[word]) & mask) == 0u) {
    atomicOr(&report[word], mask);
  }
}
