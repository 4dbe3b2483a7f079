/** What headers of reports say about a scene. */

import type { Scene } from '../scene/scene.ts';
import type { SceneFile } from '../scene-file.ts';
import { inOrderOfTypes, type ReportHeader } from './report-header.ts';

export function sceneFacts({ file, sha256, scene }: Omit<SceneFile, 'files'>): ReportHeader['scene'] {
  const shapes = scene.shapes.map((_, i) => i);
  return {
    file,
    sha256,
    name: scene.name,
    bodies: scene.bodies.shapes.length,
    bodiesByType: countByType(scene, scene.bodies.shapes),
    shapesByType: countByType(scene, shapes),
    pairs: typeof scene.pairs === 'string' ? scene.pairs : 'listed',
  };
}

/** The number of entries of `shapes` with each type of the scene's shapes. */
function countByType(scene: Scene, shapes: ArrayLike<number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of scene.shapes) counts[type] = 0;
  for (let i = 0; i < shapes.length; i++) counts[scene.shapes[shapes[i]].type]++;
  return inOrderOfTypes(counts);
}
