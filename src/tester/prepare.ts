/** Loads and compiles what queries over the present shapes need, whatever pairs of them come. */
import { invalidInput } from '../api/errors.ts';
import type { PrepareOptions } from '../api/prepare.ts';
import { CORE_PARTS } from '../generated/constants.ts';
import type { Backend, PrepareRequest } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { resultFields } from '../request/fields.ts';
import { expectQueryOptions, readPreparedQuery, type PreparedQuery } from '../request/prepare-request.ts';
import { expectDuration } from '../request/validate.ts';
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';

/** Parts of the package that a query may need besides its kernels. */
export interface Doors {
  rayCasts(): Promise<unknown>;
  broadPhase(): Promise<unknown>;
  escalation(): Promise<unknown>;
  parts(): Promise<unknown>;
  trianglePairs(): Promise<unknown>;
}

/** `table` is a snapshot of the tester's shapes. Rejects with `INVALID_INPUT` for wrong options. */
export async function prepare(
  options: PrepareOptions,
  table: ShapeTable,
  dimension: Dimension,
  backend: Backend,
  doors: Doors,
): Promise<void> {
  expectQueryOptions(options);
  if (options.query === 'findPairs') return prepareToFind(options, backend, doors);
  if (options.query === 'trianglePairs') {
    resultFields('trianglePairs', 3, options);
    await doors.trianglePairs();
    return;
  }
  const query = readPreparedQuery(options, dimension);
  const { castsRays } = query;
  const hasParts = table.shapes.some((shape) => shape?.kind === CORE_PARTS);
  const compile = async (): Promise<void> => {
    for (const request of requestsFor(query, table, hasParts)) await backend.prepare(request);
  };
  await Promise.all([
    compile(),
    castsRays && doors.rayCasts(),
    castsRays && doors.broadPhase(),
    query.escalates && doors.escalation(),
    hasParts && doors.parts(),
  ]);
}

async function prepareToFind(options: PrepareOptions, backend: Backend, { broadPhase }: Doors): Promise<void> {
  const { margin = 0, duration = 0, float64Positions: hasFixedPoint = false } = options;
  if (!(typeof margin === 'number' && margin >= 0 && margin < Infinity))
    invalidInput('options.margin', margin, 'a finite number of at least 0');
  expectDuration('options.duration', duration);
  await Promise.all([broadPhase(), backend.prepareToFind?.({ hasFixedPoint })]);
}

/**
 * The requests to prepare, for pairs of convex bodies: of a query over convex bodies alone, and of one with compounds and
 * meshes among them.
 */
function requestsFor(query: PreparedQuery, { shapes: table, removals }: ShapeTable, hasParts: boolean) {
  const { isOnlySat, castsRays } = query;
  // The ball that represents rays is the last shape of a snapshot.
  const ball = table[table.length - 1]!;
  const convex = table
    .slice(0, -1)
    .filter((shape): shape is ShapeBase => shape !== undefined && shape.kind !== CORE_PARTS)
    .filter(({ takesSat }) => takesSat || !isOnlySat);
  const kinds = castsRays ? pairsOf(convex, [ball]) : pairsOf(convex, convex);
  const alone: PrepareRequest = { ...query, removals, shapes: castsRays ? [...convex, ball] : convex, kinds };
  if (kinds.length === 0) return [];
  if (!hasParts || castsRays) return [alone];
  return [alone, { ...alone, isWarm: false, form: { type: 'records', slots: 'all' } as const }];
}

/** The kinds of pairs of these shapes, each once. */
function pairsOf(shapesA: readonly ShapeBase[], shapesB: readonly ShapeBase[]): [number, number][] {
  return kindsOf(shapesA).flatMap((a) => kindsOf(shapesB).map((b): [number, number] => [a, b]));
}

function kindsOf(shapes: readonly ShapeBase[]): number[] {
  return [...new Set(shapes.map(({ kind }) => kind))];
}
