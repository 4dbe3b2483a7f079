/** The constants that kernels are compiled with: what is known in advance about their pairs. */
import { ANY_KIND, CORE_BOX, SMALL_HULL } from '../generated/constants.ts';
import { hasVertices, isCurved } from '../shapes/kinds.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import { MOST_FACETS_OF_ANY, unrollsLoadsOf, type AdapterClass } from './adapter-class.ts';
import type { KindPair } from './classes.ts';
import { facetCount } from './stages.ts';

/** The constants of a kernel, which always has these. */
export type KindConstants = Record<'KIND_A' | 'KIND_B', number> & Record<string, number>;

/** What all kernels of a plan depend on. */
export interface PlanFacts {
  kinds: readonly KindPair[];
  shapes: readonly (ShapeData | undefined)[];
  /** Whether positions are 64-bit numbers. */
  hasFixedPoint: boolean;
  /** Whether the kernel takes pairs of parts. */
  hasParts?: true;
  adapter: AdapterClass;
}

/**
 * The constants of a kernel over pairs of `ofKinds`, among all pairs of the plan. `HAS_CURVED: 0` in `ofKinds` says that
 * none of its pairs is curved, whatever the kinds of the plan. `isListed`: it reads its pairs from a list.
 */
export function constantsFor(
  kernel: KernelName,
  ofKinds: KindConstants,
  { kinds, shapes, hasFixedPoint, hasParts, adapter }: PlanFacts,
  isListed: boolean,
): KindConstants {
  const hasCurved = ofKinds.HAS_CURVED !== 0 && mayTake(isCurved, ofKinds, kinds);
  const hasSmallHulls = areSmall(shapes) && !hasCurved && mayBeHulls(ofKinds);
  return {
    ...ofKinds,
    ...(isForAnyKind([ofKinds.KIND_A, ofKinds.KIND_B]) && { KIND_A: ANY_KIND, KIND_B: ANY_KIND }),
    ...(isListed && { IS_LISTED: 1 }),
    ...(hasFixedPoint && { HAS_FIXED_POINT: 1 }),
    ...(hasCurved && { HAS_CURVED: 1 }),
    ...((hasParts || mayTake(hasVertices, ofKinds, kinds)) && { HAS_MIDDLES: 1 }),
    ...(hasParts && { HAS_PARTS: 1 }),
    ...(hasSmallHulls && { SMALL_HULLS: 1 }),
    ...(unrollsLoadsOf(kernel, adapter) && { UNROLLS_LOADS: 1 }),
    ...(adapter.packsCells && mayBeHulls(ofKinds) && !hasSmallHulls && { PACKED_CELLS: 1 }),
  };
}

/**
 * Whether pairs of these kinds share kernels compiled for any kind: pairs with curved shapes or hulls do. There are many
 * such kinds, and each takes seconds to compile on software adapters. For hulls, kernels that know the kinds are hardly
 * faster (bench/results/variants.md).
 */
function isForAnyKind(pair: KindPair): boolean {
  return areCurved(pair) || pair.some(hasVertices);
}

/** For pairs of these kinds. */
export function kindConstants(kinds: readonly KindPair[]): KindConstants {
  const [KIND_A, KIND_B] = kinds.length === 1 ? kinds[0] : [ANY_KIND, ANY_KIND];
  return { KIND_A, KIND_B };
}

/** Whether no box is rounded. */
export function areSharp(shapes: readonly (ShapeData | undefined)[]): boolean {
  return shapes.every((shape) => shape?.kind !== CORE_BOX || shape.radius === 0);
}

/** Whether there are hulls, all of them small. */
function areSmall(shapes: readonly (ShapeData | undefined)[]): boolean {
  const hulls = shapes.filter((shape) => shape && hasVertices(shape.kind)) as ShapeData[];
  return hulls.length > 0 && hulls.every(isSmallHull);
}

/** A key that differs between 3-D shapes that need different kernels. */
export function kernelKey(shape: ShapeData): string {
  const facets = Math.min(facetCount(shape), MOST_FACETS_OF_ANY + 1);
  return `${shape.kind} ${shape.radius > 0} ${isSmallHull(shape)} ${facets}`;
}

function isSmallHull({ kind, vertices }: Pick<ShapeData, 'kind' | 'vertices'>): boolean {
  return hasVertices(kind) && vertices.length <= 3 * SMALL_HULL;
}

/** Whether a kernel's pairs may have hulls. */
function mayBeHulls({ KIND_A, KIND_B }: KindConstants): boolean {
  return [KIND_A, KIND_B].some((kind) => hasVertices(kind) || kind === ANY_KIND);
}

/** Whether either of two kinds is that of a cylinder, a cone or an ellipsoid. */
export function areCurved(pair: KindPair): boolean {
  return pair.some(isCurved);
}

/** Whether a kernel's pairs may have shapes of a sort: by its own kinds, or by all kinds of the plan if it takes any. */
export function mayTake(
  isOfSort: (kind: number) => boolean,
  { KIND_A, KIND_B }: KindConstants,
  kinds: readonly KindPair[],
): boolean {
  return (KIND_A === ANY_KIND ? kinds.flat() : [KIND_A, KIND_B]).some(isOfSort);
}
