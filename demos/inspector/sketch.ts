/** Drawing of solids and marks on a 2-D canvas. */

import type { Projector } from './camera.ts';
import { dot, type Vec } from './linear.ts';
import { shaded } from './palette.ts';
import type { Solid } from './solid.ts';

export interface Sketch {
  context: CanvasRenderingContext2D;
  camera: Projector;
  /** In CSS pixels. */
  size: [number, number];
}

export interface SolidStyle {
  color: string;
  /** Opacity of its faces. */
  opacity: number;
  lineWidth?: number;
}

/** Light from above the viewer's left shoulder. */
const LIGHT: Vec = [-0.35, 0.8, 0.5];

const layer = document.createElement('canvas');

export function drawSolid(sketch: Sketch, solid: Solid, { color, opacity, lineWidth = 1.4 }: SolidStyle): void {
  const { context, camera } = sketch;
  const places = solid.vertices.map((vertex) => camera.project(vertex));
  const front = solid.faces.map(({ normal }) => dot(normal, camera.towards) > 1e-9);
  context.save();
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.strokeStyle = color;
  context.globalAlpha = 0.45;
  context.lineWidth = 0.9;
  context.setLineDash([3, 4]);
  strokeEdges(
    context,
    solid,
    places,
    ({ faces, isSharp }) => isSharp && faces.length > 0 && !faces.some((f) => front[f]),
  );
  context.restore();
  if (opacity > 0 && solid.faces.length > 0) fillFaces(sketch, solid, places, front, color, opacity);
  context.save();
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.strokeStyle = color;
  context.lineWidth = lineWidth;
  strokeEdges(context, solid, places, ({ faces, isSharp }) => {
    const seen = faces.filter((f) => front[f]).length;
    return faces.length === 0 || (isSharp ? seen > 0 : seen === 1);
  });
  if (solid.vertices.length === 1) dotAt(sketch, solid.vertices[0], color, 4);
  context.restore();
}

/** Faces are drawn opaque on a layer of their own: where two of them meet, their colours do not add up to a seam. */
function fillFaces(
  { context, size }: Sketch,
  { faces }: Solid,
  places: readonly [number, number, number][],
  front: readonly boolean[],
  color: string,
  opacity: number,
): void {
  const ratio = context.canvas.width / size[0];
  if (layer.width !== context.canvas.width || layer.height !== context.canvas.height) {
    layer.width = context.canvas.width;
    layer.height = context.canvas.height;
  }
  const on = layer.getContext('2d')!;
  on.setTransform(1, 0, 0, 1, 0, 0);
  on.clearRect(0, 0, layer.width, layer.height);
  on.setTransform(ratio, 0, 0, ratio, 0, 0);
  on.lineWidth = 0.8;
  faces.forEach(({ loop, normal }, f) => {
    if (!front[f]) return;
    on.fillStyle = on.strokeStyle = shaded(color, 0.12 + 0.3 * dot(normal, LIGHT));
    on.beginPath();
    for (const v of loop) on.lineTo(places[v][0], places[v][1]);
    on.closePath();
    on.fill();
    on.stroke();
  });
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = opacity;
  context.drawImage(layer, 0, 0);
  context.restore();
}

function strokeEdges(
  context: CanvasRenderingContext2D,
  { edges }: Solid,
  places: readonly [number, number, number][],
  isDrawn: (edge: Solid['edges'][number]) => boolean,
): void {
  context.beginPath();
  for (const edge of edges) {
    if (!isDrawn(edge)) continue;
    context.moveTo(places[edge.ends[0]][0], places[edge.ends[0]][1]);
    context.lineTo(places[edge.ends[1]][0], places[edge.ends[1]][1]);
  }
  context.stroke();
}

export function dotAt({ context, camera }: Sketch, point: Vec, color: string, radius: number, ring?: string): void {
  const [x, y] = camera.project(point);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  if (!ring) return;
  context.lineWidth = 1.5;
  context.strokeStyle = ring;
  context.stroke();
}

export interface LineStyle {
  color: string;
  width?: number;
  dash?: number[];
  isClosed?: boolean;
  fill?: string;
}

export function polyline({ context, camera }: Sketch, points: readonly Vec[], style: LineStyle): void {
  const { color, width = 1.5, dash = [], isClosed = false, fill } = style;
  context.save();
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.setLineDash(dash);
  context.beginPath();
  for (const point of points) {
    const [x, y] = camera.project(point);
    context.lineTo(x, y);
  }
  if (isClosed) context.closePath();
  if (fill) {
    context.fillStyle = fill;
    context.globalAlpha = 0.3;
    context.fill();
    context.globalAlpha = 1;
  }
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
  context.restore();
}

/** An arrow of a fixed length in pixels, foreshortened as its direction is. */
export function arrow(sketch: Sketch, from: Vec, direction: Vec, pixels: number, color: string): void {
  const { context, camera } = sketch;
  const reach = pixels / camera.zoom;
  const [x, y] = camera.project(from);
  const [u, v] = camera.project([0, 1, 2].map((k) => from[k] + reach * direction[k]) as unknown as Vec);
  const size = Math.hypot(u - x, v - y);
  if (size < 4) return dotAt(sketch, from, color, 4);
  const [dx, dy] = [(u - x) / size, (v - y) / size];
  const head = Math.min(9, size / 2);
  context.save();
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(u - dx * head * 0.8, v - dy * head * 0.8);
  context.stroke();
  context.beginPath();
  context.moveTo(u, v);
  context.lineTo(u - dx * head - dy * head * 0.45, v - dy * head + dx * head * 0.45);
  context.lineTo(u - dx * head + dy * head * 0.45, v - dy * head - dx * head * 0.45);
  context.closePath();
  context.fill();
  context.restore();
}

/** A cross hair with a ring, for the origin. */
export function crossHair({ context, camera }: Sketch, point: Vec, color: string): void {
  const [x, y] = camera.project(point);
  context.save();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    // prettier-ignore
    context.moveTo(x + 3 * dx, y + 3 * dy);
    context.lineTo(x + 11 * dx, y + 11 * dy);
  }
  context.stroke();
  context.restore();
}

/** `drop`: pixels that the text is below its usual place above the point. */
export function label({ context, camera, size }: Sketch, point: Vec, text: string, color: string, drop = 0): void {
  const [x, y] = camera.project(point);
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = color;
  const { width } = context.measureText(text);
  context.fillText(text, within(x + 9, size[0] - width), within(y - 9 + drop, size[1]));
}

function within(place: number, most: number): number {
  return Math.min(Math.max(place, 14), most - 6);
}
