/**
 * The kinds of pairs that queries had so far, by the form of the query, and the plan for all of them. Both grow: once a
 * kind is seen, every query of that form can answer it without a look at its pairs before. They only shrink when shapes
 * are removed, to what the other shapes need.
 */
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';
import { areOneKind, includesKinds, type KindPair, type PairFacts } from './classes.ts';
import { makePlan, type FormRequest, type Planner } from './planner.ts';
import type { Plan } from './steps.ts';

/** The shapes that there are, and how many were removed before. */
type Shapes = Pick<ShapeTable, 'removals'> & { readonly shapes: readonly (ShapeBase | undefined)[] };

export interface SeenPairs {
  /** The pairs of queries of one form. */
  of(planner: Planner, form: FormRequest, table: Shapes): SeenOfForm;
}

export interface SeenOfForm {
  /**
   * Pairs that may be assumed of a query before its own are known, besides those that were seen: none if there were some,
   * otherwise all pairs of `shapes` if these are of one kind. Undefined if nothing is known.
   */
  assumed(shapes: readonly (ShapeBase | undefined)[]): PairFacts | undefined;
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
  /** Of the table of shapes that this is for. */
  removals: number;
}

export function createSeenPairs(): SeenPairs {
  const forms = new Map<string, Seen>();
  return {
    of(planner, form, table) {
      const key = keyOf(form);
      const before = forms.get(key);
      if (before && before.removals !== table.removals) {
        const facts = factsOfTable(planner, before, table);
        if (facts.kinds.length > 0) forms.set(key, joined(planner, form, facts, table));
        else forms.delete(key);
      }
      const seenWith = (facts: PairFacts): Seen => joined(planner, form, facts, table, forms.get(key));
      return {
        assumed(shapes) {
          if (forms.has(key)) return { kinds: [], shapes: [] };
          const all = shapes.filter((shape) => shape !== undefined);
          return areOneKind(all) ? { kinds: [[all[0].kind, all[0].kind]], shapes: all } : undefined;
        },
        planWith: (facts) => seenWith(facts).plan,
        add: (facts) => void forms.set(key, seenWith(facts)),
      };
    },
  };
}

/** What is seen once these pairs are, too. */
function joined(planner: Planner, form: FormRequest, facts: PairFacts, table: Shapes, before?: Seen): Seen {
  if (before && isCovered(planner, facts, before)) return before;
  const shapes = new Map(before?.shapes);
  for (const shape of facts.shapes) shapes.set(planner.keyOf(shape), shape);
  const { kinds } = united({ kinds: before?.kinds ?? [], shapes: [] }, facts);
  const sorted = [...kinds].sort(([a, b], [c, d]) => a - c || b - d);
  const plan = makePlan(planner, { ...form, kinds: sorted, shapes: [...shapes.values()] });
  return { plan, kinds: sorted, shapes, known: new WeakSet(), removals: table.removals };
}

/** What was seen of shapes like those that the table has. */
function factsOfTable(planner: Planner, { kinds, shapes }: Seen, table: Shapes): PairFacts {
  const present = table.shapes.filter((shape) => shape !== undefined);
  const keys = new Set(present.map((shape) => planner.keyOf(shape)));
  const ofKind = new Set(present.map(({ kind }) => kind));
  return {
    kinds: kinds.filter(([a, b]) => ofKind.has(a) && ofKind.has(b)),
    shapes: [...shapes].filter(([key]) => keys.has(key)).map(([, shape]) => shape),
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
function keyOf({ adapter: _adapter, margin, ...form }: FormRequest): string {
  return JSON.stringify({ ...form, hasMargin: margin > 0 });
}

function isCovered(planner: Planner, { kinds, shapes }: PairFacts, seen: Seen): boolean {
  if (!kinds.every((pair) => includesKinds(seen.kinds, pair))) return false;
  for (const shape of shapes) {
    if (seen.known.has(shape)) continue;
    if (!seen.shapes.has(planner.keyOf(shape))) return false;
    seen.known.add(shape);
  }
  return true;
}
