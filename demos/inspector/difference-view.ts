/** The Minkowski difference of the cores with the origin, and the simplex, polytope or portal of the step. */

import { ballAround, makeProjector, type Orbit } from './camera.ts';
import { clear, type CanvasView } from './canvas-view.ts';
import { directionOf, isInWorldAxes, nearestOf, simplexOf, supportOf } from './directions.ts';
import { framesAt, wayOf, type Inspection } from './inspection.ts';
import { add, placed, scaled, subtract, turned, vec, ZERO, type Frame, type Vec } from './linear.ts';
import type { Palette } from './palette.ts';
import { polygonAt } from './polygon-at.ts';
import { polytopeAt, polytopeSolid } from './polytope-at.ts';
import { isCurved } from './shape-solids.ts';
import { arrow, crossHair, dotAt, drawSolid, label, polyline, type Sketch } from './sketch.ts';
import { CURVED, differencePoints, enlarged, moved, POLYTOPE, solidOf, type Solid } from './solid.ts';
import type { Step } from './step.ts';

/** In world axes; the origin is where B - A is 0. */
interface Difference {
  core: Solid;
  /** Along the motion, for the searches that work on it. */
  swept?: Solid;
  /** With both roundings; undefined without any. */
  surface?: Solid;
  bounds: { centre: Vec; radius: number };
}

export function drawDifference(
  view: CanvasView,
  inspection: Inspection,
  at: number,
  orbit: Orbit,
  palette: Palette,
): void {
  clear(view);
  const frames = framesAt(inspection, inspection.times[at]);
  const { core, surface, swept, bounds } = differenceAt(inspection, inspection.times[at], frames);
  const zoom = (view.zoom * 0.42 * Math.min(...view.size)) / bounds.radius;
  const sketch: Sketch = {
    context: view.context,
    camera: makeProjector(orbit, bounds.centre, zoom, view.size, view.pan),
    size: view.size,
  };
  const { steps } = inspection;
  const hasPolytope = (polytopeAt(steps, at) ?? polygonAt(steps, at)) !== undefined;
  drawSolid(sketch, core, {
    color: palette.difference,
    opacity: hasPolytope ? 0.08 : 0.2,
    lineWidth: hasPolytope ? 0.6 : 1,
  });
  const { type } = steps[at];
  const isSwept = type === 'swept' || type === 'crossing';
  if (swept && isSwept) drawSolid(sketch, swept, { color: palette.difference, opacity: 0.07, lineWidth: 0.8 });
  if (surface) drawSolid(sketch, surface, { color: palette.difference, opacity: 0.07, lineWidth: 0.7 });
  drawSearch(sketch, inspection, at, frames[0], palette);
  crossHair(sketch, ZERO, palette.normal);
  label(sketch, ZERO, 'origin', palette.normal, 22);
}

function drawSearch(sketch: Sketch, inspection: Inspection, at: number, frameA: Frame, palette: Palette): void {
  const { steps } = inspection;
  const step = steps[at];
  const place = (point: ArrayLike<number>): Vec => turned(frameA, vec(point));
  drawPolytope(sketch, steps, at, place, palette);
  drawPolygon(sketch, steps, at, place, palette);
  const corners = simplexOf(step).map(({ point }) => place(point));
  if (corners.length > 2 && step.type === 'mpr')
    polyline(sketch, corners, { color: palette.mark, isClosed: true, fill: palette.mark });
  drawWire(sketch, step.type === 'swept' ? step.simplex.map(place) : corners, palette);
  if (step.type === 'mpr') {
    const inside = place(step.inside);
    polyline(sketch, [inside, ZERO], { color: palette.normal, dash: [4, 4] });
    dotAt(sketch, inside, palette.muted, 4);
  }
  const nearest = nearestOf(step);
  if (nearest) {
    const point = turned(frameA, subtract(nearest[1], nearest[0]));
    polyline(sketch, [ZERO, point], { color: palette.normal, dash: [5, 4] });
    dotAt(sketch, point, palette.good, 4.5, palette.stage);
  }
  if (['cast', 'swept', 'crossing', 'crossing-end'].includes(step.type)) drawWay(sketch, wayOf(inspection), palette);
  const found = supportOf(step)?.point ?? sweptSupportOf(step);
  if (found) dotAt(sketch, place(found), palette.mark, 5.5, palette.stage);
  const direction = directionOf(step);
  if (!direction) return;
  const along = isInWorldAxes(step) ? direction : turned(frameA, direction);
  arrow(sketch, found ? place(found) : ZERO, along, 46, palette.normal);
}

/** A support of the swept difference, which has no points on the bodies. */
function sweptSupportOf(step: Step): readonly number[] | undefined {
  if (step.type === 'swept') return step.support;
  return step.type === 'crossing' && 'face' in step ? step.support : undefined;
}

