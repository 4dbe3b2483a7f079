/** The broad phase on a device, and families of bodies for it. */
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { findPairsOnDevice } from '../../src/gpu/broad-phase/find-pairs.ts';
import { createDeviceSlot } from '../../src/gpu/device-slot.ts';
import type { FindPairsRequest } from '../../src/request/backend.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { addShape, createShapeTable, type ShapeTable } from '../../src/shapes/shape-table.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarBodies, PosedBodies } from '../../src/api/types.ts';
import { openDefaultDevice } from './gpu.ts';

export type PairSearch = Partial<Pick<FindPairsRequest, 'filters' | 'motion' | 'margin' | 'maxPairs' | 'signal'>> & {
  /** The most tests that are done at a time. */
  mostTests?: number;
};

export interface DeviceBroadPhase {
  find(scene: Scene | PlanarScene, search?: PairSearch): Promise<Uint32Array>;
  /** How many ranges of bodies were searched one after the other so far, and what is called at each. */
  readonly rangeCount: number;
  onRange?: () => void;
  dispose(): void;
}

export interface Scene {
  shapes: readonly ShapeDescription[];
  bodies: PosedBodies;
}

export interface PlanarScene {
  shapes: readonly PlanarShapeDescription[];
  bodies: PlanarBodies;
}

export function tableOf(scene: Scene | PlanarScene): ShapeTable {
  const table = createShapeTable();
  for (const shape of scene.shapes) addShape(table, shape, dimensionOf(scene));
  return table;
}

export function dimensionOf({ bodies }: Scene | PlanarScene): Dimension {
  return 'angles' in bodies ? dimension2 : dimension3;
}

export async function openBroadPhase(): Promise<DeviceBroadPhase> {
  const device = await openDefaultDevice('broad-phase.device');
  const adapter = { vendor: '', architecture: '', description: '', isSoftware: true };
  const slot = createDeviceSlot({ device, adapter, release: () => device.destroy() }, {}, {});
  let rangeCount = 0;
  const createCommandEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) => {
    if (descriptor?.label === 'findPairs.range') {
      rangeCount++;
      broadPhase.onRange?.();
    }
    return createCommandEncoder(descriptor);
  };
  const broadPhase: DeviceBroadPhase = {
    get rangeCount() {
      return rangeCount;
    },
    async find(scene, { margin = 0, maxPairs = 2 ** 28, mostTests, ...search } = {}) {
      // Every scene has a table of its own.
      slot.current.shapesVersion = -1;
      const request = { dimension: dimensionOf(scene), bodies: scene.bodies, shapes: tableOf(scene), margin, maxPairs };
      const pairs = await findPairsOnDevice(slot.current, { ...request, ...search }, { mostTests });
      if (!pairs) throw new Error('the device has no room for the pairs');
      return pairs;
    },
    dispose: () => slot.dispose(),
  };
  return broadPhase;
}
