/**
 * Pictures of clashes as SVG: both bodies' outlines, the point, and the depth or gap between two arrow heads. They need
 * no style sheet: colours of the bodies suit light and dark pages, and everything else has the colour of the text.
 */

import { vec3 } from '../../../../cpu/math.ts';
import type { Scene } from '../../../../scene/scene.ts';
import { escaped } from '../../../report/xml.ts';
import type { Clash } from '../../clash-report.ts';
import { distanceText } from '../../describe.ts';
import { createSolid, readSolid, reachOf, type Solid } from '../../solids/solid.ts';
import { clipped, outlineOf, type Point, type View } from './outline.ts';
import { bestView } from './view.ts';

const WIDTH = 240;
const HEIGHT = 180;
/** Clear space around the smaller body, as a share of its size. */
const AROUND = 1.25;
/** A distance shorter than this in the picture gets a second one, in which it has the other length. In pixels. */
const SHORTEST = 24;
const CLOSE_UP = 80;

export const COLOURS = { a: '#3b8ede', b: '#e8772e' } as const;

/** One or two pictures: of the smaller body's surroundings, and of the distance if that is short in the first. */
export function picturesOf(clash: Clash, scene: Scene, up: 'y' | 'z'): string[] {
  const bodies: [Solid, Solid] = [clash.bodyA, clash.bodyB].map((body) => {
    const solid = createSolid(scene.shapeData[0]);
    return readSolid(scene, body, solid);
  }) as [Solid, Solid];
  const view = bestView(clash, bodies, up === 'y' ? vec3(0, 1, 0) : vec3(0, 0, 1));
  const size = Math.abs(clash.distance);
  const span = Math.max(AROUND * clash.size, size, Number.MIN_VALUE);
  const scale = HEIGHT / 2 / span;
  const whole = pictureOf(clash, bodies, smallerInView(bodies, view, clash), scale, 'overview');
  if (size * scale >= SHORTEST || size === 0) return [whole];
  return [whole, pictureOf(clash, bodies, view, CLOSE_UP / size, 'close-up')];
}

/** The view moved so that the smaller body is in the middle, as far as the point stays in it. */
function smallerInView(bodies: readonly Solid[], view: View, { size }: Clash): View {
  const [reachA, reachB] = bodies.map((body) => reachOf(body) || Infinity);
  const smaller = reachA <= reachB ? bodies[0] : bodies[1];
  const outline = outlineOf(smaller, view, size);
  const middle = [0, 1].map((axis) => {
    const values = outline.map((point) => point[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  });
  const { centre, right, up } = view;
  const moved = (axis: 'x' | 'y' | 'z'): number => centre[axis] + middle[0] * right[axis] + middle[1] * up[axis];
  return { ...view, centre: vec3(moved('x'), moved('y'), moved('z')) };
}

/** `scale` is in pixels per unit of the scene. */
function pictureOf(clash: Clash, bodies: readonly [Solid, Solid], view: View, scale: number, kind: string): string {
  const far = (2 * WIDTH) / scale;
  const outlines = bodies.map((body) =>
    clipped(outlineOf(body, view, far), (0.75 * WIDTH) / scale, (0.75 * HEIGHT) / scale),
  );
  const [a, b] = outlines.map((outline) => outline.map(([x, y]): Point => [x * scale, -y * scale]));
  const title = escaped(`${kind}: ${clash.category} of ${clash.a} (A) and ${clash.b} (B), ${distanceText(clash)}`);
  return [
    `<svg class="${kind}" viewBox="${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`,
    ` role="img" aria-label="${title}"><title>${title}</title>`,
    polygon(b, COLOURS.b, ' stroke-dasharray="5 3"'),
    polygon(a, COLOURS.a, ''),
    letter('A', a, b, COLOURS.a),
    letter('B', b, a, COLOURS.b),
    arrow(clash, view, scale),
    `</svg>`,
  ].join('');
}

function polygon(points: readonly Point[], colour: string, more: string): string {
  if (points.length === 0) return '';
  const path = points.map(([x, y]) => `${short(x)},${short(y)}`).join(' ');
  return `<polygon points="${path}" fill="${colour}" fill-opacity="0.22" stroke="${colour}" stroke-width="1.5"${more}/>`;
}

/** The letter is at the corner of its body that is farthest from the other body's middle, moved inwards. */
function letter(text: string, own: readonly Point[], other: readonly Point[], colour: string): string {
  const visible = clipped(own, WIDTH / 2 - 10, HEIGHT / 2 - 10);
  if (visible.length === 0) return '';
  const [ox, oy] = middleOf(other.length > 0 ? other : own);
  const [mx, my] = middleOf(visible);
  const away = ([x, y]: Point): number => Math.hypot(x - ox, y - oy);
  const [x, y] = visible.reduce((farthest, point) => (away(point) > away(farthest) ? point : farthest));
  const [atX, atY] = [x + (mx - x) * 0.25, y + (my - y) * 0.25];
  return `<text x="${short(atX)}" y="${short(atY + 4)}" font-size="13" font-weight="bold" text-anchor="middle" fill="${colour}">${text}</text>`;
}

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce(([x, y], [px, py]): Point => [x + px, y + py], [0, 0] as Point);
  return [sum[0] / points.length, sum[1] / points.length];
}

/** The point, and a line along the normal from A's surface to B's with heads at both ends. */
function arrow({ point, normal, distance }: Clash, { centre, right, up }: View, scale: number): string {
  const seen = (p: readonly number[]): Point => [
    scale * (right.x * p[0] + right.y * p[1] + right.z * p[2]),
    -scale * (up.x * p[0] + up.y * p[1] + up.z * p[2]),
  ];
  const [x, y] = seen([point[0] - centre.x, point[1] - centre.y, point[2] - centre.z]);
  const [nx, ny] = seen(normal.map((n) => (n * distance) / 2));
  const length = Math.hypot(nx, ny);
  const dot = `<circle cx="${short(x)}" cy="${short(y)}" r="2.5" fill="currentColor"/>`;
  if (length < 3) return dot;
  const [ux, uy] = [nx / length, ny / length];
  const head = (side: number): string => {
    const [tipX, tipY] = [x + side * nx, y + side * ny];
    const size = Math.min(6, length);
    const wing = (way: number): string =>
      `${short(tipX - side * size * ux - way * size * 0.4 * uy)} ${short(tipY - side * size * uy + way * size * 0.4 * ux)}`;
    return `M${wing(1)}L${short(tipX)} ${short(tipY)}L${wing(-1)}`;
  };
  const line = `M${short(x - nx)} ${short(y - ny)}L${short(x + nx)} ${short(y + ny)}`;
  return `<path d="${line}${head(1)}${head(-1)}" fill="none" stroke="currentColor" stroke-width="1.5"/>${dot}`;
}

/** Tenths of a pixel. */
function short(x: number): string {
  return String(Math.round(x * 10) / 10 + 0);
}
