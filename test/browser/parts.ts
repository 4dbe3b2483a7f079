/** Runs in the page: compounds and meshes on WebGPU beside the CPU backend of the built package. */
import { compareParts, type PartsComparison } from '../helpers/compare-parts.ts';
import { judgeFamily } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily } from '../../verification/families/surface-families.ts';
import type { SurfaceFault } from '../../verification/judges/surface-contacts.ts';
import { ALL_SORTS, compareBatches, type Comparison } from '../helpers/part-batches.ts';
import { byBatches, isExpected, SURFACE_TOLERANCE } from '../helpers/surface-batches.ts';
import { comparePlanarFamilies, type PlanarComparison } from '../helpers/planar-part-batches.ts';
import { compareTurning, type TurningComparison } from '../helpers/turning-impacts.ts';
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

/** Batches of impacts of bodies that turn over meshes and compounds. */
export async function compareTurningParts(sample: Sample): Promise<TurningComparison> {
  const tester = await createTester({ backend: 'webgpu' });
  const reference = await createTester({ backend: 'cpu', threads: 1 });
  try {
    return await compareTurning(tester, reference, { ...sample, margin: 0 });
  } finally {
    tester.dispose();
    reference.dispose();
  }
}

/** The faults of contacts of batches with the surfaces of families. */
export async function judgeSurfaceBatches(
  names: readonly string[],
  cases: number,
  seed: number,
): Promise<{ cases: number; faults: string[] }> {
  const tester = await createTester({ backend: 'webgpu' });
  const all = { cases: 0, faults: [] as string[] };
  try {
    // All families then have the same kernels.
    for (const shape of ALL_SORTS) tester.addShape(shape);
    for (const name of names) {
      const family = makeSurfaceFamily(name, cases, seed);
      const tolerance = Math.max(family.tolerance ?? 0, SURFACE_TOLERANCE);
      const found = await judgeFamily(tester, { ...family, tolerance }, byBatches);
      all.cases += found.cases;
      for (const [fault, numbers] of Object.entries(found.faults) as [SurfaceFault, number[]][])
        if (!isExpected(fault, family.isThin === true))
          all.faults.push(...numbers.map((i) => `${name}, case ${i}: ${fault}`));
    }
    return all;
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
