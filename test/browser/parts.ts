/** Runs in the page: compounds and meshes on WebGPU beside the CPU backend of the built package. */
import { compareParts, type PartsComparison } from '../helpers/compare-parts.ts';
import { compareBatches, type Comparison } from '../helpers/part-batches.ts';
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
