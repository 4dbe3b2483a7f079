/** Where the bodies of handles are on a device: in buffers of their own, which stay from query to query. */
import type { ResidentState, ResidentVersion } from '../request/resident.ts';
import { createBufferPool, type BufferPool } from './buffers.ts';
import type { BodyHome } from './input-passes.ts';
import type { Verdict } from './verdict.ts';

/** Buffers for the bodies of a query, and what is known of their contents. */
export interface Residency {
  readonly home: BodyHome;
  /** Which versions of a handle's bodies and velocities are packed; -1: none. */
  bodiesVersion: number;
  motionVersion: number;
  /** The verdict on the packed bodies, and the exponent of their cell size. */
  verdict?: Verdict;
  cellExponent: number;
  /** Called when the contents can't be relied on. */
  clear(): void;
}

export interface Residencies {
  /** The place of these bodies; undefined if they have been written since, or are not those of a handle. */
  of(resident: ResidentVersion | undefined): Residency | undefined;
  clear(): void;
  /** Frees all buffers for good. */
  destroy(): void;
}

export function createResidencies(device: GPUDevice): Residencies {
  const places = new Map<ResidentState, Residency>();

  function place(state: ResidentState): Residency {
    const pool = createBufferPool(device, 'bodies');
    /** Which buffer holds each of the arrays, and how often the array had been written. */
    const uploaded = new Map<string, { buffer: GPUBuffer; writes: number }>();
    const needs = (name: string, buffer: GPUBuffer): boolean => {
      const writes = state.writes.get(name)!;
      const last = uploaded.get(name);
      if (last?.buffer === buffer && last.writes === writes) return false;
      uploaded.set(name, { buffer, writes });
      return true;
    };
    const made = createPlace(pool, needs, () => {
      pool.clear();
      uploaded.clear();
    });
    places.set(state, made);
    state.onDispose.add(() => {
      places.delete(state);
      pool.destroy();
    });
    return made;
  }

  return {
    of(resident) {
      if (!resident) return undefined;
      const { state, bodiesVersion, motionVersion } = resident;
      const isCurrent = state.bodiesVersion === bodiesVersion && state.motionVersion === motionVersion;
      return isCurrent && !state.isDisposed ? (places.get(state) ?? place(state)) : undefined;
    },
    clear() {
      for (const each of places.values()) each.clear();
    },
    destroy() {
      for (const { home } of places.values()) home.pool.destroy();
      places.clear();
    },
  };
}

/** A place without contents. */
export function createPlace(
  pool: BufferPool,
  needs: (name: string, buffer: GPUBuffer) => boolean,
  forget: () => void = () => {},
): Residency {
  const place: Residency = {
    home: { pool, needs },
    bodiesVersion: -1,
    motionVersion: -1,
    cellExponent: 0,
    clear() {
      forget();
      place.bodiesVersion = place.motionVersion = -1;
    },
  };
  return place;
}
