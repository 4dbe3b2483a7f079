import type { Dimension } from '../request/dimension.ts';
import type { PartGeometry } from './part-geometry.ts';

/** Loads what searches over parts need of a dimension. */
export async function loadPartGeometry({ dimension }: Pick<Dimension, 'dimension'>): Promise<PartGeometry> {
  if (dimension === 2) return (await import('./planar/geometry2.ts')).partGeometry2;
  return (await import('./geometry3.ts')).partGeometry3;
}