/** The relative motion, through the origin. */
function drawWay(sketch: Sketch, way: Vec, palette: Palette): void {
  const reach = Math.max(...sketch.size) / sketch.camera.zoom;
  polyline(sketch, [scaled(way, -reach), scaled(way, reach)], { color: palette.muted, dash: [2, 5] });
}

function drawWire(sketch: Sketch, corners: readonly Vec[], palette: Palette): void {
  for (let i = 0; i < corners.length; i++)
    for (let j = i + 1; j < corners.length; j++)
      polyline(sketch, [corners[i], corners[j]], { color: palette.ink, width: 1.5 });
  for (const corner of corners) dotAt(sketch, corner, palette.ink, 3.5);
}

function drawPolytope(
  sketch: Sketch,
  steps: readonly Step[],
  at: number,
  place: (point: ArrayLike<number>) => Vec,
  palette: Palette,
): void {
  const polytope = polytopeAt(steps, at);
  if (!polytope) return;
  drawSolid(sketch, polytopeSolid(polytope, place), { color: palette.good, opacity: 0.28, lineWidth: 1 });
  const step = steps[at];
  if ((step.type !== 'epa' && step.type !== 'crossing') || !('face' in step)) return;
  const corners = (face: readonly number[]): Vec[] => face.map((v) => place(polytope.vertices[v]));
  if (step.face.some((v) => polytope.vertices[v] === undefined)) return;
  for (const face of step.removed)
    polyline(sketch, corners(face), { color: palette.mark, width: 0.6, isClosed: true, fill: palette.mark });
  polyline(sketch, corners(step.face), { color: palette.mark, width: 2, isClosed: true, fill: palette.mark });
  for (const edge of step.horizon) polyline(sketch, corners(edge), { color: palette.ink, width: 1.8 });
}

/** EPA's polygon in 2-D, and the edge of the step. */
function drawPolygon(
  sketch: Sketch,
  steps: readonly Step[],
  at: number,
  place: (point: ArrayLike<number>) => Vec,
  palette: Palette,
): void {
  const step = steps[at];
  if (step.type === 'crossing' && 'left' in step)
    polyline(sketch, [place(step.left.point), place(step.right.point)], { color: palette.mark, width: 2.5 });
  const polygon = polygonAt(steps, at);
  if (!polygon) return;
  const corner = (v: number): Vec => place(polygon.vertices[v]);
  const loop = polygon.loop.map(corner);
  polyline(sketch, loop, { color: palette.good, width: 1.5, isClosed: true, fill: palette.good });
  for (const each of loop) dotAt(sketch, each, palette.good, 3);
  if (step.type === 'epa' && 'edge' in step) polyline(sketch, step.edge.map(corner), { color: palette.mark, width: 3 });
}

const known = new WeakMap<Inspection, Map<number, Difference>>();

function differenceAt(inspection: Inspection, time: number, frames: readonly [Frame, Frame]): Difference {
  let made = known.get(inspection);
  if (!made) known.set(inspection, (made = new Map<number, Difference>()));
  let difference = made.get(time);
  if (!difference) made.set(time, (difference = makeDifference(inspection, frames)));
  return difference;
}

function makeDifference(inspection: Inspection, frames: readonly [Frame, Frame]): Difference {
  const { solids, capture, isPlanar } = inspection;
  const [a, b] = solids.map(({ core }, i) => moved(core, (p) => placed(frames[i], p), (v) => turned(frames[i], v))); // prettier-ignore
  const points = differencePoints(a, b);
  const core = solidOf(points, capture.shapes.some(isCurved) ? CURVED : POLYTOPE);
  const radius = solids.reduce((sum, solid, i) => sum + solid.radius * frames[i].scale, 0);
  const normals = core.faces.map(({ normal }) => normal);
  const surface = radius > 0 && !isPlanar ? solidOf(enlarged(core.vertices, radius, normals), CURVED) : undefined;
  const swept = sweptOf(inspection, core);
  return {
    core,
    surface,
    swept,
    bounds: ballAround([...(surface ?? core).vertices, ...(swept?.vertices ?? []), ZERO]),
  };
}

/** The difference along the whole motion; undefined if no search is about it. */
function sweptOf(inspection: Inspection, { vertices }: Solid): Solid | undefined {
  const { steps, velocities, capture } = inspection;
  if (!steps.some(({ type }) => type === 'swept')) return undefined;
  const travel = scaled(subtract(velocities[1], velocities[0]), Number(capture.options.duration));
  return solidOf([...vertices, ...vertices.map((vertex) => add(vertex, travel))], POLYTOPE);
}
