/** What the dispatches of the broad phase, of trees and of rays are bound with. */
import type { BufferPool } from '../buffers.ts';
import type { Kernels } from '../kernels.ts';

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
  /** Keeps the buffers and the bind groups. */
  pool: BufferPool;
  /** A uniform buffer of this name that holds `data`. Its first word is the number of bodies. */
  uniform: (name: string, data: ArrayBuffer) => GPUBuffer;
}
