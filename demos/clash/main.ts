/** The clash viewer: checks a model in the page, or shows a report of `narrowphase clash`. */

import { enableAbout } from '../common/about.ts';
import { backendChoice, type BackendChoice } from '../common/choose-backend.ts';
import { byId, showNotice } from '../common/dom.ts';
import { openDevice, whenLost } from '../common/open-device.ts';
import { saveFile } from '../common/save-file.ts';
import { acceptFiles } from './accept-files.ts';
import { createCheckRunner } from './check-runner.ts';
import type { CheckEvent, GivenFile } from './check-messages.ts';
import { EXPORT_FORMATS, exportReport } from './export-report.ts';
import { readOptions, resetOptions, setOptions, type ShownOptions } from './options-form.ts';
import { sortFiles, type SortedFiles } from './read-files.ts';
import { SAMPLE_CLEARANCE, SAMPLE_FILE, samplePlant } from './sample/plant.ts';
import { createStage } from './stage.ts';
import { clashesOf, createViewer, type Model } from './viewer.ts';

const page = document.documentElement;
const viewer = createViewer();
const runner = createCheckRunner();
let choice: BackendChoice = 'auto';

/** Opens the user's files. If they cannot be read, the page keeps what it shows. */
async function open(files: readonly GivenFile[]): Promise<void> {
  clearNotices();
  try {
    const sorted = sortFiles(files);
    if (sorted.model) {
      resetOptions();
      setOptions({ up: /\.(?:glb|gltf)$/i.test(sorted.model.path) ? 'y' : 'z' });
      check(sorted.model, sorted.beside, readOptions(), sorted.report);
    } else await showReport(sorted.report!);
  } catch (error) {
    fail('This cannot be opened', error);
  }
}

function check(file: GivenFile, beside: GivenFile[], options: ShownOptions, report?: SortedFiles['report']): void {
  page.dataset.state = 'loading';
  const task = { model: file, beside, backend: choice, options, readOnly: report !== undefined };
  runner.run(task, (event) => void onEvent(event));

  async function onEvent(event: CheckEvent): Promise<void> {
    switch (event.kind) {
      case 'progress':
        return showProgress(event.text, event.done, event.total);
      case 'scene':
        viewer.setResult(undefined);
        setModel({ file, beside, scene: event.scene, sha256: event.sha256, up: options.up });
        byId('model-name').textContent = event.scene.name;
        if (event.notes.length > 0) showNotice('warning', 'About this model', event.notes.join('; '));
        if (report) await showReport(report);
        return;
      case 'done': {
        hideProgress();
        const { header, clashes, milliseconds } = event;
        const [engine] = header.engines;
        const origin = `${(milliseconds / 1000).toFixed(1)} s on the ${engine.backend === 'webgpu' ? 'GPU' : 'CPU'}`;
        viewer.setResult({ header, clashes, origin });
        page.dataset.backend = engine.backend;
        if (engine.fallback) showNotice('warning', 'The check runs on the CPU', engine.fallback);
        return finish('done');
      }
      case 'failed':
        return fail(event.stage === 'reading' ? 'This model cannot be read' : 'The check stopped', event.reason);
    }
  }
}

/** A report alone is shown on the open model if it is of that model. */
async function showReport({ file, report }: NonNullable<SortedFiles['report']>): Promise<void> {
  const clashes = await clashesOf(report);
  const { model } = viewer;
  const isSame = model !== undefined && model.sha256 === report.header.scene.sha256;
  if (model && !isSame && model.scene.name !== report.header.scene.name) setModel(undefined);
  else if (model && !isSame) {
    showNotice('warning', 'Another version of the model', `${file} is of a file with the same name and other content`);
  }
  hideProgress();
  viewer.setResult({ header: report.header, clashes, origin: `from ${file}` });
  finish('done');
}

function setModel(model: Model | undefined): void {
  viewer.setModel(model);
  byId('save-model').hidden = model?.file.path !== SAMPLE_FILE;
}

