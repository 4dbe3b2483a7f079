/**
 * The kinds of pairs that queries had so far, by the form of the query, and the plan for all of them. Once a kind is seen,
 * every query of that form can answer it without a look at its pairs before. When shapes are removed, kinds of which none
 * is left are forgotten if the kernels for the other kinds are compiled.
 */
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';
import { includesKinds, type KindPair, type PairFacts } from './classes.ts';
import type { Kernels } from './kernels.ts';
import { variantsOfSteps } from './passes.ts';
import type { PlanForm, Planner } from './planner.ts';
import { queryPasses, type Plan } from './steps.ts';

/** The present shapes, and how many shapes were removed so far. */
export type PresentShapes = Pick<ShapeTable, 'removals'> & { readonly shapes: readonly (ShapeBase | undefined)[] };

export interface SeenPairs {
  /** The pairs of queries of one form, over bodies with these shapes. */
  of(planner: Planner, form: PlanForm, table: PresentShapes): SeenOfForm;
}

export interface SeenOfForm {
  /** Whether no pairs were seen, or all of them were of shapes that are gone. */
  readonly isEmpty: boolean;
  /** The plan for these pairs and all that were seen. */
  planWith(facts: PairFacts): Plan;
  /** Keeps that these pairs were seen. To be called once the plan for them is compiled. */
  add(facts: PairFacts): void;
}

/** What was seen of queries of one form. */
interface Seen {
  plan: Plan;
  kinds: readonly KindPair[];
  /** One shape of each key (`Planner.keyOf`). */
  shapes: ReadonlyMap<string, ShapeBase>;
  /** Shapes whose keys are known to be among these. */
  known: WeakSet<ShapeBase>;
  /** `ShapeTable.removals` when this was last compared with the table. */
  removals: number;
}

/** Queries of one form. */
interface SeenQuery {
  planner: Planner;
  form: PlanForm;
  table: PresentShapes;
}

/** `Planner.keyOf` of each shape. */
const keys = new WeakMap<ShapeBase, string>();

function keyOf(planner: Planner, shape: ShapeBase): string {
  const key = keys.get(shape) ?? planner.keyOf(shape);
  keys.set(shape, key);
  return key;
}

export function createSeenPairs(kernels: Pick<Kernels, 'has'>): SeenPairs {
  const seen = new Map<string, Seen>();
  return {
    of(planner, form, table) {
      const name = nameOf(form);
      const query: SeenQuery = { planner, form, table };
      const all = seen.get(name);
      const before = all && withoutRemoved(query, all, kernels);
      if (before) seen.set(name, before);
      else seen.delete(name);
      return {
        isEmpty: !before,
        planWith: (facts) => joined(query, facts, before).plan,
        add: (facts) => void seen.set(name, joined(query, facts, seen.get(name))),
      };
    },
  };
}

/** What is seen once these pairs are, too. */
function joined(query: SeenQuery, facts: PairFacts, before?: Seen): Seen {
  if (before && isCovered(query, facts, before)) return before;
  const shapes = new Map(before?.shapes);
  for (const shape of facts.shapes) shapes.set(keyOf(query.planner, shape), shape);
  const { kinds } = united({ kinds: before?.kinds ?? [], shapes: [] }, facts);
  const sorted = [...kinds].sort(([a, b], [c, d]) => a - c || b - d);
  const plan = query.planner.plan({ ...query.form, kinds: sorted, shapes: [...shapes.values()] });
  const removals = Math.max(query.table.removals, before?.removals ?? 0);
  return { plan, kinds: sorted, shapes, known: new WeakSet(), removals };
}

/**
 * What was seen of kinds that are still present, if the kernels for these alone are compiled. Otherwise all that was seen:
 * its plan is still valid, and compiled. Undefined if no kind is present any more.
 */
function withoutRemoved(query: SeenQuery, before: Seen, kernels: Pick<Kernels, 'has'>): Seen | undefined {
  const { removals } = query.table;
  if (before.removals >= removals) return before;
  const facts = presentFacts(query, before);
  if (facts.kinds.length === 0) return undefined;
  const less = joined(query, facts);
  return kernels.has(variantsOfSteps(queryPasses(less.plan)[0])) ? less : { ...before, removals };
}

/** The pairs of kinds that the table has, with the shapes of each kind that are like those seen, or else all of the kind. */
function presentFacts({ planner, table }: SeenQuery, { kinds, shapes }: Seen): PairFacts {
  const present = table.shapes.filter((shape) => shape !== undefined);
  const isPresent = new Set(present.map(({ kind }) => kind));
  const alike = present.filter((shape) => shapes.has(keyOf(planner, shape)));
  const areAlike = new Set(alike.map(({ kind }) => kind));
  const wasSeen = new Set(kinds.flat());
  return {
    kinds: kinds.filter(([a, b]) => isPresent.has(a) && isPresent.has(b)),
    shapes: [...alike, ...present.filter(({ kind }) => wasSeen.has(kind) && !areAlike.has(kind))],
  };
}

/** The pairs of both, each of their kinds once. */
export function united(a: PairFacts, b: PairFacts): PairFacts {
  return {
    kinds: [...a.kinds, ...b.kinds.filter((pair) => !includesKinds(a.kinds, pair))],
    shapes: [...new Set([...a.shapes, ...b.shapes])],
  };
}

/** What a plan depends on besides the adapter, the kinds and the shapes. Plans are the same for all margins above 0. */
function nameOf({ adapter: _adapter, margin, ...form }: PlanForm): string {
  return JSON.stringify({ ...form, hasMargin: margin > 0 });
}

function isCovered({ planner }: SeenQuery, { kinds, shapes }: PairFacts, seen: Seen): boolean {
  if (!kinds.every((pair) => includesKinds(seen.kinds, pair))) return false;
  for (const shape of shapes) {
    if (seen.known.has(shape)) continue;
    if (!seen.shapes.has(keyOf(planner, shape))) return false;
    seen.known.add(shape);
  }
  return true;
}
