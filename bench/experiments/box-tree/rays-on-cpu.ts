/** The bodies that rays may meet, on one thread of the CPU. */
import {
  createBoxRay,
  createRayWalk,
  setBoxRay,
  startRayWalk,
  walkAlongRay,
  type RayArrays,
} from '../../../src/broad-phase/box-rays.ts';
import { buildBoxTree } from '../../../src/broad-phase/box-tree.ts';
import { boundBodies } from '../../../src/broad-phase/bounds.ts';
import { ALL_GROUPS } from '../../../src/broad-phase/filters.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import { finish } from '../../../src/util/turns.ts';
import type { BoxBodies } from './bodies.ts';
import { crates } from './crates.ts';

/** The search; it returns the number of bodies that all rays may meet. */
export function castRaysOnCpu({ bodies }: BoxBodies, rays: RayArrays): () => number {
  const shapes = crates().shapes as readonly (ShapeData | undefined)[];
  return () => {
    const boxes = finish(boundBodies(bodies, shapes, { margin: 0 }));
    const tree = finish(buildBoxTree(boxes));
    const boxRay = createBoxRay();
    const walk = createRayWalk();
    let found = 0;
    const count = rays.origins.length / 3;
    for (let ray = 0; ray < count; ray++) {
      setBoxRay(3, rays, ray, boxRay);
      const onFound = (): number => {
        found++;
        return boxRay.end;
      };
      startRayWalk(tree, boxRay, walk);
      while (!walkAlongRay(tree, boxRay, ALL_GROUPS, onFound, walk));
    }
    return found;
  };
}
