/** Opens the device, which drawing and the tester share, and the stage. Without them the page still answers. */

import type { BackendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { openDevice, whenLost, type PageDevice } from '../common/open-device.ts';
import { offerWebGpu } from './query-controls.ts';
import { createStage, type Stage, type StageEvents } from './stage.ts';

/** undefined: there is none, and the page says why. */
export interface Graphics {
  gpu: PageDevice | undefined;
  stage: Stage | undefined;
}

/** Counts openings. A device may be lost while its stage is being opened, which begins another one. */
let openings = 0;

/** Resolves to undefined if another opening has begun meanwhile. */
export async function openGraphics(
  choice: BackendChoice,
  events: StageEvents,
  onLost: (reason: string) => void,
): Promise<Graphics | undefined> {
  const own = ++openings;
  const gpu = await openGpu(choice, onLost);
  const canvas = byId<HTMLCanvasElement>('view');
  const opened = await createStage(canvas, gpu, coveredByAnswer, events).catch((error: Error) => error);
  const stage = opened instanceof Error ? undefined : opened;
  if (own !== openings) {
    stage?.dispose();
    return undefined;
  }
  showWhyNoStage(opened instanceof Error ? opened.message : '');
  return { gpu, stage };
}

/** A canvas whose device was lost cannot be used with another one. */
export function replaceCanvas(): void {
  const former = byId('view');
  const hasFocus = document.activeElement === former;
  const canvas = former.cloneNode() as HTMLElement;
  former.replaceWith(canvas);
  if (hasFocus) canvas.focus();
}

async function openGpu(choice: BackendChoice, onLost: (reason: string) => void): Promise<PageDevice | undefined> {
  const opened = await openDevice(choice).catch((error: Error) => ({ reason: error.message }));
  if ('reason' in opened) {
    if (choice === 'webgpu') showNotice('warning', 'The queries run on the CPU', opened.reason);
    offerWebGpu(false, opened.reason);
    return undefined;
  }
  offerWebGpu(true);
  whenLost(opened, onLost);
  return opened;
}

/** Empty: there is a stage. */
function showWhyNoStage(message: string): void {
  const place = byId('no-view');
  const [reason] = message.split('\n');
  place.textContent = `This browser can't draw here (${reason}). The answers need no drawing: they are complete.`;
  place.hidden = message === '';
  byId('view').hidden = message !== '';
}

/** Pixels at the left of the canvas that the card of answers covers. On narrow pages it is below the canvas. */
function coveredByAnswer(): number {
  const card = document.querySelector<HTMLElement>('.answer')!;
  return getComputedStyle(card).position === 'absolute' ? card.offsetLeft + card.offsetWidth : 0;
}
