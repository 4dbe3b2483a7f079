/** Kinds of faults of an engine's answer, with their descriptions. */
export const FAULTS = {
  missing: 'no answer where one was asked for',
  listing: 'the list of hits says other than the list of all pairs',
  notFinite: 'a number that is not finite',
  status: 'wrong status',
  missingHit: 'hit that is not listed',
  extraHit: 'listed pair that is no hit',
  zeros: 'numbers where zeros are promised',
  distance: 'distance off by more than the tolerance',
  lowerBound: 'lower bound of the distance above the distance',
  unit: 'normal that is no unit vector',
  supports: 'normal along which the supports do not give the distance',
  points: 'pointB is not pointA + distance · normal',
  surface: 'witness point off its surface',
  bounds: 'bounds that do not hold the true distance, are infinite, or leave out the distance given',
  features: 'feature that the shape does not have',
  oracle: 'wrong by the brute-force oracle',
} as const;
export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

/** Quantities whose errors are measured. */
export const QUANTITIES = ['distance', 'normal', 'points'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** The judge's findings about one pair. */
export interface Verdict {
  faults: FaultKind[];
  /** The engine has no answer and reports that. */
  isUnanswered: boolean;
  /** The answer is a lower bound beyond the margin, which is allowed. */
  leftEarly: boolean;
  /**
   * Errors as shares of max(s, |B - A|), after subtracting the rounding that results may have. NaN if there was nothing
   * to measure.
   */
  errors: Record<Quantity, number>;
  /** |distance - truth| as such a share, with all rounding. NaN if no exact distance was promised. */
  offBy: number;
}

export function createVerdict(): Verdict {
  return {
    faults: [],
    isUnanswered: false,
    leftEarly: false,
    errors: { distance: NaN, normal: NaN, points: NaN },
    offBy: NaN,
  };
}
