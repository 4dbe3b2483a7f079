/**
 * Walks pairs through plans: every way that a pair of given kinds can take from kernel to kernel. What kernels do with a
 * pair is told here by their names; which of them runs, over which list and in which order, is the plan's.
 */

import {
  CORE_BOX,
  CORE_HULL,
  INFO_HAS_POINTS,
  INFO_HIT,
  INFO_PENDING_ARCS,
  INFO_PENDING_EPA,
  INFO_PENDING_GJK,
  INFO_PENDING_REFINE,
} from '../../src/generated/constants.ts';
import { classOfKinds, type KindPair } from '../../src/gpu/classes.ts';
import type { KernelStep, ListStep, Plan, Step, WorkList } from '../../src/gpu/steps.ts';
import { areCurved } from '../../src/gpu/variants.ts';
import { placeWorkLists } from '../../src/gpu/work-lists.ts';

/** What has become of a pair. */
interface PairState {
  /** Bits of the record's `info`; undefined as long as the record is that of an earlier query. */
  info: number | undefined;
  hasFeatures: boolean;
  hasManifold: boolean;
  /** Lists that have the pair, with its class. */
  lists: ReadonlyMap<WorkList, number>;
}

/** What a kernel may do with a pair: its new `info`, and the list that it appends the pair to, by its number. */
interface Outcome {
  info: number;
  appendsTo?: number;
  storesFeatures?: true;
  storesManifold?: true;
}

const CONTACT = INFO_HIT | INFO_HAS_POINTS;

/** Stands for an impact that waits for a later kernel, which no bit says. */
const WAITING = 1 << 9;

/**
 * What is wrong with a plan for pairs of these kinds, in words: lists that are made from records of an earlier query,
 * pairs that no kernel answers, that lack features or a manifold, and lists that overwrite each other. `satDecides`: SAT
 * leaves no pair of boxes, since all are sharp and the margin is 0.
 */
export function faultsOfWalk(plan: Plan, kinds: KindPair, satDecides: boolean): string[] {
  const faults = new Set<string>();
  const start: PairState = { info: undefined, hasFeatures: false, hasManifold: false, lists: new Map() };
  const afterSteps = walk({ plan, kinds, satDecides, faults }, plan.steps, [start]);
  const isOpen = ({ info }: PairState): boolean => info !== undefined && (info & pendingBits(plan)) !== 0;
  // The host runs the fallback steps if any pair is left. These and all others are in the chunk.
  const fallback = plan.fallbackSteps.length > 0 && afterSteps.some(isOpen) ? plan.fallbackSteps : [];
  const reset = afterSteps.map((state) => ({ ...state, lists: new Map() }));
  for (const state of fallback.length > 0 ? walk({ plan, kinds, satDecides, faults }, fallback, reset) : afterSteps) {
    if (state.info === undefined) faults.add('no kernel writes the record');
    else if (isOpen(state)) faults.add(`the pair is left with info ${state.info.toString(16)}`);
    else if (plan.query === 'contacts' && (state.info & INFO_HAS_POINTS) !== 0 && !state.hasFeatures)
      faults.add('a contact has no features');
    if (plan.query === 'manifolds' && !state.hasManifold) faults.add('no kernel writes the manifold');
  }
  for (const steps of [plan.steps, plan.fallbackSteps]) faultsOfRooms(steps).forEach((fault) => faults.add(fault));
  return [...faults];
}

function pendingBits({ query }: Plan): number {
  if (query === 'impacts') return WAITING;
  return INFO_PENDING_GJK | INFO_PENDING_EPA | INFO_PENDING_ARCS | INFO_PENDING_REFINE;
}

interface Walk {
  plan: Plan;
  kinds: KindPair;
  satDecides: boolean;
  faults: Set<string>;
}

function walk({ plan, kinds, satDecides, faults }: Walk, steps: readonly Step[], from: PairState[]): PairState[] {
  const isRead = (list: WorkList): boolean => steps.some((step) => step.step === 'kernel' && step.reads === list);
  let states = from;
  for (const step of steps) {
    if (step.step === 'list') states = states.map((state) => listed(plan, step, kinds, state, faults));
    else states = unique(states.flatMap((state) => ran(step, { kinds, satDecides }, state, isRead)));
  }
  return states;
}

function listed(
  { classes }: Plan,
  { mask, into, classCount }: ListStep,
  kinds: KindPair,
  state: PairState,
  faults: Set<string>,
): PairState {
  if (mask !== 0 && state.info === undefined) faults.add(`the list ${into} is made before the record is written`);
  const lists = new Map(state.lists);
  lists.delete(into);
  if (mask === 0 || ((state.info ?? mask) & mask) !== 0)
    lists.set(into, classCount > 1 ? classOfKinds(classes, kinds) : 0);
  return { ...state, lists };
}

function ran(
  { variant: { kernel, constants }, reads, appends = [], classes, ofManifolds }: KernelStep,
  pairs: Pick<Walk, 'kinds' | 'satDecides'>,
  state: PairState,
  isRead: (list: WorkList) => boolean,
): PairState[] {
  if (reads) {
    const pairClass = state.lists.get(reads);
    const [first, end] = classes!;
    if (pairClass === undefined || pairClass < first || pairClass >= end) return [state];
  }
  const appended = (at: number): WorkList | undefined => {
    const list = appends[at];
    return list && isRead(list) ? list : undefined;
  };
  return outcomes(kernel, { ...constants }, pairs, state, appended(0) !== undefined).map((outcome) => {
    const list = outcome.appendsTo === undefined ? undefined : appended(outcome.appendsTo);
    return {
      info: outcome.info,
      hasFeatures:
        outcome.storesFeatures ??
        (ofManifolds ? state.hasFeatures : kernel === 'contacts-features' && state.hasFeatures),
      hasManifold: outcome.storesManifold ?? state.hasManifold,
      lists: list ? new Map([...state.lists, [list, 0] as const]) : state.lists,
    };
  });
}

