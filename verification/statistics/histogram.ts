/**
 * Histogram of errors by decade. The decade that contains the tolerance is split at the tolerance, so that no bin has
 * errors on both sides of it.
 */

/** Smaller errors share a bin: differences below the rounding of doubles mean nothing. */
const LEAST_EXPONENT = -16;

export interface Histogram {
  tolerance: number;
  /**
   * Bin i has the errors above `edges[i - 1]` and up to `edges[i]`. The first bin also has all smaller errors except 0,
   * the last bin all larger ones.
   */
  edges: number[];
  bins: number[];
  /** Errors of exactly 0. */
  zeros: number;
}

export interface Bin {
  /** Exclusive lower limit of the errors. */
  above: number;
  /** Inclusive upper limit of the errors; null if there is none. */
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

/** The range of bins in which any of the histograms has errors. It includes the bin below the tolerance. */
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
