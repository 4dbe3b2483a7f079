/** What the dispatches of the broad phase, of trees and of rays are bound with. */
import type { BufferPool } from '../buffers.ts';
import type { Dispatch, Kernels } from '../kernels.ts';
import type { Region } from '../read-back.ts';

export interface BroadPhaseSizes {
  bodyCount: number;
  /** Bodies that there is room for. */
  bodyCapacity: number;
  shapeCount: number;
  /** Pairs that there is room for. */
  pairCapacity: number;
  margin: number;
  /** Tolerance of the narrow phase's distances, as a share of the pair's size. */
  tolerance: number;
  /** How bodies move, one of MOTION_, and for how many seconds. */
  motion: number;
  duration: number;
  /** Edge length of the cells of fixed-point positions. */
  cellSize: number;
}

/** What the kernels read. */
export interface BroadPhaseInput {
  shapeRecords: GPUBuffer;
  geometry: GPUBuffer;
  poses: GPUBuffer;
  bodyShapes: GPUBuffer;
  velocities?: GPUBuffer;
  /** One u32 per body each. */
  groups?: GPUBuffer;
  fixedBodies?: GPUBuffer;
}

export interface BroadPhaseContext {
  device: GPUDevice;
  kernels: Kernels;
  /** Owns the buffers and the bind groups. */
  pool: BufferPool;
  /** A uniform buffer of this name that holds `data`. Its first word is the number of bodies. */
  uniform: (name: string, data: ArrayBuffer) => GPUBuffer;
}

/** Bodies that are searched for; see `BoundBroadPhase.search`. */
export interface SlotRange {
  first: number;
  count: number;
  /** Nothing is searched if a body has more tests; see `BoundBroadPhase.weigh`. */
  mostTests: number;
}

export interface BoundBroadPhase {
  /** Words as in shaders/broad-phase/state.wgsl. */
  state: GPUBuffer;
  /** The dispatches that sort the bodies into the grid. */
  ordering: readonly Dispatch[];
  /** Finds the most tests of a body. */
  weigh: () => readonly Dispatch[];
  /**
   * The search. First it counts the pairs of the bodies with these places. Then it writes the pairs that `storing` does not
   * write: the places are then those in the list of bodies with more pairs. All ranges share a uniform buffer.
   */
  search: (isWriting: boolean, range: SlotRange) => Dispatch;
  /** The dispatches after the pairs are counted, those that write kept pairs, and those after all are written. */
  summing: readonly Dispatch[];
  storing: readonly Dispatch[];
  sorting: readonly Dispatch[];
  /** The number of pairs once they are summed up: 64 bits, the low word first. */
  total: Region;
  /** The most tests of a body, one u32. */
  mostTests: Region;
  /** Cleared before the dispatches. */
  cleared: readonly GPUBuffer[];
}
