/**
 * The kernels of a query in 3-D, in order, from the cheapest algorithm to the most expensive one.
 *
 *     pairs, sorted by class
 *       closed forms          pairs that have one, and boxes by SAT; they end here, features included
 *       lead stage            projected Newton (points, segments, boxes) or MPR
 *       GJK                   pairs that are left
 *       depth                 pairs whose cores overlap (depth-plan.ts)
 *       features              or, for `manifolds`, the manifolds of the hits
 *     fallback steps          of few pairs that these leave
 *       depth                 by EPA, arcs and refinement
 *       features              or manifolds, of those pairs; a batch makes all features here
 *
 * Each stage runs over a list of the pairs that the stages before it left open: kernels append to the lists of the next
 * ones (work-lists.ts), and a list step sorts all pairs by class. A kernel that no pair of these kinds can need is left
 * out, so that no query waits for compiling it. A query runs the fallback steps in a second submission, and only if pairs
 * are left; a batch runs them in the same pass.
 * `impacts` have their own planner (impact-plan.ts), and so has 2-D (planar-plan.ts).
 */
import { ANY_BOX, CORE_BOX } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import { isClosed } from '../request/closed-form.ts';
import type { QueryName } from '../api/queries.ts';
import type { LeadStage } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { classesOf, type KindPair } from './classes.ts';
import { planDepth } from './depth-plan.ts';
import type { PlanForm, PlanRequest, Planner } from './planner.ts';
import { isLeadPair } from './stages.ts';
import {
  appending,
  stepsOverClasses,
  type KernelLists,
  type KernelStep,
  type MakeKernel,
  type Plan,
  type Step,
  type WorkList,
} from './steps.ts';
import { areSharp, constantsFor, kernelKey, kindConstants, type KindConstants } from './variants.ts';

/** The queries whose records the stages write. */
type StageQuery = Exclude<QueryName, 'manifolds' | 'impacts'>;

/** The kernels of each query's stages. */
const KERNELS: Readonly<Record<StageQuery, Readonly<Record<'closed' | 'gjk', KernelName>>>> = {
  intersects: { closed: 'intersects-closed', gjk: 'intersects-gjk' },
  distances: { closed: 'distances-closed', gjk: 'distances-gjk' },
  contacts: { closed: 'contacts-closed', gjk: 'contacts-gjk' },
};

/** The kernels of the lead stages that each query has. SAT is in the kernel of the closed forms. */
const LEAD_KERNELS: Readonly<Record<StageQuery, Readonly<Partial<Record<LeadStage, KernelName>>>>> = {
  intersects: { mpr: 'intersects-mpr' },
  distances: { newton: 'distances-newton', mpr: 'distances-mpr' },
  contacts: { mpr: 'contacts-mpr' },
};

/** Which pairs each stage takes, and in which classes they are sorted. */
interface Division {
  closed: readonly KindPair[];
  leadPairs: readonly KindPair[];
  /** Whether the lead stage may leave pairs to GJK. */
  leadPairsContinue: boolean;
  others: readonly KindPair[];
  /** All of them. */
  kinds: readonly KindPair[];
  classes: Plan['classes'];
  isSorted: boolean;
}

function divide({ kinds: given, leadStage, shapes, margin }: PlanRequest<ShapeData>): Division {
  const closed = given.filter(([a, b]) => isClosed(leadStage, a, b));
  const leadPairs = given.filter((pair) => !closed.includes(pair) && isLeadPair(leadStage, pair));
  const others = given.filter((pair) => !closed.includes(pair) && !leadPairs.includes(pair));
  const kinds = [...closed, ...leadPairs, ...others];
  return {
    closed,
    leadPairs,
    // SAT decides all pairs of sharp boxes at margin 0. With a larger margin, the distances of separated pairs are needed.
    leadPairsContinue: leadPairs.length > 0 && !(leadStage === 'sat' && areSharp(shapes) && margin === 0),
    others,
    kinds,
    classes: classesOf(closed, [...leadPairs, ...others]),
    // The closed forms are one kernel for all their kinds, and so is the Newton search.
    isSorted:
      kinds.length > 1 &&
      closed.length < kinds.length &&
      !(leadStage === 'newton' && leadPairs.length === kinds.length),
  };
}

function stageQueryOf(query: StageQuery | 'manifolds'): StageQuery {
  return query === 'manifolds' ? 'contacts' : query;
}

/**
 * The list of a stage's hits. Closed forms and SAT store features themselves, so only manifolds need theirs listed. Pairs of parts get
 * both after their contacts are decided (part-pairs/joined-steps.ts).
 */
function hitsOf({ query, hasParts }: PlanForm, storesFeatures: boolean): WorkList | undefined {
  if (hasParts) return undefined;
  return query === 'manifolds' || (query === 'contacts' && !storesFeatures) ? 'near' : undefined;
}

