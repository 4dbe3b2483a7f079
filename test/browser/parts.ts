/** Runs in the page: compounds and meshes on WebGPU beside the CPU backend of the built package. */
import { compareParts, type PartsComparison } from '../helpers/compare-parts.ts';
import { judgeFamily, type SurfaceFindings } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily } from '../../verification/families/surface-families.ts';
import { compareBatches, type Comparison } from '../helpers/part-batches.ts';
import { byBatches, SURFACE_TOLERANCE } from '../helpers/surface-batches.ts';
import { createTester } from './testers.ts';

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
