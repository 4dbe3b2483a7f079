/** Says which bodies are meshes without an inside, since much less can be told about them. */

import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import { counted } from '../../terminal-text.ts';
import { createLabels } from '../labels.ts';
import type { SolidScene } from './convex-meshes.ts';

const LISTED = 3;

/** undefined: there are none. */
export function openMeshesText({ scene, topologies }: SolidScene): string | undefined {
  const labelOf = createLabels(scene);
  const isOpen = ({ parts }: ShapeData): boolean => parts?.type === 'mesh' && !topologies.get(parts)!.isClosed;
  const areOpen = scene.shapeData.map(isOpen);
  const bodies = [...scene.bodies.shapes.keys()].filter((body) => areOpen[scene.bodies.shapes[body]]);
  if (bodies.length === 0) return undefined;
  const names = bodies.slice(0, LISTED).map((body) => labelOf(body).label);
  const list = `${names.join(', ')}${bodies.length > names.length ? ', ...' : ''}`;
  const [are, them] = bodies.length === 1 ? ['is an open mesh', 'it'] : ['are open meshes', 'them'];
  return `${counted(bodies.length, 'body')} ${are}, so nothing is inside ${them}: ${list}`;
}
