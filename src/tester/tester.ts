/** A tester: shapes, and everything that may be asked of bodies that have them. */
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { MassProperties, ShapeGeometry } from '../api/geometry.ts';
import type { NumberList } from '../api/shapes.ts';
import type { PrepareOptions, Tester } from '../api/types.ts';
import type { AnswerPair } from '../cpu/asked-pairs.ts';
import type { Backend } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { createWarmStart } from '../request/warm-start.ts';
import { addShape, createShapeTable, removeShape, replaceShape, shapeOf, snapshotOf } from '../shapes/shape-table.ts';
import { door } from '../util/door.ts';
import { createBatches } from './batches.ts';
import type { TesterContext } from './context.ts';
import { readScene } from './make-request.ts';
import { createQueries, loadParts, type Queries } from './queries.ts';
import { createQueryQueue } from './query-queue.ts';
import { createResidentBodies } from './resident-bodies.ts';
import { createSearches, loadBroadPhase, loadPartImpacts, loadTrianglePairs, type Searches } from './searches.ts';

const loadPrepare = door('prepare', async () => (await import('./prepare.ts')).prepare);
const loadCapture = door('captures', async () => (await import('./capture.ts')).capture);

/**
 * A tester on a backend, for bodies of this dimension. Queries run one after the other, in the order of their calls.
 * The types here are the types of 3-D; `dimension` has everything that differs in 2-D.
 */
export function makeTester(
  backend: Backend,
  dimension: Dimension,
  loadReference: () => Promise<AnswerPair>,
  createCpu: () => Promise<Backend>,
): Tester {
  const shapes = createShapeTable();
  let isDisposed = false;

  function ensureOpen(): void {
    if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
  }

  const inTurn = createQueryQueue(ensureOpen);
  /** Queries run one after the other, so only one is opened. */
  let cpu: Backend | undefined;
  const loadCpu = async (): Promise<Backend> => (backend.name === 'cpu' ? backend : (cpu ??= await createCpu()));
  const context: TesterContext = { backend, dimension, shapes, inTurn, ensureOpen, loadReference, loadCpu };
  const queries = createQueries(context);
  const { query, impacts } = queries;
  const searches = createSearches(context, queries);
  const batches = createBatches(context);

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    batches.dispose();
    backend.dispose();
    cpu?.dispose();
  }

  const tester: Tester = {
    get backend() {
      return backend.name;
    },
    get fallback() {
      return backend.fallback ?? cpu?.fallback;
    },
    // As for all types here.
    dimension: dimension.dimension as 3,
    get adapter() {
      return backend.adapter;
    },
    get limits() {
      return backend.limits;
    },
    get timings() {
      return { ...backend.timings };
    },
    addShape(description) {
      ensureOpen();
      return addShape(shapes, description, dimension);
    },
    removeShape(id) {
      ensureOpen();
      removeShape(shapes, id);
    },
    updateMesh(id, positions) {
      ensureOpen();
      updateMesh(context, id, positions);
    },
    massProperties(id) {
      ensureOpen();
      return dimension.massProperties(shapeOf(shapes, id), id) as MassProperties;
    },
    shapeGeometry(id) {
      ensureOpen();
      return dimension.shapeGeometry(shapeOf(shapes, id), id) as ShapeGeometry;
    },
    createBodies(given) {
      ensureOpen();
      return createResidentBodies(context, given);
    },
    intersects: (bodies, pairs, options) => query('intersects', bodies, pairs, options),
    distances: (bodies, pairs, options) => query('distances', bodies, pairs, options),
    contacts: (bodies, pairs, options) => query('contacts', bodies, pairs, options),
    manifolds: (bodies, pairs, options) => query('manifolds', bodies, pairs, options),
    impacts,
    trianglePairs: searches.trianglePairs,
    rayCasts: searches.rayCasts,
    findPairs: searches.findPairs,
    prepare: (options) => prepare(context, queries, searches, options),
    async capture(bodies, pairs, index, options) {
      ensureOpen();
      const capture = await loadCapture();
      ensureOpen();
      const scene = { ...readScene(context, bodies, pairs), given: bodies, pairs };
      return capture(tester, shapes, scene, index, options) as Promise<never>;
    },
    createWarmStart(maxPairs) {
      ensureOpen();
      expectWarmStarts(dimension);
      return createWarmStart(maxPairs);
    },
    createBatch: batches.createBatch,
    dispose,
    [Symbol.dispose]: dispose,
  };
  return tester;
}

function expectWarmStarts({ dimension, takesWarmStart }: Dimension): void {
  const expected = '3 for createWarmStart: searches in the plane start anew each time';
  if (!takesWarmStart) invalidInput('options.dimension', dimension, expected);
}

function updateMesh({ dimension, shapes }: TesterContext, id: number, positions: NumberList): void {
  replaceShape(shapes, id, dimension.moveMesh(shapeOf(shapes, id), id, positions));
}

function prepare(
  context: TesterContext,
  { loadEscalation }: Queries,
  { openRayCasts }: Searches,
  options: PrepareOptions,
): Promise<void> {
  const { backend, dimension, shapes, inTurn, loadReference } = context;
  return inTurn('prepare', options as object, () => {
    const given = { ...options };
    const table = snapshotOf(shapes, dimension);
    return async () => {
      const prepareQuery = await loadPrepare();
      const broadPhase = (): Promise<unknown> => loadBroadPhase(dimension);
      const doors = {
        rayCasts: () => Promise.all([openRayCasts(), loadReference()]),
        broadPhase,
        escalation: loadEscalation,
        parts: () => Promise.all([loadParts(dimension), loadPartImpacts(dimension), context.loadCpu()]),
        trianglePairs: loadTrianglePairs,
      };
      await prepareQuery(given, table, dimension, backend, doors);
    };
  });
}
