/** The playground: keeps the scene, and tells the stage, the controls, the answers and the address of every change. */

import { enableAbout } from '../common/about.ts';
import { backendChoice, type BackendChoice } from '../common/choose-backend.ts';
import { copyFrom } from '../common/copy-button.ts';
import { byId, showNotice } from '../common/dom.ts';
import { acceptDrops } from '../common/file-drop.ts';
import { createAsker, type Backend } from './answer.ts';
import { createAsking } from './asking.ts';
import { createBodyPanel, type BodyPanel } from './body-panel.ts';
import { checkShape } from './check-scene.ts';
import { codeOf } from './code.ts';
import { firstExample } from './examples.ts';
import { openGraphics, replaceCanvas } from './graphics.ts';
import { enableKeys } from './keys.ts';
import { modelShape } from './model-shape.ts';
import { enableQueryControls, showQuery } from './query-controls.ts';
import { rounded, type BodyState, type PlaygroundScene } from './scene.ts';
import { readAddress } from './sharing.ts';
import type { Stage } from './stage.ts';

/** CSS pixels, the same as in the style sheets. */
const NARROW = 720;

let scene: PlaygroundScene = firstExample(3);
let choice: BackendChoice = 'auto';
let backend: Backend = 'cpu';
let chosen = 0;
/** Until the graphics are open, the CPU answers. */
let asker = createAsker(undefined);
let stage: Stage | undefined;

const asking = createAsking(
  () => ({ scene, backend, asker }),
  (answer) => stage?.showAnswer(answer),
);
const panels: BodyPanel[] = (['A', 'B'] as const).map((name, body) =>
  createBodyPanel(name, {
    change: (change) => changeBody(body, change),
    model: (file, as) => void loadModel(body, file, as),
  }),
);

await start().catch((error: Error) => {
  showNotice('error', 'The page could not start', error.message);
  document.documentElement.dataset.state = 'failed';
});

async function start(): Promise<void> {
  enableAbout();
  panels.forEach(({ element }, body) => byId(`body-${body}`).append(element));
  choice = backendChoice(new URLSearchParams(location.search));
  if (choice === 'webgpu') backend = 'webgpu';
  enableControls();
  scene = readAddress();
  addEventListener('hashchange', () => {
    clearWarning();
    set(readAddress(), true);
  });
  await open();
  window.playground = {
    scene: () => scene,
    load: (next) => set(next, true),
    settled: asking.settled,
    pageOf: (body) => stage!.pageOf(body),
  };
  await window.playground.settled();
  document.documentElement.dataset.state = 'done';
}

/** Returns whether this opening is still the latest one, and so in use. */
async function open(): Promise<boolean> {
  const opened = await openGraphics(choice, { change: changeBody, select: choose }, (reason) => {
    restore(reason).catch((error: Error) => {
      showNotice('error', 'The graphics device was lost, and could not be opened again', error.message);
    });
  });
  if (!opened) return false;
  if (!opened.gpu) backend = 'cpu';
  const former = asker;
  asker = createAsker(opened.gpu);
  stage = opened.stage;
  if (stage) {
    const { axes } = stage;
    enableKeys(byId('view'), { chosen: () => chosen, scene: () => scene, axes, choose, change: changeBody });
  }
  set(scene, true);
  // What the former one was still asked is out of date now.
  former.dispose();
  return true;
}

async function restore(reason: string): Promise<void> {
  stage?.dispose();
  stage = undefined;
  replaceCanvas();
  if (!(await open())) return;
  showNotice(
    'error',
    'The graphics device was lost',
    `${reason}. ${stage ? 'The view was opened again' : 'The answers go on'}, with the same scene`,
  );
}

function clearWarning(): void {
  byId('notices').querySelector('[data-kind=warning]')?.remove();
}

function set(next: PlaygroundScene, hasNewView: boolean): void {
  scene = next;
  showQuery(scene, backend);
  changed();
  choose(chosen);
  if (hasNewView) stage?.fitView();
}

function changeBody(body: number, change: Partial<BodyState>): void {
  const next = { ...scene.bodies[body] };
  for (const field of ['position', 'rotation', 'linear', 'angular'] as const) {
    if (change[field]) next[field] = rounded(change[field]);
  }
  if (change.shape) {
    try {
      checkShape(change.shape, scene.dimension);
    } catch (error) {
      showNotice(
        'warning',
        `The shape of ${'AB'[body]} is refused`,
        `${(error as Error).message}. The last good one stays`,
      );
      return;
    }
    clearWarning();
    next.shape = change.shape;
  }
  scene = { ...scene, bodies: scene.bodies.map((each, i) => (i === body ? next : each)) as [BodyState, BodyState] };
  changed();
}

function changed(): void {
  stage?.show(scene);
  scene.bodies.forEach((body, i) => panels[i].show(body, scene.dimension));
  byId('depth-hint').hidden = scene.dimension === 2;
  asking.changed();
}

function choose(body: number): void {
  chosen = body;
  for (const i of [0, 1]) {
    byId(`tab-${i}`).setAttribute('aria-selected', String(i === body));
    byId(`body-${i}`).hidden = i !== body;
  }
  stage?.select(body);
}

async function loadModel(body: number, file: File, as: 'mesh' | 'hull'): Promise<void> {
  try {
    const { shape, summary } = await modelShape(file, as);
    if (scene.dimension === 2) set(firstExample(3), false);
    checkShape(shape, 3);
    panels[body].note(`${file.name}: ${summary}`);
    changeBody(body, { shape });
    choose(body);
    stage?.fitView();
  } catch (error) {
    showNotice('warning', `${file.name} could not be used`, (error as Error).message);
  }
}

function enableControls(): void {
  for (const i of [0, 1]) byId(`tab-${i}`).addEventListener('click', () => choose(i));
  byId('fit').addEventListener('click', () => stage?.fitView());
  byId('share').addEventListener('click', () => void copyFrom('share', location.href));
  byId('copy-code').addEventListener('click', () => void copyFrom('copy-code', codeOf(scene, backend)));
  enableQueryControls({
    load: (next) => set(next, true),
    changeQuery(change) {
      scene = { ...scene, ...change };
      changed();
    },
    changeBackend(next) {
      backend = next;
      changed();
    },
  });
  acceptDrops(
    (isOver) => (byId('drop').hidden = !isOver),
    ({ files: [file] }, isWithShift) => file && void loadModel(chosen, file, isWithShift ? 'hull' : 'mesh'),
  );
  if (innerWidth <= NARROW) byId<HTMLDetailsElement>('details').open = false;
}
