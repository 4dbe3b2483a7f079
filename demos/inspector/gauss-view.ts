/** The Gauss sphere: face normals as points and edges as arcs, those of B mirrored at the origin, and the step's direction. */

import { createShape } from 'narrowphase/cpu';
import type { ShapeDescription } from 'narrowphase';
import type { GaussMap } from '../../src/shapes/gauss-map.ts';
import { makeProjector, type Orbit } from './camera.ts';
import type { CanvasView } from './canvas-view.ts';
import { text } from './detail-frame.ts';
import { directionOf, isInWorldAxes } from './directions.ts';
import { framesAt, type Inspection } from './inspection.ts';
import { add, dot, scaled, turned, unit, vec, ZERO, type Frame, type Vec } from './linear.ts';
import type { Palette } from './palette.ts';
import { dotAt, polyline, type Sketch } from './sketch.ts';

const ARC_PARTS = 12;
/** More arcs than this would cover the whole sphere. */
const MOST_ARCS = 1200;

export function drawGaussSphere(
  view: CanvasView,
  inspection: Inspection,
  at: number,
  orbit: Orbit,
  palette: Palette,
): void {
  const zoom = 0.43 * Math.min(...view.size);
  const sketch: Sketch = {
    context: view.context,
    camera: makeProjector(orbit, ZERO, zoom, view.size),
    size: view.size,
  };
  const { context } = view;
  context.beginPath();
  context.arc(view.size[0] / 2, view.size[1] / 2, zoom, 0, 2 * Math.PI);
  context.strokeStyle = palette.line;
  context.lineWidth = 1.5;
  context.stroke();
  const step = inspection.steps[at];
  const frames = framesAt(inspection, inspection.times[at]);
  const maps = mapsOf(inspection);
  maps.forEach((map, i) => drawNet(sketch, map, frames[i], i === 1, i === 0 ? palette.a : palette.b));
  if (step.type === 'arc') {
    const i = step.body === 'a' ? 0 : 1;
    const [from, to] = step.ends.map((n) => directionIn(maps[i], n, frames[i], i === 1));
    polyline(sketch, arcPoints(from, to), { color: palette.mark, width: 3.5 });
  }
  const direction = directionOf(step);
  if (direction) {
    const along = isInWorldAxes(step) ? direction : turned(frames[0], direction);
    polyline(sketch, [ZERO, along], {
      color: palette.normal,
      width: 1.5,
      dash: dot(along, sketch.camera.towards) < 0 ? [3, 4] : [],
    });
    dotAt(sketch, along, palette.normal, 5.5, palette.stage);
  }
  if (inspection.isPlanar) return;
  text(view, 8, 16, 'A', palette.a);
  text(view, 8, 31, 'B, negated', palette.b);
}

function drawNet(sketch: Sketch, map: GaussMap, frame: Frame, isOfB: boolean, color: string): void {
  const { arcs } = map;
  const { towards } = sketch.camera;
  const normals = Array.from({ length: map.normals.length / 3 }, (_, n) => directionIn(map, n, frame, isOfB));
  const count = arcs.length / 2;
  if (count <= MOST_ARCS)
    for (let i = 0; i < count; i++) {
      const [from, to] = [normals[arcs[2 * i]], normals[arcs[2 * i + 1]]];
      const isBehind = dot(add(from, to), towards) < 0;
      polyline(sketch, arcPoints(from, to), {
        color: isBehind ? faint(color) : color,
        width: isBehind ? 0.8 : isOfB ? 1.3 : 3,
      });
    }
  for (const normal of normals)
    dotAt(sketch, normal, dot(normal, towards) < 0 ? faint(color) : color, dot(normal, towards) < 0 ? 1.8 : 3);
}

/** A colour of the form #rrggbb, almost transparent. */
function faint(color: string): string {
  return `${color}50`;
}

function directionIn({ normals }: GaussMap, n: number, frame: Frame, isOfB: boolean): Vec {
  return scaled(turned(frame, vec(normals, 3 * n)), isOfB ? -1 : 1);
}

function arcPoints(from: Vec, to: Vec): Vec[] {
  return Array.from({ length: ARC_PARTS + 1 }, (_, i) =>
    unit(add(scaled(from, 1 - i / ARC_PARTS), scaled(to, i / ARC_PARTS))),
  );
}

const known = new WeakMap<Inspection, GaussMap[]>();

/** In 2-D, and of curved shapes, the maps are empty. */
function mapsOf(inspection: Inspection): GaussMap[] {
  let maps = known.get(inspection);
  if (!maps) {
    const { shapes } = inspection.capture;
    maps = inspection.isPlanar ? [] : (shapes as ShapeDescription[]).map((shape) => createShape(shape).gaussMap);
    known.set(inspection, maps);
  }
  return maps;
}