function makePlan(request: PlanRequest<ShapeData> & { query: StageQuery | 'manifolds' }): Plan {
  const { query, shapes, hasFixedPoint, hasParts, isWarm, adapter } = request;
  const stageQuery = stageQueryOf(query);
  const division = divide(request);
  const { leadPairs, leadPairsContinue, others, kinds, classes, isSorted } = division;

  const kernel: MakeKernel = (name, ofKinds, selected, lists = {}) => {
    const constants = constantsFor(
      name,
      ofKinds,
      { kinds, shapes, hasFixedPoint, hasParts, adapter },
      selected !== undefined,
    );
    return { step: 'kernel', classes: selected, ...lists, variant: { kernel: name, constants } };
  };
  const areSharpBoxes = areSharp(shapes) && kinds.every(([a, b]) => a === CORE_BOX && b === CORE_BOX);
  const sorted: KernelLists = isSorted ? { reads: 'classes' } : {};
  const deep = leadPairsContinue ? [...leadPairs, ...others] : others;

  const steps: Step[] = isSorted ? [{ step: 'list', classCount: classes.length, hasParts }] : [];
  steps.push(...leadSteps({ ...request, query }, division, kernel));

  const hasDepth = stageQuery === 'contacts' && deep.length > 0;
  const depth = hasDepth ? planDepth({ request, leadPairs, others, deep, kernel }) : undefined;
  const warm: Record<string, number> = isWarm ? { IS_WARM: 1 } : {};
  const listsOfGjk = (ofLeadPairs: boolean): KernelLists =>
    depth ? { appends: [ofLeadPairs ? undefined : depth.arcsList, depth.epaList, hitsOf(request, false)] } : {};
  const { gjk } = KERNELS[stageQuery];
  steps.push(
    ...stepsOverClasses(classes, others, isSorted, (ofKinds, run) =>
      kernel(gjk, { ...ofKinds, ...warm, ...depth?.ofGjk }, run, { ...sorted, ...listsOfGjk(false) }),
    ),
  );
  if (leadPairsContinue) {
    const lists = { reads: 'gjk' as const, ...listsOfGjk(true) };
    steps.push(kernel(gjk, { ...kindConstants(leadPairs), ...warm }, [0, 1], lists));
  }
  if (depth) steps.push(...depth.steps);

  const isAppended = (list: WorkList): boolean =>
    steps.some((step) => step.step === 'kernel' && step.appends?.includes(list));
  const hitLists = (['near', ...(depth?.lists ?? [])] as const).filter(isAppended);
  const lastSteps = hasParts
    ? []
    : query === 'manifolds'
      ? manifoldSteps(areSharpBoxes, kinds, kernel, hitLists)
      : depth
        ? // Those of closed forms and SAT have theirs.
          featureSteps(kindConstants([...leadPairs, ...others]), kernel, hitLists)
        : [];
  return { query, stageQuery, classes, steps, fallbackSteps: depth?.fallbackSteps ?? [], lastSteps };
}

/** Closed forms and SAT, which are one kernel, and the Newton search or MPR. */
function leadSteps(
  request: PlanRequest<ShapeData> & { query: StageQuery | 'manifolds' },
  { closed, leadPairs, leadPairsContinue, classes, isSorted }: Division,
  kernel: MakeKernel,
): Step[] {
  const { query, leadStage, mprDepth, shapes } = request;
  const stageQuery = stageQueryOf(query);
  /** The first class without closed forms. */
  const firstOpenClass = Math.min(closed.length, 1);
  const leadClasses = [firstOpenClass, Math.min(firstOpenClass + leadPairs.length, classes.length)] as const;
  const hasSat = leadStage === 'sat' && leadPairs.length > 0;
  const ofLead = appending([leadPairsContinue ? 'gjk' : undefined, hitsOf(request, hasSat)]);
  const sorted: KernelLists = isSorted ? { reads: 'classes' } : {};
  const steps: Step[] = [];
  if (closed.length > 0 || hasSat) {
    const { lists, constants } = hasSat ? ofLead : appending([undefined, hitsOf(request, true)]);
    const ofKinds = {
      ...kindConstants(hasSat ? [...closed, ...leadPairs] : closed),
      ...(hasSat && { HAS_SAT: 1 }),
      ...(hasSat && closed.length === 0 && areSharp(shapes) && { IS_SHARP: 1 }),
      ...(query === 'manifolds' && { HAS_FEATURES: 0 }),
      ...constants,
    };
    const selected = [0, hasSat ? leadClasses[1] : firstOpenClass] as const;
    steps.push(kernel(KERNELS[stageQuery].closed, ofKinds, isSorted ? selected : undefined, { ...sorted, ...lists }));
  }
  if (leadPairs.length > 0 && !hasSat) {
    const newton = { KIND_A: ANY_BOX, KIND_B: ANY_BOX };
    const mpr = { ...kindConstants(leadPairs), ...(stageQuery === 'contacts' && mprDepth === 'ray' && { IS_RAY: 1 }) };
    const ofKinds = { ...(leadStage === 'mpr' ? mpr : newton), ...ofLead.constants };
    const selected = isSorted ? leadClasses : undefined;
    steps.push(kernel(LEAD_KERNELS[stageQuery][leadStage]!, ofKinds, selected, { ...sorted, ...ofLead.lists }));
  }
  return steps;
}

/** Manifolds of the hits in `lists`. */
function manifoldSteps(
  areSharpBoxes: boolean,
  kinds: readonly KindPair[],
  kernel: MakeKernel,
  lists: readonly WorkList[],
): Step[] {
  const name = areSharpBoxes ? 'manifolds-boxes' : 'manifolds';
  return [
    ...lists.map((reads): KernelStep => ({
      ...kernel(name, kindConstants(kinds), [0, 1], { reads }),
      ofManifolds: true,
    })),
    // Last, because it overwrites what the others wrote for pairs that are not hits and went to fallback steps.
    { step: 'kernel', variant: { kernel: 'manifolds-none' }, ofManifolds: true },
  ];
}

/** Features of contacts with points, which are in `lists`. */
function featureSteps(ofKinds: KindConstants, kernel: MakeKernel, lists: readonly WorkList[]): KernelStep[] {
  return lists.map((reads) => kernel('contacts-features', ofKinds, [0, 1], { reads }));
}

/** Of all queries but impacts. */
export const spatialPlanner: Planner<ShapeData> = {
  plan: (request) => makePlan(request as Parameters<typeof makePlan>[0]),
  keyOf: kernelKey,
};
