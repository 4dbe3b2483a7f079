/**
 * What a batch's kernels know of the shapes: the shapes themselves and the parameters, which have their number. Commands
 * that were recorded before the shapes changed may be submitted after. So all of these buffers change together: either
 * they are written in place, and those commands use the shapes as they are then; or all are replaced, and those commands
 * use the shapes as they were.
 *
 * Buffers are replaced when the shapes need more room, which then doubles, or when the plan changes. So however often
 * shapes change, all replaced buffers together are not much larger than the present ones.
 */
import { USAGE, writeBuffer, type BufferPool } from './buffers.ts';
import type { InputBuffers } from './query-buffers.ts';

/** The buffers of all shapes. */
type ShapeBuffers = Pick<InputBuffers, 'shapeRecords' | 'geometry' | 'partNodes'>;

/** What they hold. */
export interface PackedShapes {
  shapes: ArrayBuffer;
  geometry: ArrayBuffer;
  /** For kernels over pairs of parts. */
  partNodes?: ArrayBuffer;
}

export interface BatchTables {
  /** Uploads packed shapes. `planKey` differs between plans that differ. */
  upload(packed: PackedShapes, planKey: number): ShapeBuffers;
  /** The uniform buffer of this name that goes with the shapes uploaded last, filled with `data`. */
  uniform(name: string, data: ArrayBuffer): GPUBuffer;
}

export function createBatchTables({ queue, limits }: GPUDevice, pool: BufferPool): BatchTables {
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const uniforms = new Set<string>();
  let current: ShapeBuffers | undefined;
  let currentKey = 0;

  /** A buffer for `bytes`, with as much room as the one it replaces, or twice as much. */
  function replace(name: string, old: GPUBuffer | undefined, bytes: number): GPUBuffer {
    pool.release(name);
    if (!old) return pool.get(name, bytes);
    return pool.get(name, old.size >= bytes ? old.size : Math.max(bytes, Math.min(2 * old.size, most)));
  }

  return {
    upload({ shapes, geometry, partNodes }, planKey) {
      const hasRoom =
        current &&
        current.shapeRecords.size >= shapes.byteLength &&
        current.geometry.size >= geometry.byteLength &&
        (current.partNodes?.size ?? 0) >= (partNodes?.byteLength ?? 0);
      if (!(current && hasRoom && planKey === currentKey)) {
        for (const name of uniforms) pool.release(name);
        current = {
          shapeRecords: replace('shapes', current?.shapeRecords, shapes.byteLength),
          geometry: replace('geometry', current?.geometry, geometry.byteLength),
          partNodes: partNodes && replace('partNodes', current?.partNodes, partNodes.byteLength),
        };
        currentKey = planKey;
      }
      writeBuffer(queue, current.shapeRecords, 0, shapes);
      writeBuffer(queue, current.geometry, 0, geometry);
      if (partNodes) writeBuffer(queue, current.partNodes!, 0, partNodes);
      return current;
    },

    uniform(name, data) {
      uniforms.add(name);
      return pool.upload(name, data, USAGE.UNIFORM | USAGE.COPY_DST);
    },
  };
}
