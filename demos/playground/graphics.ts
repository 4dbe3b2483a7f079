/** Opens the device, which drawing and the tester share, and the stage. Without them the page still answers. */

import type { BackendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { openDevice, whenLost, type PageDevice } from '../common/open-device.ts';
import { offerWebGpu } from './query-controls.ts';
import { createStage, type Stage, type StageEvents } from './stage.ts';

export async function openGpu(
  choice: BackendChoice,
  onLost: (reason: string) => void,
): Promise<PageDevice | undefined> {
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

export async function openStage(gpu: PageDevice | undefined, events: StageEvents): Promise<Stage | undefined> {
  const canvas = byId<HTMLCanvasElement>('view');
  try {
    return await createStage(canvas, gpu, coveredByAnswer, events);
  } catch (error) {
    const place = byId('no-view');
    const [reason] = (error as Error).message.split('\n');
    place.textContent = `This browser can't draw here (${reason}). The answers need no drawing: they are complete.`;
    place.hidden = false;
    canvas.hidden = true;
    return undefined;
  }
}

/** Pixels at the left of the canvas that the card of answers covers. On narrow pages it is below the canvas. */
function coveredByAnswer(): number {
  const card = document.querySelector<HTMLElement>('.answer')!;
  return getComputedStyle(card).position === 'absolute' ? card.offsetLeft + card.offsetWidth : 0;
}
