/**
 * Feature numbers: what a contact or a manifold point lies on, as one unsigned number. The numbers of every shape are in
 * one table: https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers.
 */

import { FEATURE_KIND_SHIFT, MANIFOLD_EDGE_BITS, MANIFOLD_VERTEX_OF_B } from '../generated/constants.ts';

/** Kinds of features in `Contacts.featureA` and `featureB`. */
export const FeatureKind = {
  /** No feature: pairs without witness points. */
  None: 0,
  Vertex: 1,
  Edge: 2,
  Face: 3,
} as const;
export type FeatureKind = (typeof FeatureKind)[keyof typeof FeatureKind];

/** Returns the kind of a contact's feature: its two highest bits. */
export function featureKind(feature: number): FeatureKind {
  return (feature >>> FEATURE_KIND_SHIFT) as FeatureKind;
}

/**
 * Returns the index of a contact's feature among the features of its kind: its lower 30 bits. The index of a hull's
 * vertex is that of the caller's point. `tester.shapeGeometry` lists vertices, edges and faces by index.
 */
export function featureIndex(feature: number): number {
  return feature & INDEX_MASK;
}

/** Kinds of points in `Manifolds.feature`. Their lower bits differ from those of contacts' features. */
export const ManifoldFeatureKind = {
  /** An unused slot. */
  None: 0,
  /** A vertex of one shape over a face of the other. */
  Vertex: 1,
  /** An edge of A crosses an edge of B. */
  Crossing: 2,
  /** The contact's own witness point. */
  Witness: 3,
} as const;
export type ManifoldFeatureKind = (typeof ManifoldFeatureKind)[keyof typeof ManifoldFeatureKind];

/** The parts of a manifold point's feature. */
export type ManifoldFeature =
  | { kind: typeof ManifoldFeatureKind.None | typeof ManifoldFeatureKind.Witness }
  /** `vertex` is the vertex number in the shape of body A or B. */
  | { kind: typeof ManifoldFeatureKind.Vertex; body: 'a' | 'b'; vertex: number }
  /** Each edge is `lower * 181 + higher` of its two vertex numbers, modulo 2^15. */
  | { kind: typeof ManifoldFeatureKind.Crossing; edgeA: number; edgeB: number };

/** Returns the kind of a manifold point's feature: its two highest bits. */
export function manifoldFeatureKind(feature: number): ManifoldFeatureKind {
  return (feature >>> FEATURE_KIND_SHIFT) as ManifoldFeatureKind;
}

/** Returns the parts of a manifold point's feature. */
export function decodeManifoldFeature(feature: number): ManifoldFeature {
  const kind = manifoldFeatureKind(feature);
  if (kind === ManifoldFeatureKind.Vertex) {
    return { kind, body: feature & MANIFOLD_VERTEX_OF_B ? 'b' : 'a', vertex: feature & (MANIFOLD_VERTEX_OF_B - 1) };
  }
  if (kind === ManifoldFeatureKind.Crossing) {
    return { kind, edgeA: feature & EDGE_MASK, edgeB: (feature >>> MANIFOLD_EDGE_BITS) & EDGE_MASK };
  }
  return { kind };
}

const INDEX_MASK = 2 ** FEATURE_KIND_SHIFT - 1;
const EDGE_MASK = 2 ** MANIFOLD_EDGE_BITS - 1;
