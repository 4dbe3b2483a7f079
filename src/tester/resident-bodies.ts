/** `tester.createBodies`: bodies whose arrays are copied once, and checked and uploaded when they change. */
import type { BodyData, ResidentBodies } from '../api/bodies.ts';
import { invalidInput } from '../api/errors.ts';
import type { AnyVelocities } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import { PLANAR_BODIES, SPACE_BODIES } from '../request/options.ts';
import {
  disposeResident,
  ensureResident,
  makeResidentState,
  registerResident,
  type ResidentArrays,
  type ResidentState,
} from '../request/resident.ts';
import { readMotion } from '../request/validate-motion.ts';
import { allocate, type Numbers } from '../util/arrays.ts';
import type { QueryScene } from './make-request.ts';

const VELOCITIES: readonly string[] = ['linearVelocities', 'angularVelocities'];
const FILTERS: readonly string[] = ['groups', 'fixed'];

/** Arrays by name. Those that bodies don't have may be undefined. */
type NamedArrays = Record<string, Numbers | undefined>;

/** Throws `INVALID_INPUT` unless every body can be used. */
export function createResidentBodies(scene: QueryScene, given: unknown): ResidentBodies {
  const state = makeResidentState();
  writeArrays(scene, state, given as ResidentArrays);
  const count = state.arrays.shapes.length;
  const dispose = (): void => disposeResident(state);
  const handle: ResidentBodies = {
    count,
    write(data: BodyData) {
      ensureResident('bodies', state);
      if (typeof data !== 'object' || data === null) invalidInput('data', data, 'an object with arrays of bodies');
      writeArrays(scene, state, mergedWith(state, data, scene.dimension), count);
    },
    dispose,
    [Symbol.dispose]: dispose,
  };
  registerResident(handle, state, scene);
  return handle;
}

/** `data`, with the handle's arrays for those that it lacks. Matrices stand for positions, rotations and scales. */
function mergedWith({ arrays }: ResidentState, data: BodyData, { dimension }: Dimension): ResidentArrays {
  const names = dimension === 2 ? PLANAR_BODIES : SPACE_BODIES;
  const own = arrays as unknown as NamedArrays;
  // Own fields with unknown names are refused as the bodies are read.
  const merged: NamedArrays = { ...(data as NamedArrays) };
  for (const name of names) merged[name] ??= (data as NamedArrays)[name];
  const isPosed = merged.matrices === undefined;
  for (const name of names) {
    const isKept = isPosed || name === 'shapes' || VELOCITIES.includes(name) || FILTERS.includes(name);
    if (merged[name] === undefined && isKept) merged[name] = own[name];
  }
  return merged as unknown as ResidentArrays;
}

/** Checks the arrays, and copies those that are not the handle's own. Nothing is copied if anything is wrong. */
function writeArrays(
  { shapes: table, dimension }: QueryScene,
  state: ResidentState,
  given: ResidentArrays,
  count?: number,
): void {
  const { bodies, filters, check } = dimension.readBodies(given, table);
  const found = bodies.shapes.length;
  if (count !== undefined && found !== count)
    invalidInput('bodies.shapes.length', found, `${count}, as createBodies had so many`);
  check();
  const { linearVelocities, angularVelocities } = given as Partial<AnyVelocities>;
  if (linearVelocities !== undefined || angularVelocities !== undefined)
    readMotion({ linearVelocities, angularVelocities } as AnyVelocities, 0, found, dimension).check();
  copyArrays(state, { ...bodies, ...filters, linearVelocities, angularVelocities } as unknown as NamedArrays);
  state.shapesVersion = table.version;
}

/** Copies arrays into the handle's: all of them, or none if there is no memory for one. */
function copyArrays(state: ResidentState, given: NamedArrays): void {
  const arrays = { ...state.arrays } as unknown as NamedArrays;
  const copies: { name: string; from: Numbers; to: Numbers }[] = [];
  for (const [name, from] of Object.entries(given)) {
    if (from !== undefined && from !== arrays[name]) copies.push({ name, from, to: memoryFor(state, name, from) });
  }
  const writes = new Map(state.writes);
  for (const { name, from, to } of copies) {
    to.set(from);
    arrays[name] = to;
    writes.set(name, (writes.get(name) ?? 0) + 1);
    if (VELOCITIES.includes(name)) state.motionVersion++;
    else if (!FILTERS.includes(name)) state.bodiesVersion++;
  }
  state.arrays = arrays as unknown as ResidentArrays;
  state.writes = writes;
}

/** Memory for the numbers of `given`: the handle's own array if it fits and no query reads it. */
function memoryFor({ arrays, readers }: ResidentState, name: string, given: Numbers): Numbers {
  const own = (arrays as unknown as NamedArrays)[name];
  const Type = [Uint32Array, Uint8Array, Float32Array].find((Each) => given instanceof Each) ?? Float64Array;
  if (readers === 0 && own instanceof Type && own.length === given.length) return own;
  return allocate<Numbers>(`bodies.${name}`, Type, given.length);
}