function fail(title: string, error: unknown): void {
  hideProgress();
  viewer.restoreSummary();
  showNotice('error', title, error instanceof Error ? error.message : String(error));
  finish(viewer.model || viewer.result ? 'done' : 'failed');
}

function finish(state: 'done' | 'failed'): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-export]')) button.disabled = !viewer.result;
  page.dataset.state = state;
}

function showProgress(text: string, done: number, total: number): void {
  byId('summary').textContent = total > 0 ? `${text}: ${done.toLocaleString('en')} done` : `${text}…`;
  const bar = byId<HTMLProgressElement>('progress');
  bar.hidden = false;
  if (total > 0) {
    bar.max = total;
    bar.value = done;
  } else bar.removeAttribute('value');
}

function hideProgress(): void {
  byId('progress').hidden = true;
}

function clearNotices(): void {
  byId('notices').replaceChildren();
}

async function openStage(): Promise<void> {
  const canvas = byId<HTMLCanvasElement>('view');
  try {
    const gpu = await openDevice(choice);
    if ('reason' in gpu && choice !== 'cpu')
      showNotice(
        'warning',
        'No graphics card for WebGPU',
        `${gpu.reason}. The check runs on the CPU, the view on WebGL`,
      );
    const device = 'reason' in gpu ? undefined : gpu;
    viewer.setStage(await createStage(canvas, device));
    byId('no-view').hidden = true;
    if (device) whenLost(device, restoreStage);
  } catch (error) {
    viewer.setStage(undefined);
    byId('no-view').textContent =
      `The model cannot be drawn here, but is checked all the same: ${(error as Error).message}`;
    byId('no-view').hidden = false;
  }
}

/** A canvas whose device was lost cannot be used with another one. */
function restoreStage(reason: string): void {
  showNotice('warning', 'The graphics device was lost', `${reason}. The view was opened again`);
  const canvas = byId('view');
  canvas.replaceWith(canvas.cloneNode());
  void openStage();
}

function wire(): void {
  enableAbout();
  acceptFiles((files) => {
    files.then(open).catch((error: unknown) => fail('The files cannot be read', error));
  });
  byId('options').addEventListener('submit', (event) => {
    event.preventDefault();
    clearNotices();
    try {
      const options = readOptions();
      if (viewer.model) check(viewer.model.file, viewer.model.beside, options);
      else throw new Error('there is no model to check: the page shows a report');
    } catch (error) {
      fail('The check was not started', error);
    }
  });
  for (const format of EXPORT_FORMATS) {
    document.querySelector(`[data-export=${format}]`)!.addEventListener('click', () => {
      const { header, clashes } = viewer.result!;
      const up = viewer.model?.up ?? 'z';
      exportReport(header, clashes, format, up).then(
        (blob) => saveFile(blob, `${header.scene.name.replace(/[^\p{L}\p{N}._ -]/gu, '_')}-clashes.${format}`),
        (error: unknown) => showNotice('error', 'The report was not written', (error as Error).message),
      );
    });
  }
  byId('save-model').addEventListener('click', () => saveFile(new Blob([samplePlant()]), SAMPLE_FILE));
  byId('previous').addEventListener('click', () => viewer.step(-1));
  byId('next').addEventListener('click', () => viewer.step(1));
  byId('show-all').addEventListener('click', () => viewer.showAll());
  addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
    if ((target as HTMLElement).matches('input, textarea, select')) return;
    if (key === 'Escape') viewer.showAll();
    else if (key === 'n' || key === 'p') viewer.step(key === 'n' ? 1 : -1);
  });
}

async function start(): Promise<void> {
  wire();
  choice = backendChoice(new URLSearchParams(location.search));
  await openStage();
  setOptions({ clearance: SAMPLE_CLEARANCE, up: 'y' });
  check({ path: SAMPLE_FILE, bytes: samplePlant() }, [], readOptions());
}

await start().catch((error: unknown) => fail('The page could not start', error));
