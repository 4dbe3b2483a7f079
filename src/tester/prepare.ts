/** Loads and compiles what queries over the present shapes need, whatever pairs of them come. */
import { invalidInput } from '../api/errors.ts';
import type { PrepareOptions } from '../api/prepare.ts';
import { CORE_HALFSPACE, CORE_PARTS } from '../generated/constants.ts';
import type { PartShapes } from '../parts/part-geometry.ts';
import type { Backend, PrepareRequest } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { resultFields } from '../request/fields.ts';
import { expectQueryOptions, readPreparedQuery, type PreparedQuery } from '../request/prepare-request.ts';
import { expectDuration } from '../request/validate.ts';
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';
import { door } from '../util/door.ts';

/** Parts of the package that a query may need besides its kernels. */
export interface Doors {
  rayCasts(): Promise<unknown>;
  broadPhase(): Promise<unknown>;
  escalation(): Promise<unknown>;
  parts(): Promise<unknown>;
  trianglePairs(): Promise<unknown>;
}

const loadGeometry = door('compounds and meshes', async (dimension: Dimension) =>
  (await import('../parts/load-geometry.ts')).loadPartGeometry(dimension),
);

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
  const parts = hasParts ? await partsIn(query, table, dimension) : undefined;
  const compile = async (): Promise<void> => {
    for (const request of requestsFor(query, table, parts)) await backend.prepare(request);
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

/** The shapes of parts. SAT takes none, and rays meet them on the caller's thread. */
async function partsIn(
  { isOnlySat, castsRays, motion }: PreparedQuery,
  { shapes }: ShapeTable,
  dimension: Dimension,
): Promise<PartShapes> {
  const { shapesOfParts } = await loadGeometry(dimension);
  if (isOnlySat || castsRays) return { placed: [], posed: [] };
  return shapesOfParts(shapes, motion?.isRotating === true);
}

/**
 * The requests to prepare: for pairs of parts, whose positions may be 64-bit numbers even if those of bodies are not, and
 * for pairs of convex bodies, which may also be among the pairs of parts. Those with the most kinds come first: plans of
 * the others are part of theirs.
 */
function requestsFor(query: PreparedQuery, { shapes: table, removals }: ShapeTable, parts: PartShapes | undefined) {
  const { listsParts, isOnlySat, castsRays, hasFixedPoint } = query;
  // The ball that represents rays is the last shape of a snapshot.
  const ball = table[table.length - 1]!;
  const convex = table
    .slice(0, -1)
    .filter((shape): shape is ShapeBase => shape !== undefined && shape.kind !== CORE_PARTS)
    .filter(({ takesSat }) => takesSat || !isOnlySat);
  const kinds = castsRays ? pairsOf(convex, [ball]) : pairsOf(convex, convex);
  const ofBodies: PrepareRequest = { ...query, removals, shapes: castsRays ? [...convex, ball] : convex, kinds };
  const requests: PrepareRequest[] = [];
  if (parts) {
    // Of other pairs of parts, the caller's thread finds the one that decides, and its answer.
    const all = listsParts || query.what.query === 'contacts';
    const ofParts = (found: readonly ShapeBase[], is64Bit: boolean): PrepareRequest => {
      const shapes = [...ofBodies.shapes, ...found];
      const planes = convex.filter(({ kind }) => kind === CORE_HALFSPACE);
      return {
        ...ofBodies,
        removals: undefined,
        isWarm: false,
        form: { type: 'records', slots: listsParts ? 'hits' : 'all' },
        hasFixedPoint: is64Bit,
        shapes,
        kinds: all ? pairsOf(shapes, shapes) : [...kinds, ...pairsOf(planes, found), ...pairsOf(found, planes)],
      };
    };
    const { placed, posed } = parts;
    if (!hasFixedPoint) requests.push(ofParts(posed, false));
    if (hasFixedPoint || placed.length > 0) requests.push(ofParts([...posed, ...placed], true));
  }
  requests.push(ofBodies);
  return requests.filter((request) => request.kinds.length > 0);
}

/** The kinds of pairs of these shapes, each once. */
function pairsOf(shapesA: readonly ShapeBase[], shapesB: readonly ShapeBase[]): [number, number][] {
  return kindsOf(shapesA).flatMap((a) => kindsOf(shapesB).map((b): [number, number] => [a, b]));
}

function kindsOf(shapes: readonly ShapeBase[]): number[] {
  return [...new Set(shapes.map(({ kind }) => kind))];
}
