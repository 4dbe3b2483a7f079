/**
 * The model that the page starts with: a small plant in metres, y up, with clashes of every category. It is a GLB file
 * like any that a user drops, and can be saved and checked with the command line.
 */

import { glbOf, type SamplePart } from './glb.ts';
import { box, circle, elbow, extrude, iProfile, rectangle, uProfile, vessel } from './solids.ts';

const HALF = Math.SQRT1_2;
/** Rotations that turn the z axis, along which parts are made, to x or y. */
const ALONG_X = [0, HALF, 0, HALF] as const;
const ALONG_Y = [-HALF, 0, 0, HALF] as const;

export const SAMPLE_FILE = 'plant.glb';
/** Gaps below this are shown at the first visit. */
export const SAMPLE_CLEARANCE = 0.05;

export function samplePlant(): Uint8Array<ArrayBuffer> {
  return glbOf('plant', [...steel(), ...equipment(), ...pipes(), ...rest()]);
}

type Triple = readonly [number, number, number];

/** A pipe between two points on a line along an axis. */
function pipe(name: string, from: Triple, to: Triple, radius: number): SamplePart {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  const position = from.map((x, axis) => (x + to[axis]) / 2) as unknown as Triple;
  const rotation = to[0] !== from[0] ? ALONG_X : to[1] !== from[1] ? ALONG_Y : undefined;
  return { name, solid: extrude(circle(radius), [], length), position, rotation };
}

function steel(): SamplePart[] {
  const column = extrude(iProfile(0.3, 0.3, 0.02, 0.012), [], 3.6);
  const beam = extrude(iProfile(0.2, 0.4, 0.016, 0.01), [], 11);
  const corners: [number, number][] = [
    [-5, -2],
    [5, -2],
    [-5, 2],
    [5, 2],
  ];
  return [
    { name: 'slab', solid: box(13, 0.3, 7.4), position: [0, -0.15, 0] },
    ...corners.map(([x, z], i): SamplePart => ({
      name: `column C${i + 1}`,
      solid: column,
      position: [x, 1.8, z],
      rotation: ALONG_Y,
    })),
    { name: 'beam B1', solid: beam, position: [0, 3.8, -2], rotation: ALONG_X },
    { name: 'beam B2', solid: beam, position: [0, 3.8, 2], rotation: ALONG_X },
    { name: 'sleeper S1', solid: box(0.15, 0.2, 4.4), position: [-3.6, 4.1, 0] },
    { name: 'sleeper S2', solid: box(0.15, 0.2, 4.4), position: [3.6, 4.1, 0] },
    // 6 mm into the flange of its column.
    { name: 'bracket BR-1', solid: box(0.24, 0.18, 0.3), position: [-5, 1.9, -1.706] },
  ];
}

function equipment(): SamplePart[] {
  return [
    { name: 'tank T-1', solid: vessel(0.9, 3.2, [0.4, 0.4]), position: [-2.2, 1.35, 0.2], rotation: ALONG_X },
    { name: 'saddle T-1 west', solid: box(0.25, 0.45, 1.1), position: [-3.2, 0.225, 0.2] },
    { name: 'saddle T-1 east', solid: box(0.25, 0.45, 1.1), position: [-1.2, 0.225, 0.2] },
    { name: 'tank T-2', solid: vessel(1, 2.2, [0, 0.4]), position: [2.6, 1.1, 0.6], rotation: ALONG_Y },
    { name: 'pump PU-1', solid: extrude(circle(0.25), [], 0.9), position: [1, 0.45, 2.6], rotation: ALONG_X },
    { name: 'foot PU-1', solid: box(0.7, 0.2, 0.5), position: [1, 0.1, 2.6] },
    // Left inside the tank, and cast into the slab.
    { name: 'lost wrench', solid: box(0.32, 0.04, 0.07), position: [-2.5, 1.1, 0.35] },
    { name: 'anchor A-4', solid: extrude(circle(0.02), [], 0.12), position: [4, -0.15, 3], rotation: ALONG_Y },
  ];
}

function pipes(): SamplePart[] {
  return [
    pipe('pipe P-101', [-3, 3.8, -3], [-3, 3.8, 3], 0.08),
    pipe('pipe P-102', [0.3, 0.4, -1], [0.3, 4.8, -1], 0.07),
    // 12.4 mm into the tank.
    pipe('pipe P-103', [3.6476, 1.2, -1.6], [3.6476, 1.2, 2.8], 0.06),
    // Two pipes of radius 0.1 whose axes are 192 mm apart.
    pipe('pipe P-104', [-4.5, 4.4, -0.5], [4.5, 4.4, -0.5], 0.1),
    pipe('pipe P-105', [-4.5, 4.4, -0.308], [4.5, 4.4, -0.308], 0.1),
    pipe('pipe P-106', [-4.2, 0.5, 3.1], [0.2, 0.5, 3.1], 0.09),
    pipe('pipe P-106 copy', [-4.2, 0.5, 3.1], [0.2, 0.5, 3.1], 0.09),
    // 20 mm beside the tank, and 30 mm over the sleepers.
    pipe('pipe P-107', [-4.4, 1.35, -0.77], [0, 1.35, -0.77], 0.05),
    pipe('pipe P-108', [-4.5, 4.32, 0.8], [4.5, 4.32, 0.8], 0.09),
    pipe('pipe P-110', [-0.5, 0.12, 1.6], [-0.5, 2.9, 1.6], 0.07),
    { name: 'elbow E-1', solid: elbow(0.07, 0.3), position: [-0.5, 2.9, 1.6] },
    pipe('pipe P-111', [-0.5, 3.2, 1.9], [-0.5, 3.2, 3], 0.07),
    pipe('pipe P-112', [1, 0.7, 2.6], [1, 2.4, 2.6], 0.06),
  ];
}

function rest(): SamplePart[] {
  return [
    {
      name: 'duct D-1',
      solid: extrude(rectangle(0.5, 0.35), [rectangle(0.48, 0.33)], 8.4),
      position: [0, 2.75, -1],
      rotation: ALONG_X,
    },
    {
      name: 'tray TR-1',
      solid: extrude(uProfile(0.3, 0.1, 0.006), [], 9.2),
      position: [0, 3.2, 1.6],
      rotation: ALONG_X,
    },
    // 15 mm beside the column.
    { name: 'box J-2', solid: box(0.2, 0.3, 0.16), position: [5, 1.4, 1.755] },
  ];
}
