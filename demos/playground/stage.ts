/** The drawing: two bodies, the marks of their answers, cameras for both dimensions, and what the pointer does. */

import { Color, Vector3 } from 'three/webgpu';
import { darkTheme } from '../common/dark-theme.ts';
import type { PageDevice } from '../common/open-device.ts';
import { createView } from '../common/view.ts';
import type { Answer } from './answer.ts';
import { createBodyView } from './body-view.ts';
import { createCameras } from './cameras.ts';
import { enableDragging, type Grip } from './dragging.ts';
import { createGrid } from './grid.ts';
import { createMarks } from './marks.ts';
import type { BodyState, PlaygroundScene } from './scene.ts';
import { createTurner } from './turner.ts';

export interface StageEvents {
  /** The user moved a body, turned it, or changed its velocity. */
  change(body: number, change: Partial<BodyState>): void;
  select(body: number): void;
}

export interface Stage {
  show(scene: PlaygroundScene): void;
  /** undefined: there is no answer. */
  showAnswer(answer: Answer | undefined): void;
  select(body: number): void;
  /** Moves the camera so that both bodies are in view. */
  fitView(): void;
  /** Where on the page a body's origin is, in CSS pixels. */
  pageOf(body: number): { x: number; y: number };
  /** Directions of the view on the page: to the right and up. */
  axes(): { right: Vector3; up: Vector3; forward: Vector3 };
  dispose(): void;
}

/** A vector of an answer of either dimension. */
function vector(values: readonly number[]): Vector3 {
  return new Vector3(values[0], values[1], values[2] ?? 0);
}

/** A colour of the page's style sheet. */
function style(name: string): Color {
  return new Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
}

/** `covered`: how many pixels at the left of the canvas something else covers. */
export async function createStage(
  canvas: HTMLCanvasElement,
  gpu: PageDevice | undefined,
  covered: () => number,
  events: StageEvents,
): Promise<Stage> {
  const view = await createView(canvas, gpu);
  const { renderer, scene: world, camera: eye, controls: orbit } = view;
  view.sun.position.set(4, 8, 5);
  const cameras = createCameras(canvas, eye, orbit, covered);
  const bodies = [createBodyView(), createBodyView()] as const;
  const marks = createMarks();
  const grid = createGrid();
  const turner = createTurner(eye, canvas, {
    turn(object) {
      const { x, y, z, w } = object.quaternion;
      const body = bodies.findIndex(({ place }) => place === object);
      events.change(body, { rotation: isFlat() ? [2 * Math.atan2(z, w)] : [x, y, z, w] });
    },
    change: render,
    drag: (isDragging) => cameras.setEnabled(!isDragging),
  });
  const listening = new AbortController();
  world.add(...bodies.flatMap(({ place, ghost }) => [place, ghost]), marks.group, grid.group, turner.helper);
  let current: PlaygroundScene | undefined;
  let frame = 0;

  const isFlat = (): boolean => current?.dimension === 2;

  /** Draws once before the next frame is shown. */
  function render(): void {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      marks.fit(cameras.unitsPerPixel);
      renderer.render(world, cameras.current());
      canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    });
  }

  function paint(): void {
    const colors = [style('--body-a'), style('--body-b')];
    bodies.forEach((body, i) => body.paint(colors[i], style(['--edge-a', '--edge-b'][i])));
    marks.paint({
      witness: style('--mark-witness'),
      normal: style('--mark-normal'),
      manifold: style('--mark-manifold'),
      bodies: [style('--edge-a'), style('--edge-b')],
    });
    grid.paint(style('--grid-axis'), style('--grid'));
    render();
  }

  function setDimension(dimension: 2 | 3): void {
    cameras.setDimension(dimension);
    turner.setCamera(cameras.current(), dimension === 2);
    grid.setDimension(dimension);
  }

  const resizes = new ResizeObserver(() => {
    cameras.resize();
    render();
  });
  resizes.observe(canvas);
  darkTheme.addEventListener('change', paint, { signal: listening.signal });
  cameras.onChange(render);

  enableDragging(canvas, listening.signal, {
    camera: cameras.current,
    unitsPerPixel: cameras.unitsPerPixel,
    hasDepth: () => !isFlat(),
    targets: () => [
      ...marks.handles.flatMap((object, body) => (object.visible ? [{ kind: 'velocity' as const, body, object }] : [])),
      ...bodies.map(({ surface }, body) => ({ kind: 'body' as const, body, object: surface })),
    ],
    placeOf: ({ kind, body }) =>
      kind === 'body' ? bodies[body].place.position.clone() : marks.handles[body].position.clone(),
    isTaken: turner.isAt,
    grab: ({ body }) => events.select(body),
    move: ({ kind, body }: Grip, to) => {
      const at = to.toArray().slice(0, current!.dimension);
      const { position } = current!.bodies[body];
      events.change(body, kind === 'body' ? { position: at } : { linear: at.map((value, k) => value - position[k]) });
    },
  });
  paint();

  return {
    show(scene) {
      const isOther = scene.dimension !== current?.dimension;
      current = scene;
      if (isOther) setDimension(scene.dimension);
      scene.bodies.forEach((body, i) => {
        bodies[i].show(body, scene.dimension);
        const from = bodies[i].place.position.clone();
        const [x, y, z = 0] = body.linear;
        marks.showVelocity(i, x || y || z ? { from, to: from.clone().add(new Vector3(x, y, z)) } : undefined);
      });
      render();
    },

    showAnswer(answer) {
      const contact = answer?.contact;
      const hasPoints = contact !== undefined && contact.status <= 1 && contact.normal.some((x) => x !== 0);
      marks.showContact(
        hasPoints
          ? { pointA: vector(contact.pointA), pointB: vector(contact.pointB), normal: vector(contact.normal) }
          : undefined,
      );
      marks.showManifold(
        (answer?.manifolds ?? []).flatMap(({ points }) => points.map(({ position }) => vector(position))),
      );
      const time = answer?.impact?.time ?? Infinity;
      const seconds = time > 0 && time < Infinity ? time : null;
      bodies.forEach((body, i) => body.showGhost(current!.bodies[i], seconds));
      render();
    },

    select(body) {
      turner.attach(bodies[body].place);
      render();
    },

    fitView() {
      const middle = bodies[0].place.position.clone().add(bodies[1].place.position).multiplyScalar(0.5);
      const reach = Math.max(...bodies.map(({ place, radius }) => place.position.distanceTo(middle) + radius), 1e-3);
      cameras.fit(middle, reach);
      render();
    },

    pageOf(body) {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const { x, y } = bodies[body].place.position.clone().project(cameras.current());
      return { x: left + ((x + 1) / 2) * width, y: top + ((1 - y) / 2) * height };
    },

    axes() {
      const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
      cameras.current().updateMatrixWorld();
      cameras.current().matrixWorld.extractBasis(right, up, back);
      return { right, up, forward: back.negate() };
    },

    dispose() {
      listening.abort();
      resizes.disconnect();
      turner.dispose();
      cameras.dispose();
      renderer.dispose();
    },
  };
}
