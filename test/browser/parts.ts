/** Runs in the page: compounds and meshes on WebGPU beside the CPU backend of the built package. */
import { compareParts, type PartsComparison } from '../helpers/compare-parts.ts';
import { judgeFamily, type SurfaceFindings } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily } from '../../verification/families/surface-families.ts';
import { compareBatches, type Comparison } from '../helpers/part-batches.ts';
import { byBatches, SURFACE_TOLERANCE } from '../helpers/surface-batches.ts';
import { comparePlanarFamilies, type PlanarComparison } from '../helpers/planar-part-batches.ts';
import type { Sample } from './cases.ts';
import { createTester, planarTester } from './testers.ts';

export async function comparePartsInPage(seed: number): Promise<PartsComparison> {
  const tester = await createTester({ backend: 'webgpu' });
  const reference = await createTester({ backend: 'cpu', threads: 1 });
  try {
    return await compareParts(tester, reference, seed);
  } finally {
    tester.dispose();
    reference.dispose();
  }
}

export async function comparePartBatches(scenes: { firstSeed: number; scenes: number }): Promise<Comparison> {
  const tester = await createTester({ backend: 'webgpu' });
  const reference = await createTester({ backend: 'cpu', threads: 1 });
  try {
    return await compareBatches(tester, reference, scenes);
  } finally {
    tester.dispose();
    reference.dispose();
  }
}

/** The faults of contacts of batches with the mesh of a family. */
export async function judgeSurfaceBatches(name: string, cases: number, seed: number): Promise<SurfaceFindings> {
  const tester = await createTester({ backend: 'webgpu' });
  try {
    const family = makeSurfaceFamily(name, cases, seed);
    return await judgeFamily(tester, { ...family, tolerance: SURFACE_TOLERANCE }, byBatches);
  } finally {
    tester.dispose();
  }
}

/** Batches with chains and compounds in 2-D beside the CPU backend. */
export async function comparePlanarParts(sample: Sample): Promise<PlanarComparison> {
  const tester = await planarTester();
  const reference = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
  try {
    return await comparePlanarFamilies(tester, reference, sample);
  } finally {
    reference.dispose();
  }
}
