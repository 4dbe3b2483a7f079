/** A family with few of its shapes: testers and workers each build all of them, which can take longer than a query. */
import type { Family } from '../../verification/families/family.ts';

export function withFewShapes(family: Family, count: number): Family {
  const { bodies, shapes } = family;
  return {
    ...family,
    bodies: { ...bodies, shapes: bodies.shapes.map((shape) => shape % count) },
    shapes: shapes.slice(0, count),
  };
}
