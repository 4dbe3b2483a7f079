/** The parameters of the kernels of the broad phase, of trees and of rays. */
import { layouts } from '../../generated/layouts.ts';
import { kernels } from '../../generated/kernel-table.ts';
import { packRecord } from '../../records/record.ts';
import { gridWidth, workgroupsFor } from '../kernels.ts';
import { LARGEST } from '../passes.ts';
import type { BroadPhaseSizes } from './context.ts';

type Field = keyof (typeof layouts.BroadPhaseParameters)['fields'];

/** Greater margins count as this one: positions are below 1e30. */
const GREATEST_MARGIN = 8e30;

/** The uniform buffer's contents for a dispatch of this many invocations. Fields that are not in `others` are 0. */
export function packParameters(
  device: GPUDevice,
  sizes: BroadPhaseSizes,
  invocations: number,
  others: Partial<Record<Field, number>> = {},
): ArrayBuffer {
  const workgroups = workgroupsFor('broad-phase/bounds', invocations);
  return packRecord(layouts.BroadPhaseParameters, {
    hasGroups: 0,
    hasFixed: 0,
    bucketCount: 0,
    blockCount: 0,
    isWriting: 0,
    firstSlot: 0,
    endSlot: 0,
    mostTests: 0,
    step: 0,
    rayCount: 0,
    rayCapacity: 0,
    firstPair: 0,
    rayShape: 0,
    isOfBatch: 0,
    ...sizes,
    margin: Math.min(sizes.margin, GREATEST_MARGIN),
    duration: Math.min(sizes.duration, LARGEST),
    gridWidth: gridWidth(device, workgroups),
    stride: kernels['broad-phase/bounds'].workgroupSize * workgroups,
    ...others,
  });
}
