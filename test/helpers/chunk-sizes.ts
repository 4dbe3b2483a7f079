/** The sizes of a query's chunks. */
import { openCpu } from '../../src/tester/open-cpu.ts';
import { makeTester } from '../../src/tester/tester.ts';
import { openGpuBackend } from '../../src/tester/create-tester.ts';
import { dim2 } from '../../src/dimension/dim2.ts';
import { dim3 } from '../../src/dimension/dim3.ts';
import type { Backend } from '../../src/request/backend.ts';
import type { PlanarTester, Tester } from '../../src/api/types.ts';

export interface ChunkWatch<AnyTester> {
  tester: AnyTester;
  /** The result of a query, and the numbers of pairs in its chunks. */
  chunksOf<Result>(query: () => Promise<Result>): Promise<{ chunks: number[]; result: Result }>;
}

/** A tester on the device whose chunks can be watched. */
export async function testerWithChunks(device: GPUDevice): Promise<ChunkWatch<Tester>> {
  return watch(device, dim3);
}

export async function planarTesterWithChunks(device: GPUDevice): Promise<ChunkWatch<PlanarTester>> {
  return (await watch(device, dim2)) as unknown as ChunkWatch<PlanarTester>;
}

async function watch(device: GPUDevice, parts: typeof dim2 | typeof dim3): Promise<ChunkWatch<Tester>> {
  let chunks: number[] = [];
  const backend = await openGpuBackend(undefined, { device }, parts);
  const watched: Backend = {
    ...backend,
    run: (request, sink) =>
      backend.run(request, {
        ...sink,
        count(statusCounts, hits) {
          chunks.push(statusCounts.reduce((sum, count) => sum + count));
          sink.count(statusCounts, hits);
        },
      }),
  };
  return {
    tester: makeTester(watched, parts.dimension, parts.loadReference, () => openCpu(parts.loadReference, 1)),
    async chunksOf(query) {
      chunks = [];
      const result = await query();
      return { chunks, result };
    },
  };
}
