/** Searches for pairs of parts on Dawn, whatever their number and the adapter. */
import type { Placement } from '../../src/bvh/placement.ts';
import { buildMeshTree, type TreeKind, type Triangles } from '../../src/bvh/build-tree.ts';
import { trianglesIntersect } from '../../src/cpu/triangle-intersection.ts';
import { createDeviceSlot, type DeviceState } from '../../src/gpu/device-slot.ts';
import { createPlacedTriangles, placeMeshes, placeTriangles } from '../../src/cpu/parts/placed-triangles.ts';
import { IS_OPEN } from '../../src/generated/constants.ts';
import type { PartPairs, PartSource } from '../../src/request/part-pairs.ts';
import { finish } from '../../src/util/turns.ts';
import { searchOnDevice, type DeviceSearchTester } from '../../verification/engines/device-search.ts';
import { openDefaultDevice } from './gpu.ts';

const ADAPTER = { vendor: '', architecture: '', description: '', isSoftware: true };

/** A device of the caller's own, in use. */
export async function openDeviceState(device?: GPUDevice): Promise<DeviceState> {
  const used = device ?? (await openDefaultDevice('part-pairs.device'));
  const release = (): void => used.destroy();
  return createDeviceSlot({ device: used, adapter: ADAPTER, release }, {}, {}).ready();
}

/** A tester that leaves every search to a device that takes it. */
export async function createForcedTester(device?: GPUDevice): Promise<DeviceSearchTester> {
  return searchOnDevice(device ?? (await openDefaultDevice('part-pairs.device')), ADAPTER, true);
}

export function sourceOf(mesh: Triangles, kind: TreeKind = 'obb'): PartSource {
  return { tree: finish(buildMeshTree(mesh, kind)), mesh };
}

/** What is found, as texts of pair, part of A and part of B; and whether each is open. */
export function listOf({ pairs, partsA, partsB }: PartPairs): Map<string, boolean> {
  const found = new Map<string, boolean>();
  pairs.forEach((pair, i) => found.set(`${pair} ${partsA[i] & ~IS_OPEN} ${partsB[i]}`, (partsA[i] & IS_OPEN) !== 0));
  return found;
}

/** Where the list is not in ascending order, or has an entry twice. */
export function disorderOf({ pairs, partsA, partsB }: PartPairs): string[] {
  const isAfter = (i: number): boolean => {
    const [a, b] = [i - 1, i].map((k) => [pairs[k], partsA[k] & ~IS_OPEN, partsB[k]]);
    const first = [0, 1, 2].find((k) => a[k] !== b[k]);
    return first !== undefined && b[first] > a[first];
  };
  const faults: string[] = [];
  for (let i = 1; i < pairs.length; i++) if (!isAfter(i)) faults.push(`entry ${i} does not come after the one before`);
  return faults;
}

const corners = createPlacedTriangles();

/** Writes the corners of two triangles in one frame. */
export function cornersOf(a: Triangles, partA: number, b: Triangles, partB: number, placement: Placement) {
  placeMeshes(a, b, placement, corners);
  placeTriangles(partA, partB, corners);
  return corners;
}

/** Whether two triangles meet: the answer of the reference. */
export function meet(a: Triangles, partA: number, b: Triangles, partB: number, placement: Placement): boolean {
  cornersOf(a, partA, b, partB, placement);
  return trianglesIntersect(corners.a, corners.b);
}
