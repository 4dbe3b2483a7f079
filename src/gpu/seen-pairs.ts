/**
 * The kinds of pairs that queries had so far, by the form of the query, and the plan for all of them. Both only grow: once
 * a kind is seen, every query of that form can answer it without a look at its pairs before. More shapes only add to a
 * plan, so removed shapes do not matter.
 */
import type { ShapeBase } from '../shapes/shape-table.ts';
import { areOneKind, includesKinds, type KindPair, type PairFacts } from './classes.ts';
import { makePlan, type FormRequest, type Planner, type PlanRequest } from './planner.ts';
import type { Plan } from './steps.ts';

export interface SeenPairs {
  /**
   * Pairs that may be assumed of a query of this form before its own are known, besides those that were seen: none if there
   * were some, otherwise all pairs of `shapes` if these are of one kind. Undefined if nothing is known.
   */
  assumed(form: FormRequest, shapes: readonly (ShapeBase | undefined)[]): PairFacts | undefined;
  /** The plan for these pairs and all that queries of this form had. */
  planWith(planner: Planner, form: FormRequest, facts: PairFacts): Plan;
  /** Keeps that these pairs were seen. To be called once the plan for them is compiled. */
  add(planner: Planner, form: FormRequest, facts: PairFacts): void;
}

/** What queries of one form had. */
interface Seen {
  plan: Plan;
  kinds: readonly KindPair[];
  /** One shape of each key (`Planner.keyOf`). */
  shapes: ReadonlyMap<string, ShapeBase>;
  /** Shapes whose keys are known to be among these. */
  known: WeakSet<ShapeBase>;
}

export function createSeenPairs(): SeenPairs {
  const forms = new Map<string, Seen>();

  /** What is seen once these pairs are, too. */
  function joined(planner: Planner, request: PlanRequest): Seen {
    const before = forms.get(keyOf(request));
    if (before && isCovered(planner, request, before)) return before;
    const shapes = new Map(before?.shapes);
    for (const shape of request.shapes) if (shape) shapes.set(planner.keyOf(shape), shape);
    const kinds = [
      ...(before?.kinds ?? []),
      ...request.kinds.filter((pair) => !before || !includesKinds(before.kinds, pair)),
    ];
    kinds.sort(([a, b], [c, d]) => a - c || b - d);
    const plan = makePlan(planner, { ...request, kinds, shapes: [...shapes.values()] });
    return { plan, kinds, shapes, known: new WeakSet() };
  }

  const planWith = (planner: Planner, form: FormRequest, facts: PairFacts): Plan =>
    joined(planner, { ...form, ...facts }).plan;

  return {
    assumed(form, shapes) {
      if (forms.has(keyOf(form))) return { kinds: [], shapes: [] };
      const all = shapes.filter((shape) => shape !== undefined);
      return areOneKind(all) ? { kinds: [[all[0].kind, all[0].kind]], shapes: all } : undefined;
    },
    planWith,
    add(planner, form, facts) {
      forms.set(keyOf(form), joined(planner, { ...form, ...facts }));
    },
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
function keyOf(request: FormRequest & { kinds?: unknown; shapes?: unknown }): string {
  const { kinds: _kinds, shapes: _shapes, adapter: _adapter, margin, ...form } = request;
  return JSON.stringify({ ...form, hasMargin: margin > 0 });
}

function isCovered(planner: Planner, { kinds, shapes }: Pick<PlanRequest, 'kinds' | 'shapes'>, seen: Seen): boolean {
  if (!kinds.every((pair) => includesKinds(seen.kinds, pair))) return false;
  for (const shape of shapes) {
    if (!shape || seen.known.has(shape)) continue;
    if (!seen.shapes.has(planner.keyOf(shape))) return false;
    seen.known.add(shape);
  }
  return true;
}
