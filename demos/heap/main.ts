/** The page: loads the scene, draws it, tests its pairs, shows the figures, and lets the user pick a body. */

import { NarrowphaseError } from 'narrowphase';
import type { Contacts, Tester } from 'narrowphase';
import type { Scene } from '../../cli/scene/scene.ts';
import { depthOf, listContacts, STATUS_NAMES } from './contact-list.ts';
import type { ContactList } from './contact-list.ts';
import { prepareContactTest } from './contact-test.ts';
import type { CallTimings, ContactTest } from './contact-test.ts';
import { hideDetails, showDetails } from './details-card.ts';
import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { darkTheme } from '../common/dark-theme.ts';
import { byId, showNotice } from '../common/dom.ts';
import { showBackend, showDeepest, showFigures, showKinds, showSummary } from './figures.ts';
import type { Figures } from './figures.ts';
import { createHeapView } from './heap-view.ts';
import type { HeapView } from './heap-view.ts';
import { loadScene } from './load-scene.ts';
import type { LoadedScene } from './load-scene.ts';
import { currentPalette, depthColor } from './palette.ts';
import { createRenderer } from './renderer.ts';

async function main(): Promise<void> {
  enableAbout();
  const parameters = new URLSearchParams(location.search);
  const loaded = await loadScene(parameters);
  const { scene } = loaded;
  showSummary(scene);
  showKinds(scene, currentPalette());
  const picking: Picking = { scene };
  const view = openView(scene, (body) => pick(picking, body));
  picking.view = view;
  byId('progress').textContent = 'Testing all pairs…';
  // The first frame is drawn before anything is timed, because it takes time too.
  await view?.settled();

  const test = await prepareContactTest(scene, backendChoice(parameters), ({ message }) => {
    showNotice('error', 'The GPU device was lost', message || 'The browser gives no reason');
  });
  showTester(test.tester);

  const calls: CallTimings[] = [];
  const call = async (): Promise<void> => {
    const { contacts, timings } = await test.run();
    showTester(test.tester);
    calls.push(timings);
    picking.list = listContacts(contacts, test.pairs);
    byId('progress').textContent = '';
    document.documentElement.dataset.results = '';
    showFigures(figuresOf(loaded, test, contacts, calls), picking.list);
  };
  // Two calls: the first one compiles, the second one shows the time of all later calls.
  await call();
  await call();
  view?.setContacts(picking.list!);
  showDeepest(scene, picking.list!, (contact) => {
    picking.opener = document.activeElement;
    pick(picking, contact.a);
    view?.goTo(contact);
    byId('body-name').focus();
  });
  byId('clear').addEventListener('click', () => pick(picking, undefined));
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') pick(picking, undefined);
  });
  darkTheme.addEventListener('change', () => {
    showKinds(scene, currentPalette());
    view?.updatePalette();
  });
  enableRunAgain(async () => {
    await call();
    view?.setContacts(picking.list!);
  });
  document.documentElement.dataset.state = 'done';
}

interface Picking {
  scene: Scene;
  list?: ContactList;
  view?: HeapView;
  /** The element that had the keyboard focus before the card. */
  opener?: Element | null;
}

function pick(picking: Picking, body: number | undefined): void {
  const { scene, list, view } = picking;
  // Frames before the first results have no contacts to show.
  if (!list) return;
  if (body === undefined) {
    if (byId('details').contains(document.activeElement) && picking.opener instanceof HTMLElement)
      picking.opener.focus();
    picking.opener = undefined;
    hideDetails();
  } else {
    const deepest = depthOf(list.byDepth[0]);
    showDetails(
      scene,
      body,
      list.ofBody.get(body) ?? [],
      (contact) => depthColor(currentPalette(), depthOf(contact) / deepest).getStyle(),
      {
        hover: (contact) => view?.emphasise(contact),
        open: (contact) => view?.goTo(contact),
      },
    );
  }
  view?.pick(body);
}

/** The view, or a message in its place if there is no WebGL. The figures don't need it. */
function openView(scene: Scene, onPick: (body: number | undefined) => void): HeapView | undefined {
  const canvas = byId<HTMLCanvasElement>('view');
  const fitted = createRenderer(canvas);
  if (fitted) return createHeapView(fitted, scene, onPick);
  canvas.hidden = true;
  byId('no-view').hidden = false;
  return undefined;
}

function figuresOf(
  { scene, file, load }: LoadedScene,
  test: ContactTest,
  contacts: Contacts,
  calls: CallTimings[],
): Figures {
  const { tester, pairs, preparation } = test;
  return {
    scene: file,
    bodies: scene.bodies.shapes.length,
    shapes: scene.shapes.length,
    backend: tester.backend,
    adapter: tester.adapter,
    fallback: tester.fallback ?? null,
    candidatePairs: pairs.length / 2,
    hits: contacts.count,
    statusCounts: Object.fromEntries(STATUS_NAMES.map((name, status) => [name, contacts.statusCounts[status]])),
    timings: { load, ...preparation, calls },
  };
}

function enableRunAgain(run: () => Promise<void>): void {
  const button = byId<HTMLButtonElement>('run-again');
  button.disabled = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    await run().catch(showFailure);
    button.disabled = false;
  });
}

/** Shows where the tester runs. This changes if a lost device can't be replaced. */
function showTester(tester: Tester): void {
  showBackend(tester);
  if (tester.fallback !== undefined) showNotice('warning', 'This runs on the CPU', withAdvice(tester.fallback));
}

/** Adds advice if the page's address is the reason for the missing WebGPU. */
function withAdvice(reason: string): string {
  return isSecureContext ? reason : `${reason}. Browsers offer it on https addresses and on localhost only`;
}

function showFailure(error: unknown): void {
  document.documentElement.dataset.state = 'failed';
  byId('progress').textContent = '';
  const isMissing = error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE';
  const message = error instanceof Error ? error.message : String(error);
  if (isMissing)
    showNotice(
      'error',
      'WebGPU is required, and missing',
      `${withAdvice(message)}. Without "backend=webgpu" in the address, the CPU answers`,
    );
  else showNotice('error', 'This did not work', message);
  console.error(error);
}

main().catch(showFailure);
