/**
 * Histogram of errors by decade. The decade that contains the tolerance is cut in two there, so no bin has both sides
 * of it.
 */

/** Smaller errors share a bin: below the rounding of doubles there is nothing to tell apart. */
const LEAST_EXPONENT = -16;

export interface Histogram {
  tolerance: number;
  /**
   * Bin i has the errors above `edges[i - 1]` and up to `edges[i]`; the first also all smaller ones but 0, the last all
   * larger ones.
   */
  edges: number[];
  bins: number[];
  /** Errors of exactly 0. */
  zeros: number;
}

export interface Bin {
  /** Errors larger than this. */
  above: number;
  /** Errors of at most this; null: without end. */
  upTo: number | null;
  pairs: number;
}

export function createHistogram(tolerance: number): Histogram {
  const decades = Array.from({ length: 1 - LEAST_EXPONENT }, (_, i) => Number(`1e${LEAST_EXPONENT + i}`));
  const edges = [...new Set([...decades, tolerance])].sort((a, b) => a - b);
  return { tolerance, edges, bins: edges.concat(0).fill(0), zeros: 0 };
}

/** Counts an error of at least 0. */
export function countError(histogram: Histogram, error: number): void {
  if (error === 0) {
    histogram.zeros++;
    return;
  }
  const { edges, bins } = histogram;
  const bin = edges.findIndex((edge) => error <= edge);
  bins[bin < 0 ? edges.length : bin]++;
}

/**
 * The bins from the first to the last that any of the histograms has errors in, with the one below the tolerance at
 * least.
 */
export function occupiedBins(histograms: Histogram[]): { first: number; end: number } {
  const { edges, tolerance } = histograms[0];
  const below = edges.indexOf(tolerance);
  let first = below;
  let end = below + 1;
  for (let bin = 0; bin <= edges.length; bin++) {
    if (!histograms.some(({ bins }) => bins[bin] > 0)) continue;
    first = Math.min(first, bin);
    end = Math.max(end, bin + 1);
  }
  return { first, end };
}

export function binAt({ edges, bins }: Histogram, bin: number): Bin {
  return { above: bin === 0 ? 0 : edges[bin - 1], upTo: edges[bin] ?? null, pairs: bins[bin] };
}
