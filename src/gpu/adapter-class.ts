/**
 * What differs between graphics cards and software adapters: numbers, and the form of loops. The stages of a 3-D query,
 * their order and their lists are the same. One of the numbers shows in the plan, though: the limit of facets decides
 * which pairs the arcs take, and so whether a query has that stage at all.
 */
import type { KernelName } from '../generated/kernel-table.ts';
import type { SearchSizes } from '../request/backend.ts';

export interface AdapterClass {
  /** Whether kernels load side by side, except for those that load in loops on every adapter. */
  readonly unrollsLoads: boolean;
  /**
   * Whether hulls find supports by cells of four packed candidates, and not by lists. With prototypes on an NVIDIA H200,
   * arcs by two lanes were 1.29 times as fast; on lavapipe packed cells are slower.
   */
  readonly packsCells: boolean;
  /**
   * Whether kernels with two entry points use the strided one. On lavapipe strides made them 6 to 15 % slower, on
   * SwiftShader the former manifolds-boxes took 6.1 in place of 4.3 s to compile.
   */
  readonly stridesAll: boolean;
  /**
   * Lanes that search the faces and arcs of a pair. Lanes read neighbouring rows at once, and find the normal sooner; but
   * each has the pair to load. Counted instructions of a pair of two hulls of 8 and of 32 vertices, by lanes: 1: 6.8 and
   * 19.6 thousand, 2: 8.2 and 20.4, 4: 11.3 and 23.8, 8: 16.2 and 29.7. On an NVIDIA H200 prototypes with two lanes were
   * 2.6 times as fast as with one for hulls of 8; for hulls of 32, four or eight gained up to a quarter. On software
   * adapters lanes only wait for each other.
   */
  readonly arcLanes: number;
  /**
   * Most facets of both bodies of a pair together for which the arcs come before EPA. Two hulls of 32 vertices have 120, of
   * 64 vertices 248, of 128 vertices 504; parts of long arcs add a few. On software adapters it depends on the processor.
   * With lavapipe on an Intel Xeon, arcs and EPA take equally long for hulls of 64 vertices, and EPA takes 0.7 times as
   * long for hulls of 128. On an AMD EPYC the arcs took 0.6 and 0.9 times as long as EPA (bench/results/depth.md). 300 is a
   * compromise. On an NVIDIA H200, with prototypes of one invocation per pair, the arcs were faster than compact EPA for
   * hulls of 32 vertices (274 to 351 against 200 to 228 M hits/s) and slower for hulls of 64 (23 to 47 against 150).
   */
  readonly arcsMostFacets: number;
  /**
   * Most invocations of a strided kernel. More would only have more memory to clear. 65,536 is about 8 workgroups for each
   * multiprocessor of an NVIDIA H200, where EPA is as fast with more; other kernels have not been measured on hardware.
   * Software adapters have tens of cores at most.
   */
  readonly mostStrided: number;
  /**
   * Most invocations of the grid's kernels whose invocations take several bodies each: while they count partners, and
   * when they search once more for bodies with more partners than are kept. A software adapter is slow to start more.
   */
  readonly gridInvocations: { readonly counting: number; readonly writing: number };
  /**
   * Below, the CPU finds pairs, or the bodies that rays may meet, before the device has compiled its kernels and answered.
   * Bodies and rays count together. On software adapters the search for pairs takes 0.8 to 1.8 times the processor time of
   * the CPU's, and ray casts of 32,000 bodies and rays 0.3 to 0.5 times.
   */
  readonly leastOnDevice: SearchSizes;
}

/** A graphics card. */
export const HARDWARE: AdapterClass = {
  unrollsLoads: true,
  packsCells: true,
  stridesAll: true,
  arcLanes: 2,
  arcsMostFacets: 140,
  mostStrided: 2 ** 16,
  gridInvocations: { counting: Infinity, writing: 2 ** 16 },
  leastOnDevice: { findPairs: 2 ** 14, castRays: 2 ** 14 },
};

export const SOFTWARE: AdapterClass = {
  unrollsLoads: false,
  packsCells: false,
  stridesAll: false,
  arcLanes: 1,
  arcsMostFacets: 300,
  mostStrided: 2 ** 12,
  gridInvocations: { counting: 2 ** 13, writing: 2 ** 13 },
  leastOnDevice: { findPairs: Infinity, castRays: 2 ** 15 },
};

/** The greatest limit of facets of any adapter. */
export const MOST_FACETS_OF_ANY = Math.max(HARDWARE.arcsMostFacets, SOFTWARE.arcsMostFacets);

/**
 * Kernels that load in loops on graphics cards too. By the estimate of an AMD compiler, unrolled loads make them at most
 * 1.12 times as fast, and others 1.5 times (bench/results/variants.md). Unrolled, they take longer to compile.
 */
const LOOPED: ReadonlySet<KernelName> = new Set([
  'intersects-gjk',
  'distances-gjk',
  'contacts-gjk',
  'contacts-arcs',
  'contacts-epa-compact',
  'contacts-epa',
  'contacts-refine',
  'contacts-outside',
] as const);

/** Whether a kernel unrolls its loads. */
export function unrollsLoadsOf(kernel: KernelName, { unrollsLoads }: AdapterClass): boolean {
  return unrollsLoads && !LOOPED.has(kernel);
}
