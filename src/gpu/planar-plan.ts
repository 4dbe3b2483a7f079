/**
 * The kernels of a query in 2-D: one kernel with all stages, over all pairs. Pairs are sorted by class if there are
 * several classes, so that pairs of the same stage run side by side. `impacts` have a second kernel, over the pairs
 * that turn and don't overlap.
 */
import { ANY_KIND, PLANAR_POLYGON, PLANAR_RECTANGLE, PLANAR_SEGMENT, SMALL_POLYGON } from '../generated/constants.ts';
import { planarMprDepth, planarStage } from '../request/planar-algorithm.ts';
import type { QueryName } from '../api/queries.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { classesOf } from './classes.ts';
import type { PlanRequest, Planner } from './planner.ts';
import {
  appending,
  stepsOverClasses,
  type ClassRange,
  type KernelLists,
  type KernelStep,
  type Plan,
  type Step,
} from './steps.ts';
import { kindConstants, mayTake, type KindConstants } from './variants.ts';

/** The kernel of each query. */
const KERNELS: Readonly<Record<QueryName, KernelName>> = {
  intersects: 'planar/intersects',
  distances: 'planar/distances',
  contacts: 'planar/contacts',
  manifolds: 'planar/manifolds',
  impacts: 'planar/impacts',
};

/** A key that differs between 2-D shapes that need different kernels. */
function planarKernelKey({ kind, radius, vertices, hasWideAngles }: PlanarShapeData): string {
  return `${kind} ${radius > 0} ${vertices.length > 2 * SMALL_POLYGON} ${hasWideAngles}`;
}

/** Segments and polygons may be far from their body's origin. */
function hasMiddle(kind: number): boolean {
  return kind === PLANAR_SEGMENT || kind === PLANAR_POLYGON;
}

function planPlanar({
  query,
  kinds,
  leadStage,
  mprDepth,
  shapes,
  hasFixedPoint,
  hasParts,
  isRotating,
  passesParting,
}: PlanRequest<PlanarShapeData>): Plan {
  // Manifolds of pairs of parts come after the choice among their contacts.
  const stageQuery = hasParts && query === 'manifolds' ? 'contacts' : query;
  const classes = classesOf([], kinds);
  const isSorted = classes.length > 1;
  const isSharp = shapes.every((shape) => !shape || shape.radius === 0);
  /** Whether all shapes with an area have wide angles, and all shapes of a kernel's pairs have an area. */
  const haveWideAngles = (ofKinds: number[]): boolean => {
    const isAllWide = shapes.every((shape) => !shape || shape.kind < PLANAR_RECTANGLE || shape.hasWideAngles);
    return (
      isAllWide &&
      ofKinds.every((kind) =>
        kind === ANY_KIND ? shapes.every((shape) => !shape || shape.hasWideAngles) : kind >= PLANAR_RECTANGLE,
      )
    );
  };
  const areSmall = shapes.every((shape) => !shape || shape.vertices.length <= 2 * SMALL_POLYGON);
  const turns = query === 'impacts' && isRotating;
  const hasDepth = query === 'contacts' || query === 'manifolds';
  const makeKernel = (
    kernel: KernelName,
    ofKinds: KindConstants,
    selected?: ClassRange,
    lists: KernelLists = {},
  ): KernelStep => ({
    step: 'kernel',
    classes: selected,
    ...lists,
    variant: {
      kernel,
      constants: {
        ...ofKinds,
        LEAD_STAGE: planarStage(leadStage),
        ...(hasDepth && { MPR_DEPTH: planarMprDepth(mprDepth) }),
        ...(selected && { IS_LISTED: 1 }),
        ...(hasFixedPoint && { HAS_FIXED_POINT: 1 }),
        ...(hasParts && { HAS_PARTS: 1 }),
        ...(isSharp && { IS_SHARP: 1 }),
        ...(ofKinds.KIND_A === ANY_KIND && { ARE_ANY: 1 }),
        ...(areSmall && { ARE_SMALL: 1 }),
        ...(mayTake(hasMiddle, ofKinds, kinds) && { HAS_MIDDLES: 1 }),
        ...(haveWideAngles([ofKinds.KIND_A, ofKinds.KIND_B]) && { HAVE_WIDE_ANGLES: 1 }),
        ...(turns && { IS_ROTATING: 1 }),
        ...(query === 'impacts' && passesParting && { PASSES_PARTING: 1 }),
      },
    },
  });
  const { lists, constants } = query === 'impacts' ? appending([turns ? 'motion' : undefined]) : {};
  const steps: Step[] = isSorted ? [{ step: 'list', classCount: classes.length, hasParts }] : [];
  steps.push(
    ...stepsOverClasses(classes, kinds, isSorted, (ofKinds, selected) =>
      makeKernel(KERNELS[stageQuery], { ...ofKinds, ...constants }, selected, {
        ...(isSorted && { reads: 'classes' }),
        ...lists,
      }),
    ),
  );
  if (turns) steps.push(makeKernel('planar/impacts-rotating', kindConstants(kinds), [0, 1], { reads: 'motion' }));
  return { query, stageQuery, classes, steps, fallbackSteps: [], lastSteps: [] };
}

export const planarPlanner: Planner<PlanarShapeData> = {
  plan: planPlanar,
  keyOf: planarKernelKey,
};
