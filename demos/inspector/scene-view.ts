/** Both bodies in world axes, with what the step knows of them. */

import { ballAround, makeProjector, type Orbit } from './camera.ts';
import { clear, type CanvasView } from './canvas-view.ts';
import { directionOf, isInWorldAxes, nearestOf, simplexOf, supportOf } from './directions.ts';
import { framesAt, inScene, type Inspection } from './inspection.ts';
import { placed, subtract, turned, vec, type Frame, type Vec } from './linear.ts';
import type { Palette } from './palette.ts';
import { arrow, dotAt, drawSolid, label, polyline, type Sketch } from './sketch.ts';
import { moved, type Solid } from './solid.ts';

export function drawScene(view: CanvasView, inspection: Inspection, at: number, orbit: Orbit, palette: Palette): void {
  clear(view);
  const frames = framesAt(inspection, inspection.times[at]);
  const { centre, radius } = boundsOf(inspection);
  const zoom = (view.zoom * 0.44 * Math.min(...view.size)) / radius;
  const sketch: Sketch = {
    context: view.context,
    camera: makeProjector(orbit, centre, zoom, view.size, view.pan),
    size: view.size,
  };
  const colors = [palette.a, palette.b];
  const bodies = [0, 1].map((i) => bodyAt(inspection, frames, i));
  const depth = frames.map(({ position }) => sketch.camera.project(position)[2]);
  for (const i of depth[0] < depth[1] ? [0, 1] : [1, 0])
    drawSolid(sketch, bodies[i], { color: colors[i], opacity: inspection.isPlanar ? 0.25 : 0.42 });
  drawCores(sketch, inspection, frames, colors);
  [0, 1].forEach((i) => label(sketch, topOf(sketch, bodies[i]), 'AB'[i], colors[i]));
  drawMarks(sketch, inspection, at, frames, palette);
}

/** Where there is rounding, the cores that the searches work on. */
function drawCores(sketch: Sketch, { solids }: Inspection, frames: readonly Frame[], colors: string[]): void {
  solids.forEach(({ core, radius }, i) => {
    if (radius === 0) return;
    const frame = frames[i];
    const solid = moved(core, (p) => placed(frame, p), (v) => turned(frame, v)); // prettier-ignore
    drawSolid(sketch, solid, { color: colors[i], opacity: 0, lineWidth: 0.8 });
  });
}

function drawMarks(
  sketch: Sketch,
  { steps, origin }: Inspection,
  at: number,
  frames: readonly [Frame, Frame],
  palette: Palette,
): void {
  const step = steps[at];
  const scene = (point: ArrayLike<number>): Vec => inScene(frames, vec(point));
  if (step.type === 'result') return drawResult(sketch, step.result, origin, palette);
  for (const side of ['onA', 'onB'] as const) {
    const corners = simplexOf(step).map((corner) => scene(corner[side]));
    if (corners.length > 1)
      for (let i = 0; i < corners.length; i++)
        for (let j = i + 1; j < corners.length; j++)
          polyline(sketch, [corners[i], corners[j]], { color: palette.ink, width: 1 });
    for (const corner of corners) dotAt(sketch, corner, palette.ink, 3);
  }
  const nearest = nearestOf(step);
  if (nearest) {
    const [a, b] = nearest.map(scene);
    polyline(sketch, [a, b], { color: palette.normal, width: 1.6, dash: [5, 4] });
    dotAt(sketch, a, palette.a, 4.5, palette.stage);
    dotAt(sketch, b, palette.b, 4.5, palette.stage);
  }
  const support = supportOf(step);
  if (support)
    for (const point of [support.onA, support.onB]) dotAt(sketch, scene(point), palette.mark, 5, palette.stage);
  const direction = directionOf(step);
  if (!direction) return;
  const along = isInWorldAxes(step) ? direction : turned(frames[0], direction);
  const from = support ? scene(support.onB) : nearest ? scene(nearest[0]) : frames[0].position;
  arrow(sketch, from, along, 52, palette.normal);
}

interface Witness {
  normal?: readonly number[];
  pointA?: readonly number[];
  pointB?: readonly number[];
  point?: readonly number[];
  points?: readonly { position: readonly number[] }[];
}

/** Zeros stand for a point that a query does not give. */
function isKnown(point?: readonly number[]): point is readonly number[] {
  return point !== undefined && point.some((x) => x !== 0);
}

/** The query's own points, which are in world space. */
function drawResult(sketch: Sketch, result: object, origin: Vec, palette: Palette): void {
  const { normal, pointA, pointB, point, points = [] } = result as Witness;
  const scene = (p: readonly number[]): Vec => subtract(vec(p), origin);
  if (isKnown(pointA) && isKnown(pointB)) {
    polyline(sketch, [scene(pointA), scene(pointB)], { color: palette.mark, width: 2 });
    dotAt(sketch, scene(pointA), palette.a, 5.5, palette.stage);
    dotAt(sketch, scene(pointB), palette.b, 5.5, palette.stage);
  }
  for (const { position } of points) dotAt(sketch, scene(position), palette.mark, 5, palette.stage);
  if (isKnown(point)) dotAt(sketch, scene(point), palette.mark, 5.5, palette.stage);
  const from = points[0]?.position ?? (isKnown(pointB) ? pointB : isKnown(point) ? point : undefined);
  if (isKnown(normal)) arrow(sketch, from ? scene(from) : [0, 0, 0], vec(normal), 56, palette.normal);
}

function bodyAt({ solids }: Inspection, frames: readonly Frame[], i: number): Solid {
  return moved(solids[i].surface, (p) => placed(frames[i], p), (v) => turned(frames[i], v)); // prettier-ignore
}

/** The vertex that is highest on the canvas. */
function topOf({ camera }: Sketch, { vertices }: Solid): Vec {
  return vertices.reduce((top, vertex) => (camera.project(vertex)[1] < camera.project(top)[1] ? vertex : top));
}

const known = new WeakMap<Inspection, { centre: Vec; radius: number }>();

/** A ball around the bodies, at the start and at the end of a motion. */
function boundsOf(inspection: Inspection): { centre: Vec; radius: number } {
  const before = known.get(inspection);
  if (before) return before;
  const { times } = inspection;
  const points = [0, times.at(-1)!].flatMap((time) => {
    const frames = framesAt(inspection, time);
    return [0, 1].flatMap((i) => bodyAt(inspection, frames, i).vertices);
  });
  const bounds = ballAround(points);
  known.set(inspection, bounds);
  return bounds;
}
