/** Meshes whose triangles the browsers find. */

export type TriangleQuery = 'trianglePairs' | 'intersects';

export type TriangleCase = readonly [query: TriangleQuery, family: string, triangles: number];

export const TRIANGLE_CASES: readonly TriangleCase[] = [
  ['trianglePairs', 'a soup of small triangles', 150],
  ['trianglePairs', 'a soup of triangles of all sizes', 150],
  ['trianglePairs', 'a curved sheet', 200],
  ['trianglePairs', 'a flat grid', 200],
  ['trianglePairs', 'needles', 30],
  ['trianglePairs', 'one triangle many times', 20],
  ['trianglePairs', 'triangles that are points', 150],
  ['trianglePairs', 'collinear triangles', 60],
  ['trianglePairs', 'a soup far from its origin', 100],
  ['intersects', 'a soup of small triangles', 150],
  ['intersects', 'a curved sheet', 200],
  ['intersects', 'a soup of triangles of all sizes', 150],
];
