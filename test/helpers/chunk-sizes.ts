/** The sizes of a query's chunks. */
import { makeTester } from '../../src/tester/tester.ts';
import { openGpuBackend } from '../../src/tester/create-tester.ts';
import { dim3 } from '../../src/dimension/dim3.ts';
import type { Backend } from '../../src/request/backend.ts';
import type { Tester } from '../../src/api/types.ts';

/** A tester on the device, and the numbers of pairs in the chunks of its queries since the list was last cleared. */
export async function testerWithChunks(device: GPUDevice): Promise<{ tester: Tester; chunks: number[] }> {
  const chunks: number[] = [];
  const backend = await openGpuBackend(undefined, { device }, dim3);
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
  return { tester: makeTester(watched, dim3.dimension, dim3.loadReference), chunks };
}
