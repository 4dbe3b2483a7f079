/** Hills in a crater. Its rim, which the rubble does not cross, goes down to the plain around it. */

import { heightfield } from 'narrowphase';
import type { MeshDescription } from 'narrowphase';

/** Metres between the points of the grid, about. */
const CELL = 0.5;
/** Heights in metres: of the lowest valleys, of hills and rim above them, and of the border of the grid, which is below the plain. */
const VALLEY = 0.2;
const HILLS = 1.5;
const RIM = 1.6;
const BORDER = -0.3;
/** Metres: hills and rim of a terrain whose half width is less are lower in proportion. */
const FULL_SIZE = 10;

export interface Terrain {
  mesh: MeshDescription;
  /** The height of the hills that the grid approximates. */
  heightAt(x: number, z: number): number;
}

/** `half`: half of the width, in metres. */
export function makeTerrain(half: number): Terrain {
  const scale = Math.min(1, half / FULL_SIZE);
  const heightAt = (x: number, z: number): number => {
    const away = Math.hypot(x, z) / half;
    const inside = VALLEY + scale * (HILLS * hills(x, z) + RIM * smoothstep(0.5, 0.76, away));
    return inside + (BORDER - inside) * smoothstep(0.76, 1, away);
  };
  const cells = Math.ceil((2 * half) / CELL);
  const columns = cells + 1;
  const place = (i: number): number => half * ((2 * i) / cells - 1);
  const heights = Float32Array.from({ length: columns * columns }, (_, i) =>
    heightAt(place(i % columns), place(Math.floor(i / columns))),
  );
  return { mesh: heightfield({ heights, columns, size: [2 * half, 2 * half] }), heightAt };
}

/** From 0 to 1. */
function hills(x: number, z: number): number {
  const long = Math.sin(0.72 * x + 0.8 * Math.sin(0.43 * z)) * Math.cos(0.65 * z + 0.6 * Math.sin(0.31 * x));
  const short = Math.sin(1.6 * x - 0.9 * z + 1) * Math.sin(1.3 * z + 0.5 * x);
  return 0.5 + 0.38 * long + 0.12 * short;
}

function smoothstep(low: number, high: number, value: number): number {
  const share = Math.max(0, Math.min(1, (value - low) / (high - low)));
  return share * share * (3 - 2 * share);
}
