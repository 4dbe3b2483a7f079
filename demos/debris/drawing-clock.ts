/** Draws frames, and times them: by timestamps of the GPU, or where there are none by the CPU's time of the call. */

import type { View } from '../common/view.ts';

export interface DrawingClock {
  /** What the milliseconds are of. */
  readonly label: string;
  draw(): void;
  /** Milliseconds of the last frame whose timestamps have been read; undefined if there is none. */
  read(): Promise<number | undefined>;
}

/** `hasTimestamps`: the view's renderer tracks timestamps. */
export function createDrawingClock({ renderer, render }: View, hasTimestamps: boolean): DrawingClock {
  let callMs: number | undefined;
  return {
    label: hasTimestamps ? 'Drawing' : 'Drawing, CPU time',
    draw() {
      const began = performance.now();
      render();
      callMs = performance.now() - began;
    },
    read: () => (hasTimestamps ? renderer.resolveTimestampsAsync('render') : Promise.resolve(callMs)),
  };
}
