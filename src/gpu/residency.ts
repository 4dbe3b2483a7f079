/** Where the bodies of handles are on a device: in buffers of their own, which stay from query to query. */
import type { ResidentState, ResidentVersion } from '../request/resident.ts';
import { createBufferPool, type BufferPool } from './buffers.ts';
import type { BodyHome } from './input-passes.ts';

/** Buffers for the bodies of a query, and what is known of their contents. */
export interface Residency {
  readonly pool: BufferPool;
  /** Which versions of a handle's bodies and velocities are packed, or `NO_VERSION`. */
  bodiesVersion: number;
  motionVersion: number;
  /** Whether a packed body has the shape. */
  hasShape(id: number): boolean;
  /** Packed fixed-point positions have cells with edges of 2^cellExponent. Undefined if none are packed. */
  cellExponent: number | undefined;
  /** Where these bodies go. What the buffers hold of them already is not uploaded again. */
  homeOf(resident: ResidentVersion | undefined): BodyHome;
  /** Called when the contents can't be relied on. */
  clear(): void;
}

export const NO_VERSION = -1;

export interface Residencies {
  /** The place of a handle's bodies. */
  of(state: ResidentState): Residency;
  clear(): void;
  /** Frees all buffers for good. */
  destroy(): void;
}

export function createResidencies(device: GPUDevice): Residencies {
  const places = new Map<ResidentState, Residency>();

  function free(state: ResidentState): void {
    places.get(state)?.pool.destroy();
    places.delete(state);
    state.onFree.delete(free);
  }

  return {
    of(state) {
      const place = places.get(state) ?? createPlace(createBufferPool(device, 'bodies'));
      places.set(state, place);
      state.onFree.add(free);
      return place;
    },
    clear() {
      for (const each of places.values()) each.clear();
    },
    destroy() {
      for (const state of places.keys()) free(state);
    },
  };
}

/** A place without contents, with buffers of the pool. */
export function createPlace(pool: BufferPool): Residency {
  /** Which buffer holds each of a handle's arrays, and how often the array had been written. */
  const uploaded = new Map<string, { buffer: GPUBuffer; writes: number | undefined }>();
  const place: Residency = {
    pool,
    bodiesVersion: NO_VERSION,
    motionVersion: NO_VERSION,
    hasShape: () => false,
    cellExponent: undefined,
    homeOf(resident) {
      const needs = (name: string, buffer: GPUBuffer): boolean => {
        const writes = resident?.writes.get(name);
        const last = uploaded.get(name);
        if (last?.buffer === buffer && last.writes === writes) return false;
        uploaded.set(name, { buffer, writes });
        return true;
      };
      return { pool, needs };
    },
    clear() {
      pool.clear();
      uploaded.clear();
      place.bodiesVersion = place.motionVersion = NO_VERSION;
      place.cellExponent = undefined;
    },
  };
  return place;
}
