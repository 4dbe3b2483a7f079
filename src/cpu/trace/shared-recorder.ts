/** The part of a recorder that is the same in 3-D and 2-D. */
import type {
  AdvanceState,
  AdvanceStep,
  CastEndStep,
  CastStep,
  ClosedFormStep,
  GjkEndStep,
  GjkStep,
  MprEndStep,
  MprStep,
  TraceSupport,
} from './steps.ts';

/** Methods for searches of both dimensions. `Vector`, `Point` and `Simplex` are the types that these searches use. */
export interface SharedRecorder<Pair, Vector, Point, Simplex> {
  closedForm(pair: Pair, found: { normal: Vector; lower: number; upper: number; onA: Vector; onB: Vector }): void;
  /** The support that is lowest along the normal, and its height along it, before the simplex takes it. */
  gjk(
    pair: Pair,
    normal: Vector,
    support: Point,
    height: number,
    result: { iterations: number; lower: number; upper: number; simplex: Simplex },
  ): void;
  gjkEnd(result: { state: number; normal: Vector; lower: number; upper: number; simplex: Simplex }): void;
  /** The support of the search's direction, before the portal takes it, and the vertices that the portal has so far. */
  mpr(
    pair: Pair,
    search: { phase: number; direction: Vector; inside: Vector; ray: Vector },
    support: Point,
    vertices: readonly Point[],
    iteration: number,
  ): void;
  mprEnd(pair: Pair, result: { state: number; normal: Vector; lower: number }): void;
  cast(
    pair: Pair,
    normal: Vector,
    support: Point,
    separation: number,
    result: { iterations: number; travelled: number },
  ): void;
  castEnd(pair: Pair, result: { state: number; travelled: number; normal: Vector }): void;
  /** The normal is in world axes. */
  advance(pair: Pair, time: number, separation: number, normal: Vector, state: number): void;
}

/** Functions of one dimension that turn a search's quantities into those of steps. `Written` is a vector of a step. */
export interface Writers<Pair, Vector, Point, Simplex, Written> {
  /** Sets the pair of the search. Its unit is that of all lengths. Called before the other functions. */
  begin(pair: Pair): void;
  length(x: number): number;
  unit(vector: Vector): Written;
  /** A point of the difference, and one of a body, which pairs have from A's middle. */
  point(position: Vector): Written;
  place(position: Vector): Written;
  support(point: Point): TraceSupport<Written>;
  simplexOf(simplex: Simplex): GjkEndStep<Written>['simplex'];
  /** Names of the searches' phases and states. */
  states: {
    mprPhase: Record<number, MprStep['phase']>;
    gjk: Record<number, GjkEndStep['outcome']>;
    mpr: Record<number, MprEndStep['outcome']>;
    cast: Record<number, CastEndStep['outcome']>;
    advance: Record<number, AdvanceState>;
  };
}

type SharedStep<Written> =
  | ClosedFormStep<Written>
  | MprStep<Written>
  | GjkStep<Written>
  | GjkEndStep<Written>
  | MprEndStep<Written>
  | CastStep<Written>
  | CastEndStep<Written>
  | AdvanceStep<Written>;

export function createSharedRecorder<Pair, Vector, Point, Simplex, Written>(
  steps: { push(step: SharedStep<Written>): unknown },
  writers: Writers<Pair, Vector, Point, Simplex, Written>,
): SharedRecorder<Pair, Vector, Point, Simplex> {
  const { begin, length, unit, point, place, support, simplexOf, states } = writers;
  return {
    closedForm(pair, { normal, lower, upper, onA, onB }) {
      begin(pair);
      steps.push({
        type: 'closed-form',
        normal: unit(normal),
        lower: length(lower),
        upper: length(upper),
        onA: place(onA),
        onB: place(onB),
      });
    },
    gjk(pair, normal, next, height, { iterations, lower, upper, simplex }) {
      begin(pair);
      steps.push({
        type: 'gjk',
        iteration: iterations,
        direction: unit(normal),
        support: support(next),
        height: length(height),
        simplex: simplexOf(simplex),
        lower: length(lower),
        upper: length(upper),
      });
    },
    gjkEnd({ state, normal, lower, upper, simplex }) {
      steps.push({
        type: 'gjk-end',
        outcome: states.gjk[state],
        normal: unit(normal),
        lower: length(lower),
        upper: length(upper),
        simplex: simplexOf(simplex),
      });
    },
    mpr(pair, { phase, direction, inside, ray }, next, vertices, iteration) {
      begin(pair);
      steps.push({
        type: 'mpr',
        iteration,
        phase: states.mprPhase[phase],
        direction: unit(direction),
        support: support(next),
        inside: point(inside),
        ray: unit(ray),
        portal: vertices.map(support),
      });
    },
    mprEnd(pair, { state, normal, lower }) {
      begin(pair);
      steps.push({ type: 'mpr-end', outcome: states.mpr[state], normal: unit(normal), lower: length(lower) });
    },
    cast(pair, normal, next, separation, { iterations, travelled }) {
      begin(pair);
      steps.push({
        type: 'cast',
        iteration: iterations,
        travelled: length(travelled),
        direction: unit(normal),
        support: support(next),
        separation: length(separation),
      });
    },
    castEnd(pair, { state, travelled, normal }) {
      begin(pair);
      const outcome = states.cast[state];
      steps.push({ type: 'cast-end', outcome, travelled: length(travelled), normal: unit(normal) });
    },
    advance(pair, time, separation, normal, state) {
      begin(pair);
      steps.push({
        type: 'advance',
        time,
        separation: length(separation),
        normal: unit(normal),
        state: states.advance[state],
      });
    },
  };
}
