/** The panel of figures. The page also holds the figures as JSON, for programs that read it. */

import type { AdapterDescription } from 'narrowphase';
import { bodyName, depthOf, STATUS_NAMES } from './contact-list.ts';
import type { Contact, ContactList } from './contact-list.ts';
import type { CallTimings } from './contact-test.ts';
import { byId, create, fillRows, swatched } from '../common/dom.ts';
import { count, metres, milliseconds, words } from './format.ts';
import { countKinds, KIND_NAMES } from './kinds.ts';
import type { Palette } from './palette.ts';
import type { Scene } from '../../cli/scene/scene.ts';

/** Data of the page after a call. All times are in milliseconds. */
export interface Figures {
  scene: string;
  bodies: number;
  shapes: number;
  backend: 'webgpu' | 'cpu';
  adapter: AdapterDescription;
  fallback: string | null;
  candidatePairs: number;
  hits: number;
  statusCounts: Record<string, number>;
  timings: { load: number; pairs: number; start: number; calls: CallTimings[] };
}

/** Colours of the statuses in the bar. Separated pairs have the background's colour. */
const STATUS_COLORS = ['var(--line)', 'var(--accent)', '#e0921f', '#c2273d', '#7a2fb0'];

/** How many of the deepest contacts are listed. */
const DEEPEST = 5;

export function showSummary(scene: Scene): void {
  byId('title').textContent = scene.name.charAt(0).toUpperCase() + scene.name.slice(1);
  const hulls = scene.bodies.shapes.reduce((sum, shape) => sum + Number(scene.shapes[shape].type === 'hull'), 0);
  byId('summary').textContent =
    `${count(scene.bodies.shapes.length)} bodies of ${count(scene.shapes.length)} shapes, ${count(hulls)} of them convex hulls.`;
}

export function showKinds(scene: Scene, palette: Palette): void {
  fillRows(
    byId('kinds'),
    countKinds(scene).map(({ kind, count: bodies }) => [
      swatched(palette.bodies[kind], KIND_NAMES[kind]),
      count(bodies),
    ]),
  );
}

export function showBackend({ backend, adapter }: Pick<Figures, 'backend' | 'adapter'>): void {
  byId('backend').textContent = backend === 'webgpu' ? 'WebGPU' : 'CPU';
  byId('hardness').hidden = false;
  if (backend === 'cpu') {
    byId('hardness').textContent = 'double-precision reference';
    fillRows(byId('adapter'), []);
    return;
  }
  byId('hardness').textContent = adapter.isSoftware ? 'software' : 'hardware';
  fillRows(byId('adapter'), [
    ['Vendor', told(adapter.vendor)],
    ['Architecture', told(adapter.architecture)],
    ['Description', told(adapter.description)],
  ]);
}

/** Browsers may withhold facts about the device. */
function told(text: string): string {
  return text || 'not told by the browser';
}

export function showFigures(figures: Figures, list: ContactList): void {
  byId('hits').textContent = count(figures.hits);
  byId('candidates').textContent = `hits of ${count(figures.candidatePairs)} candidates`;
  const statuses = Object.entries(figures.statusCounts);
  byId('status-bar').replaceChildren(
    ...statuses.flatMap(([, pairs], status) => {
      if (pairs === 0) return [];
      const part = create('i', '');
      part.style.cssText = `flex: ${pairs}; background: ${STATUS_COLORS[status]}`;
      return [part];
    }),
  );
  fillRows(
    byId('statuses'),
    statuses.map(([name, pairs], status) => [swatched(STATUS_COLORS[status], words(name)), count(pairs)]),
  );
  showTimings(figures);
  byId('figures').textContent = JSON.stringify({
    ...figures,
    contacts: list.contacts.map(({ pair, a, b, status, distance }) => ({
      pair,
      a,
      b,
      status: STATUS_NAMES[status],
      distance,
    })),
  });
}

function showTimings({ backend, timings: { load, pairs, start, calls } }: Figures): void {
  const first = calls[0];
  const latest = calls.at(-1)!;
  byId('latest-call').textContent = calls.length < 3 ? 'second call' : `call ${calls.length}`;
  const rows: [string, (call: CallTimings) => string][] = [['Whole call', (call) => milliseconds(call.total)]];
  if (backend === 'cpu') rows.push(['Algorithms', (call) => milliseconds(call.kernels)]);
  else {
    // If the device has no timestamps, all time since submission counts as reading back.
    const hasKernels = calls.some((call) => call.kernels > 0);
    rows.push(['Compiling', (call) => milliseconds(call.compile)]);
    if (hasKernels) rows.push(['Kernels', (call) => milliseconds(call.kernels)]);
    rows.push([hasKernels ? 'Reading back' : 'Kernels and reading back', (call) => milliseconds(call.readBack)]);
  }
  byId('calls').replaceChildren(
    ...rows.map(([name, text]) => {
      const head = create('th', '', name);
      head.scope = 'row';
      return create(
        'tr',
        '',
        head,
        create('td', '', text(first)),
        create('td', '', calls.length > 1 ? text(latest) : '…'),
      );
    }),
  );
  fillRows(byId('preparation'), [
    ['Loading the scene', milliseconds(load)],
    ['Candidate pairs', milliseconds(pairs)],
    ['Starting the backend', milliseconds(start)],
  ]);
}

/** The deepest contacts, each a button. */
export function showDeepest(scene: Scene, list: ContactList, open: (contact: Contact) => void): void {
  byId('deepest').replaceChildren(
    ...list.byDepth.slice(0, DEEPEST).map((contact) => {
      const names = `${bodyName(scene, contact.a)} · ${bodyName(scene, contact.b)}`;
      const button = create('button', '', create('span', '', names), create('span', '', metres(depthOf(contact))));
      button.type = 'button';
      button.addEventListener('click', () => open(contact));
      return create('li', '', button);
    }),
  );
}
