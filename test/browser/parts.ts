/** Runs in the page: compounds and meshes on WebGPU beside the CPU backend of the built package. */
import { compareParts, type PartsComparison } from '../helpers/compare-parts.ts';
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