/** What a kernel may do with a pair that it takes, so far as its name and its first list tell. */
function outcomes(
  name: string,
  { HAS_FEATURES = 1, HAS_ARCS = 0, HAS_SAT = 0, IS_ROTATING = 0, PASSES_PARTING = 0 }: Record<string, number>,
  { kinds, satDecides }: Pick<Walk, 'kinds' | 'satDecides'>,
  { info = 0 }: PairState,
  hasFirstList: boolean,
): Outcome[] {
  const [query, stage] = name.split(/-(.*)/);
  if (query.startsWith('planar/') && query !== 'planar/impacts')
    return [{ info: INFO_HIT, storesFeatures: true, storesManifold: true }];
  const isContact = query === 'contacts';
  const answers: Outcome[] = [
    { info: 0 },
    { info: isContact ? CONTACT : INFO_HIT, ...(HAS_FEATURES === 1 && { storesFeatures: true }) },
  ];
  const withoutFeatures: Outcome[] = [{ info: 0 }, { info: isContact ? CONTACT : INFO_HIT }];
  const pending: Outcome = { info: INFO_PENDING_GJK, appendsTo: 0 };
  const epa: Outcome = { info: INFO_PENDING_EPA, appendsTo: 0 };
  const areBoxes = kinds.every((kind) => kind === CORE_BOX);
  const haveArcs = Math.max(...kinds) >= CORE_BOX && Math.max(...kinds) <= CORE_HULL;
  const isHit = (info & INFO_HIT) !== 0;
  switch (query.endsWith('impacts') ? 'impacts' : stage) {
    case 'closed':
      return [
        answers[0],
        { ...answers[1], appendsTo: 1 },
        ...(HAS_SAT === 1 && areBoxes && !satDecides ? [pending] : []),
      ];
    case 'newton':
      return [...answers, pending];
    case 'mpr':
      return [withoutFeatures[0], { ...withoutFeatures[1], appendsTo: 1 }, pending];
    case 'gjk': {
      const contact = { ...withoutFeatures[1], appendsTo: 2 };
      return isContact
        ? [{ info: 0 }, contact, { ...epa, appendsTo: haveArcs && hasFirstList ? 0 : 1 }]
        : withoutFeatures;
    }
    case 'arcs':
      return [{ info }];
    case 'arcs-points':
      return [
        ...withoutFeatures,
        // A pair that EPA left takes the normal of its arcs in any case.
        ...((info & INFO_PENDING_ARCS) === 0
          ? [epa, { ...epa, appendsTo: 1 }]
          : [
              { info, appendsTo: 0 },
              { info: INFO_PENDING_EPA | INFO_PENDING_ARCS, appendsTo: 1 },
            ]),
        { info: INFO_PENDING_EPA | INFO_PENDING_ARCS, appendsTo: 0 },
      ];
    case 'epa':
      if (areCurved(kinds)) return [...withoutFeatures, { info: INFO_PENDING_REFINE, appendsTo: 1 }];
      if (HAS_ARCS === 0 || (info & INFO_PENDING_ARCS) !== 0) return withoutFeatures;
      return [...withoutFeatures, { info: INFO_PENDING_ARCS, appendsTo: 0 }];
    case 'epa-compact':
      return [...withoutFeatures, epa];
    case 'refine':
      return [...withoutFeatures, pending];
    case 'outside':
      return withoutFeatures;
    case 'features':
      return [{ info, ...((info & INFO_HAS_POINTS) !== 0 && { storesFeatures: true }) }];
    case 'none':
      return [{ info, ...(!isHit && { storesManifold: true }) }];
    case 'boxes':
    case undefined:
      return [{ info, ...(isHit && { storesManifold: true }) }];
    case 'impacts': {
      const open: Outcome[] = stage === 'epa' ? [{ info: WAITING, appendsTo: 2 }] : [];
      const rotating: Outcome[] = IS_ROTATING === 1 && stage !== 'rotating' ? [{ info: WAITING, appendsTo: 0 }] : [];
      const parting: Outcome[] =
        PASSES_PARTING === 1 && query === 'impacts' && !['parting', 'rotating'].includes(stage)
          ? [{ info: INFO_HIT | WAITING, appendsTo: 1 }]
          : [];
      return [...withoutFeatures, ...open, ...rotating, ...parting];
    }
    default:
      throw new Error(`it is not known what ${name} does with a pair`);
  }
}

function unique(states: readonly PairState[]): PairState[] {
  return [
    ...new Map(states.map((state) => [JSON.stringify({ ...state, lists: [...state.lists].sort() }), state])).values(),
  ];
}

/** Lists that use the same room at the same time. */
function faultsOfRooms(steps: readonly Step[]): string[] {
  const places = placeWorkLists(steps, 1);
  const uses = new Map<WorkList, { first: number; last: number }>();
  steps.forEach((step, i) => {
    const lists = step.step === 'list' ? [step.into] : [step.reads, ...(step.appends ?? [])];
    for (const list of lists) if (list) uses.set(list, { first: uses.get(list)?.first ?? i, last: i });
  });
  const kept = [...uses].filter(([list]) => places.has(list));
  return kept.flatMap(([a, of], i) =>
    kept
      .slice(i + 1)
      .filter(([b, { first, last }]) => {
        const [one, other] = [places.of(a), places.of(b)];
        if (one.countWord === other.countWord) return true;
        return one.firstEntry === other.firstEntry && first <= of.last && of.first <= last;
      })
      .map(([b]) => `the lists ${a} and ${b} share memory`),
  );
}
