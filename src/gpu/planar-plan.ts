/**
 * Which kernels a query in the plane runs: one, which holds the whole ladder, over all pairs, or over the pairs of each class where there are several, so that pairs that
 * take the same way run side by side.
 */
import { ANY_KIND, PLANAR_RECTANGLE, SMALL_POLYGON } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernels.ts';
import type { FirstRung } from '../backend.ts';
import { portalsOf, rungOf } from '../pack/planar-rungs.ts';
import type { QueryName } from '../pack/results.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { MprDepth } from '../types.ts';
import { classesOf, type KindPair } from './classes.ts';
import { listOf, stepsOverClasses, type KernelStep, type Plan } from './steps.ts';

interface PlanarPlanRequest {
  query: QueryName;
  kinds: readonly KindPair[];
  first: FirstRung;
  mprDepth?: MprDepth;
  shapes: readonly (PlanarShapeData | undefined)[];
  isWide: boolean;
  isTurning: boolean;
}

/** Where there is no shape no pair is valid, which the kernel of circles finds as well as any. */
const NO_KINDS: readonly KindPair[] = [[0, 0]];

export function planPlanar({ query, kinds: given, first, mprDepth, shapes, isWide, isTurning }: PlanarPlanRequest): Plan {
  const kinds = given.length > 0 ? given : NO_KINDS;
  const classes = classesOf([], kinds);
  const isListed = classes.length > 1;
  const isSharp = shapes.every((shape) => !shape || shape.radius === 0);
  /** Whether all shapes with an area are, and of a kernel's pairs no other is meant. */
  const arePlump = (ofKinds: number[]): boolean => {
    const plump = shapes.every((shape) => !shape || shape.kind < PLANAR_RECTANGLE || shape.isPlump);
    return plump && ofKinds.every((kind) => kind === ANY_KIND ? shapes.every((shape) => !shape || shape.isPlump) : kind >= PLANAR_RECTANGLE);
  };
  const areSmall = shapes.every((shape) => !shape || shape.vertices.length <= 2 * SMALL_POLYGON);
  const hasDepth = query === 'contacts' || query === 'manifolds';
  const kernel = (ofKinds: { KIND_A: number; KIND_B: number }, due?: readonly [number, number]): KernelStep => ({
    step: 'kernel',
    classes: due,
    variant: {
      kernel: `planar/${query}` as KernelName,
      constants: {
        ...ofKinds,
        RUNG: rungOf(first),
        ...(hasDepth && { PORTALS: portalsOf(mprDepth) }),
        ...(isListed && { IS_LISTED: 1 }),
        ...(isWide && { HAS_CELLS: 1 }),
        ...(isSharp && { IS_SHARP: 1 }),
        ...(ofKinds.KIND_A === ANY_KIND && { ARE_ANY: 1 }),
        ...(areSmall && { ARE_SMALL: 1 }),
        ...(arePlump([ofKinds.KIND_A, ofKinds.KIND_B]) && { ARE_PLUMP: 1 }),
        ...(query === 'impacts' && isTurning && { IS_TURNING: 1 }),
      },
    },
  });
  const steps = isListed
    ? [listOf(0, classes.length), ...stepsOverClasses(classes, kinds, true, kernel)]
    : [kernel(kinds.length === 1 ? { KIND_A: kinds[0][0], KIND_B: kinds[0][1] } : { KIND_A: ANY_KIND, KIND_B: ANY_KIND })];
  return { query, ladder: query, classes, steps, laterSteps: [] };
}
