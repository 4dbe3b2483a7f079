/** The shapes of a model. Bodies with equal geometry share one. */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { MODEL_LIMITS, type Model } from './model.ts';
import { refuseAsTooLarge, within } from './refusal.ts';
import { ORIGIN, type Triple } from './transform.ts';

export interface ListedShape {
  index: number;
  /** The point of the geometry's frame that is the body's origin. */
  origin: Triple;
}

export interface NewShape {
  description: ShapeDescription;
  origin?: Triple;
}

export interface ShapeList {
  shapes: Model['shapes'];
  /** The shape with this key, which `make` makes if it is not there yet. `owner` names it in errors. */
  add(key: string, owner: string, make: () => NewShape): ListedShape;
}

export function createShapeList(): ShapeList {
  const shapes: Model['shapes'] = [];
  const known = new Map<string, ListedShape>();
  let vertices = 0;
  let triangles = 0;
  return {
    shapes,
    add(key, owner, make) {
      const present = known.get(key);
      if (present) return present;
      const { description, origin = ORIGIN } = within(owner, make);
      vertices += verticesOf(description);
      if (description.type === 'mesh') triangles += description.indices.length / 3;
      expectAtMost(owner, vertices, 'vertices');
      expectAtMost(owner, triangles, 'triangles');
      const listed = { index: shapes.push({ description, owner }) - 1, origin };
      known.set(key, listed);
      return listed;
    },
  };
}

function expectAtMost(owner: string, count: number, noun: 'vertices' | 'triangles'): void {
  if (count <= MODEL_LIMITS[noun]) return;
  refuseAsTooLarge(`${owner}: the shapes so far have ${count} ${noun}, expected at most ${MODEL_LIMITS[noun]}`);
}

function verticesOf(shape: ShapeDescription): number {
  if (shape.type === 'compound') return shape.parts.reduce((sum, part) => sum + verticesOf(part.shape), 0);
  if (shape.type === 'hull') return shape.points.length / 3;
  return shape.type === 'mesh' ? shape.positions.length / 3 : 0;
}
