/** The playground: keeps the scene, and tells the stage, the controls, the answers and the address of every change. */

import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { copyFrom } from '../common/copy-button.ts';
import { byId, showNotice } from '../common/dom.ts';
import { acceptDrops } from '../common/file-drop.ts';
import { openDevice, whenLost, type PageDevice } from '../common/open-device.ts';
import { sceneOfHash } from './address.ts';
import { showAnswer, showRefusal, showTime } from './answer-card.ts';
import { createAsker, type Answer, type Asker, type Backend } from './answer.ts';
import { createBodyPanel, type BodyPanel } from './body-panel.ts';
import { checkShape } from './check-scene.ts';
import type { Insets } from './cameras.ts';
import { codeOf } from './code.ts';
import { firstExample } from './examples.ts';
import { enableKeys } from './keys.ts';
import { modelShape } from './model-shape.ts';
import { enableQueryControls, offerWebGpu, showQuery } from './query-controls.ts';
import { rounded, type BodyState, type PlaygroundScene } from './scene.ts';
import { linkInspector, showCode, writeAddress } from './sharing.ts';
import { createStage, type Stage } from './stage.ts';

/** After so many milliseconds without a change the address, the code and the time are brought up to date. */
const IDLE_MS = 250;
/** CSS pixels, the same as in the style sheets. */
const NARROW = 720;

/** For tests and the console. */
export interface PlaygroundDemo {
  scene(): PlaygroundScene;
  load(scene: PlaygroundScene): void;
  /** The answer to the scene as it is, or null if it was refused; when the address and the code are up to date too. */
  settled(): Promise<Answer | null>;
  pageOf(body: number): { x: number; y: number };
}

declare global {
  interface Window {
    playground: PlaygroundDemo;
  }
}

let scene: PlaygroundScene = firstExample(3);
let backend: Backend = 'cpu';
let chosen = 0;
let asker: Asker;
let stage: Stage | undefined;
let answer: Answer | null = null;
/** Counts changes; answers to earlier ones are not shown. */
let version = 0;
let isAsking = false;
/** The latest change that the whole page shows. */
let restedVersion = -1;
let idleTimer: ReturnType<typeof setTimeout> | undefined;
let waiting: ((answer: Answer | null) => void)[] = [];

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
  const choice = backendChoice(new URLSearchParams(location.search));
  const gpu = await openGpu(choice);
  asker = createAsker(gpu);
  if (gpu && choice === 'webgpu') backend = 'webgpu';
  enableControls();
  await openStage(gpu);
  readAddress();
  addEventListener('hashchange', () => {
    clearWarning();
    readAddress();
  });
  window.playground = {
    scene: () => scene,
    load: (next) => set(next, true),
    settled: () => (restedVersion === version ? Promise.resolve(answer) : new Promise((done) => waiting.push(done))),
    pageOf: (body) => stage!.pageOf(body),
  };
  await window.playground.settled();
  document.documentElement.dataset.state = 'done';
}

async function openGpu(choice: ReturnType<typeof backendChoice>): Promise<PageDevice | undefined> {
  const opened = await openDevice(choice).catch((error: Error) => ({ reason: error.message }));
  if ('reason' in opened) {
    if (choice === 'webgpu') showNotice('warning', 'The queries run on the CPU', opened.reason);
    offerWebGpu(false, opened.reason);
    return undefined;
  }
  offerWebGpu(true);
  whenLost(opened, (reason) => {
    backend = 'cpu';
    byId<HTMLSelectElement>('backend').value = backend;
    offerWebGpu(false, reason);
    showNotice(
      'error',
      'The graphics device was lost',
      `${reason}. Reload the page to draw again: its address keeps the scene`,
    );
    changed();
  });
  return opened;
}

async function openStage(gpu: PageDevice | undefined): Promise<void> {
  try {
    stage = await createStage(byId<HTMLCanvasElement>('view'), gpu, coveredByAnswer, {
      change: changeBody,
      select: choose,
    });
  } catch (error) {
    const place = byId('no-view');
    const [reason] = (error as Error).message.split('\n');
    place.textContent = `This browser can't draw here (${reason}). The answers need no drawing: they are complete.`;
    place.hidden = false;
    byId('view').hidden = true;
  }
}

/** The card of answers covers the left of wide stages and the top of narrow ones. */
function coveredByAnswer(): Insets {
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = document.querySelector<HTMLElement>('.answer')!;
  return innerWidth > NARROW ? { left: offsetLeft + offsetWidth, top: 0 } : { left: 0, top: offsetTop + offsetHeight };
}

/** The scene of the address, or the first example; says what is wrong with a broken one. */
function readAddress(): void {
  let next: PlaygroundScene | undefined;
  try {
    next = sceneOfHash(location.hash);
  } catch (error) {
    showNotice(
      'warning',
      'The scene in the address is broken',
      `${(error as Error).message}. Here is an example instead`,
    );
  }
  set(next ?? firstExample(3), true);
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
  version++;
  stage?.show(scene);
  scene.bodies.forEach((body, i) => panels[i].show(body, scene.dimension));
  clearTimeout(idleTimer);
  if (!isAsking) void askUntilCurrent();
}

/** Asks again as long as the scene has changed meanwhile. */
async function askUntilCurrent(): Promise<void> {
  isAsking = true;
  for (let asked = -1; asked !== version;) {
    asked = version;
    const of = scene;
    try {
      const found = await asker.ask(of, backend);
      if (asked !== version) continue;
      answer = found;
      showAnswer(found, of);
      stage?.showAnswer(found);
    } catch (error) {
      if (asked !== version) continue;
      answer = null;
      showRefusal((error as Error).message);
      showTime();
      stage?.showAnswer(undefined);
    }
  }
  isAsking = false;
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => void rest(version), IDLE_MS);
}

/** Updates what need not follow every movement of the pointer. */
async function rest(of: number): Promise<void> {
  writeAddress(scene);
  showCode(scene, backend);
  try {
    await measure(of);
  } catch (error) {
    if (of === version && answer) showRefusal((error as Error).message);
  }
  if (of !== version) return;
  restedVersion = of;
  for (const done of waiting) done(answer);
  waiting = [];
}

async function measure(of: number): Promise<void> {
  if (!answer) return linkInspector(undefined);
  const time = await asker.time(scene, backend);
  if (of !== version) return;
  showTime({ ...time, algorithm: scene.algorithm, backend });
  const capture = await asker.capture(scene, backend);
  if (of !== version) return;
  await linkInspector(capture);
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
  const canvas = byId('view');
  enableKeys(canvas, {
    chosen: () => chosen,
    scene: () => scene,
    axes: () => stage!.axes(),
    choose,
    change: changeBody,
  });
  acceptDrops(
    (isOver) => (byId('drop').hidden = !isOver),
    ({ files: [file] }, isWithShift) => file && void loadModel(chosen, file, isWithShift ? 'hull' : 'mesh'),
  );
  if (innerWidth <= NARROW) byId<HTMLDetailsElement>('details').open = false;
}
