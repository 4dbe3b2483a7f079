/** Frames of two-dimensional batches, and their results in a form to compare with those of the tester's queries. */
import type { Batch, BatchReadOptions } from '../../src/api/batch.ts';
import type { PlanarTypes } from '../../src/api/types.ts';
import { frame as uncheckedFrame } from './batch.ts';
import { withoutErrors } from './gpu.ts';
import { answersOf } from './planar-tester.ts';

export type PlanarBatch<Result> = Batch<Result, PlanarTypes>;

/** One frame from upload to result, which fails if the device reports an error. */
export async function frame<Result>(
  batch: PlanarBatch<Result>,
  data: Parameters<PlanarBatch<Result>['write']>[0],
  options?: BatchReadOptions<Result>,
): Promise<Result> {
  return withoutErrors(batch.device, () => uncheckedFrame(batch, data, options));
}

/** What an item of a result may have in world space. */
export interface Placed {
  pair: number;
  pointA?: number[];
  pointB?: number[];
  point?: number[];
  points?: { position: number[] }[];
}

/** Everything but points: a batch places them on the GPU, in f32, the tester in double precision. */
export function withoutPoints(result: Parameters<typeof answersOf>[0]): ReturnType<typeof answersOf> {
  const { items, ...others } = answersOf(result);
  const none = { pointA: undefined, pointB: undefined, point: undefined };
  return {
    ...others,
    items: (items as Placed[]).map((item) => ({
      ...item,
      ...none,
      points: item.points?.map((point) => ({ ...point, position: undefined })),
    })),
  };
}
