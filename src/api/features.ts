/** The words of features: what a contact or a manifold point lies on, as one unsigned number. */

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

/** The kind of a feature: its two highest bits. */
export function featureKind(feature: number): FeatureKind {
  return (feature >>> FEATURE_KIND_SHIFT) as FeatureKind;
}

/** The number of a feature among those of its kind: its lower 30 bits; for hulls' vertices the caller's point. */
export function featureIndex(feature: number): number {
  return feature & INDEX_MASK;
}

/** Kinds of points in `Manifolds.feature`, whose lower bits mean something else than those of contacts. */
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

/** What a manifold point lies on; see `Manifolds.feature`. */
export type ManifoldFeature =
  | { kind: typeof ManifoldFeatureKind.None | typeof ManifoldFeatureKind.Witness }
  /** `vertex` is the vertex' number in the shape of body A or B. */
  | { kind: typeof ManifoldFeatureKind.Vertex; body: 'a' | 'b'; vertex: number }
  /** Each is `lower * 181 + higher` of the edge's two vertex numbers, modulo 2^15. */
  | { kind: typeof ManifoldFeatureKind.Crossing; edgeA: number; edgeB: number };

/** The kind of a manifold point's feature: its two highest bits. */
export function manifoldFeatureKind(feature: number): ManifoldFeatureKind {
  return (feature >>> FEATURE_KIND_SHIFT) as ManifoldFeatureKind;
}

/** The parts of a manifold point's feature. */
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
