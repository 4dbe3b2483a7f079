/** `tester.createBodies`: bodies whose arrays are copied once, and checked and uploaded when they change. */
import type { BodyData, ResidentBodies } from '../api/bodies.ts';
import { invalidInput } from '../api/errors.ts';
import type { AnyVelocities } from '../records/bodies.ts';
import { ensureResident, registerResident, type ResidentArrays, type ResidentState } from '../request/resident.ts';
import { greatestAngularSpeed, readMotion } from '../request/validate-motion.ts';
import type { Numbers } from '../util/arrays.ts';
import type { QueryScene } from './make-request.ts';

const VELOCITIES = ['linearVelocities', 'angularVelocities'] as const;

/** Throws `INVALID_INPUT` unless every body can be used. */
export function createResidentBodies(scene: QueryScene, given: unknown): ResidentBodies {
  const state: ResidentState = {
    arrays: { shapes: new Uint32Array(0), positions: new Float32Array(0) } as unknown as ResidentArrays,
    writes: new Map(),
    bodiesVersion: 0,
    motionVersion: 0,
    shapesVersion: -1,
    greatestSpeed: 0,
    readers: 0,
    isDisposed: false,
    onDispose: new Set(),
  };
  writeArrays(scene, state, given as ResidentArrays);
  const count = state.arrays.shapes.length;
  const dispose = (): void => {
    if (state.isDisposed) return;
    state.isDisposed = true;
    for (const free of state.onDispose) free();
    state.onDispose.clear();
  };
  const handle: ResidentBodies = {
    count,
    write(data: BodyData) {
      ensureResident('bodies', state);
      if (typeof data !== 'object' || data === null) invalidInput('data', data, 'an object with arrays of bodies');
      writeArrays(scene, state, mergedWith(state, data), count);
    },
    dispose,
    [Symbol.dispose]: dispose,
  };
  registerResident(handle, state, scene);
  return handle;
}

/** The handle's arrays with those of `data` in their place. Matrices stand for positions, rotations and scales. */
function mergedWith({ arrays }: ResidentState, data: BodyData): ResidentArrays {
  const given = Object.fromEntries(Object.entries(data).filter(([, array]) => array !== undefined));
  if (!('matrices' in given)) return { ...arrays, ...given } as ResidentArrays;
  const { shapes, linearVelocities, angularVelocities } = arrays;
  return { shapes, linearVelocities, angularVelocities, ...given } as unknown as ResidentArrays;
}

/** Checks the arrays, and copies those that are not the handle's own. Nothing is copied if anything is wrong. */
function writeArrays(
  { shapes: table, dimension }: QueryScene,
  state: ResidentState,
  given: ResidentArrays,
  count?: number,
): void {
  const { bodies, check } = dimension.readBodies(given, table);
  const found = bodies.shapes.length;
  if (count !== undefined && found !== count)
    invalidInput('bodies.shapes.length', found, `${count}, as createBodies had so many`);
  check();
  const { linearVelocities, angularVelocities } = (given ?? {}) as Partial<AnyVelocities>;
  if (linearVelocities !== undefined || angularVelocities !== undefined)
    readMotion(given as AnyVelocities, 0, found, dimension).check();
  const next = {
    ...bodies,
    ...(linearVelocities && { linearVelocities }),
    ...(angularVelocities && { angularVelocities }),
  };
  for (const [name, array] of Object.entries(next)) if (array !== undefined) keep(state, name, array as Numbers);
  state.shapesVersion = table.version;
  state.greatestSpeed = greatestAngularSpeed(angularVelocities, dimension.angularComponents);
}

/** Copies an array into the handle's, unless it is the handle's. */
function keep(state: ResidentState, name: string, given: Numbers): void {
  const arrays = state.arrays as unknown as Record<string, Numbers | undefined>;
  const own = arrays[name];
  if (own === given) return;
  if (own && state.readers === 0 && own.constructor === given.constructor && own.length === given.length)
    own.set(given);
  else state.arrays = { ...state.arrays, [name]: given.slice() } as ResidentArrays;
  state.writes.set(name, (state.writes.get(name) ?? 0) + 1);
  if ((VELOCITIES as readonly string[]).includes(name)) state.motionVersion++;
  else state.bodiesVersion++;
}
