/** Scenes of compounds and chains in 2-D, for batches beside the CPU backend. */
import type { PlanarTester } from '../../src/api/types.ts';
import type { PlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import type { PlanarSurfaceFamily } from '../../verification/families/planar-surface-families.ts';

/** The shapes of a scene in place of those of the scene before. */
export function usePlanarShapesOf(
  { shapes }: PlanarPartsScene,
  testers: readonly PlanarTester[],
  before: PlanarPartsScene | undefined,
): void {
  for (const tester of testers) {
    for (let id = 0; id < (before?.shapes.length ?? 0); id++) tester.removeShape(id);
    for (const shape of shapes) tester.addShape(shape);
  }
}

/** The bodies of a scene, at rest. */
export function placedBodies({ bodies: { shapes, positions, angles, scales } }: PlanarPartsScene) {
  return { shapes, positions, angles, scales };
}

/** Bodies that are not rotated. */
export function unturned(shapes: readonly number[], positions: readonly number[]) {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from(positions),
    angles: new Float32Array(shapes.length),
  };
}

/** The shape of a family at the origin, and its cases with that shape, as body A and as body B in turns. */
export function sceneOfFamily({ shape, cases }: PlanarSurfaceFamily) {
  const count = cases.length;
  return {
    shapes: [shape, ...cases.map((each) => each.shape)],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => i),
      positions: Float32Array.of(0, 0, ...cases.flatMap(({ position }) => position)),
      angles: Float32Array.of(0, ...cases.map(({ angle }) => angle)),
    },
    pairs: Uint32Array.from({ length: 2 * count }, (_, i) => ((i >> 1) % 2 === i % 2 ? 0 : 1 + (i >> 1))),
  };
}
