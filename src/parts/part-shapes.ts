/** The convex shapes that a backend may get in place of compounds and meshes (part-bodies.ts). */
import { hullOfPart, needsAdvancing } from '../cpu/parts/part-impacts.ts';
import type { PartShapes } from './part-geometry.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { SAMPLE_TRIANGLES } from '../shapes/mesh-triangle.ts';
import type { ShapeData } from '../shapes/shape-data.ts';

/**
 * The parts of compounds have a place of their own. Triangles, and parts of compounds that rotate, have the pose of their body.
 * `isRotating`: for impacts of bodies that may rotate.
 */
export function shapesOfParts(shapes: readonly (ShapeBase | undefined)[], isRotating: boolean): PartShapes {
  const placed: ShapeData[] = [];
  const posed: ShapeData[] = [];
  for (const shape of shapes as readonly (ShapeData | undefined)[]) {
    const parts = shape?.parts;
    if (parts?.type === 'mesh') posed.push(...SAMPLE_TRIANGLES);
    if (parts?.type !== 'compound') continue;
    placed.push(...parts.shapes);
    if (!isRotating) continue;
    for (let part = 0; part < parts.shapes.length; part++)
      if (!needsAdvancing(shape!, part)) posed.push(hullOfPart(parts, part));
  }
  return { placed, posed };
}
