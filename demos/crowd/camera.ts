/** The view from above: its centre, and its scale in CSS pixels per metre. Drag, scroll, pinch and keys move it. */

export interface Camera {
  x: number;
  y: number;
  scale: number;
  /** Point of the plan under a point of the canvas, in CSS pixels from its upper left corner. */
  toPlan(px: number, py: number): [number, number];
  toCanvas(x: number, y: number): [number, number];
  /** Shows the whole plan. */
  fit(): void;
}

/** What drags do in place of moving the view. */
export interface DragTool {
  drag(from: [number, number], to: [number, number]): void;
  /** The drag has ended, or has become something else. */
  end(isDone: boolean): void;
}

export interface CameraEvents {
  changed(): void;
  /** A press and release of the main button in one place. */
  clicked(x: number, y: number): void;
  hovered(x: number, y: number): void;
  /** The tool that the user has chosen. */
  tool(): DragTool | undefined;
}

const MOST_SCALE = 80;
/** A press that moves less than this is a click, in CSS pixels. */
const CLICK_REACH = 5;
const EDGE = 12;

export function createCamera(
  canvas: HTMLCanvasElement,
  size: () => readonly [number, number],
  events: CameraEvents,
): Camera {
  const fitScale = (): number =>
    Math.max(Math.min((canvas.clientWidth - EDGE) / size()[0], (canvas.clientHeight - EDGE) / size()[1]), 0.5);
  const camera: Camera = {
    x: 0,
    y: 0,
    scale: 1,
    toPlan: (px, py) => [
      camera.x + (px - canvas.clientWidth / 2) / camera.scale,
      camera.y - (py - canvas.clientHeight / 2) / camera.scale,
    ],
    toCanvas: (x, y) => [
      canvas.clientWidth / 2 + (x - camera.x) * camera.scale,
      canvas.clientHeight / 2 - (y - camera.y) * camera.scale,
    ],
    fit() {
      Object.assign(camera, { x: 0, y: 0, scale: fitScale() });
      events.changed();
    },
  };

  function keepInside(): void {
    const [width, height] = size();
    camera.scale = Math.min(Math.max(camera.scale, fitScale()), MOST_SCALE);
    const reachX = Math.max(width / 2 - canvas.clientWidth / 2 / camera.scale + EDGE / camera.scale, 0);
    const reachY = Math.max(height / 2 - canvas.clientHeight / 2 / camera.scale + EDGE / camera.scale, 0);
    camera.x = Math.min(Math.max(camera.x, -reachX), reachX);
    camera.y = Math.min(Math.max(camera.y, -reachY), reachY);
    events.changed();
  }

  /** Zooms about a point of the canvas, which stays in place. */
  function zoom(factor: number, px: number, py: number): void {
    const [x, y] = camera.toPlan(px, py);
    camera.scale = Math.min(Math.max(camera.scale * factor, fitScale()), MOST_SCALE);
    const [nowX, nowY] = camera.toPlan(px, py);
    camera.x += x - nowX;
    camera.y += y - nowY;
    keepInside();
  }

  const pointers = new Map<number, { x: number; y: number }>();
  let pressed: { x: number; y: number } | undefined;
  /** The drag of a tool, and where in the plan it began. */
  let held: { tool: DragTool; from: [number, number] } | undefined;

  function letGo(isDone: boolean): void {
    held?.tool.end(isDone);
    held = undefined;
  }

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    pressed = pointers.size === 1 && event.button === 0 ? { x: event.offsetX, y: event.offsetY } : undefined;
    letGo(false);
    const tool = pressed && events.tool();
    if (tool) held = { tool, from: camera.toPlan(event.offsetX, event.offsetY) };
  });
  canvas.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    const here = { x: event.offsetX, y: event.offsetY };
    if (!last) {
      events.hovered(...camera.toPlan(here.x, here.y));
      return;
    }
    if (pressed && Math.hypot(here.x - pressed.x, here.y - pressed.y) < CLICK_REACH) return;
    pressed = undefined;
    if (held) {
      held.tool.drag(held.from, camera.toPlan(here.x, here.y));
      return;
    }
    canvas.classList.add('dragging');
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (at: { x: number; y: number }): number => Math.hypot(at.x - other.x, at.y - other.y);
      zoom(spread(here) / Math.max(spread(last), 1), (here.x + other.x) / 2, (here.y + other.y) / 2);
    }
    const share = other ? 2 : 1;
    camera.x -= (here.x - last.x) / camera.scale / share;
    camera.y += (here.y - last.y) / camera.scale / share;
    pointers.set(event.pointerId, here);
    keepInside();
  });
  const release = (event: PointerEvent): void => {
    const isUp = event.type === 'pointerup';
    if (held) letGo(isUp && !pressed);
    else if (isUp && pressed) events.clicked(...camera.toPlan(pressed.x, pressed.y));
    pressed = undefined;
    pointers.delete(event.pointerId);
    canvas.classList.remove('dragging');
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !held) return;
    letGo(false);
    pressed = undefined;
    pointers.clear();
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 500), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', ({ key }) => {
    const step = 60 / camera.scale;
    if (key === 'ArrowLeft') camera.x -= step;
    else if (key === 'ArrowRight') camera.x += step;
    else if (key === 'ArrowUp') camera.y += step;
    else if (key === 'ArrowDown') camera.y -= step;
    else if (key === '+' || key === '-') camera.scale *= key === '+' ? 1.25 : 0.8;
    else if (key === '0') camera.fit();
    else return;
    keepInside();
  });
  return camera;
}
