/** The bench page: chooses cases, measures them one after the other, and shows them beside a stored report. */

import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { copyFrom } from '../common/copy-button.ts';
import { byId, create, fillRows, showNotice } from '../common/dom.ts';
import { openDevice, whenLost, type PageDevice } from '../common/open-device.ts';
import { saveFile } from '../common/save-file.ts';
import { BASE_PAIRS, PAGE_CASES, SEED, measureOnCpu, measureOnGpu, type CaseResult } from './measure.ts';
import { loadStored, type StoredReport, type StoredReports } from './stored.ts';
import { failureRow, pairsText, resultRow } from './table.ts';

/** The cases that are chosen at first: one of each kind. */
const FIRST_CASES = [
  'boxes/intersects/sat',
  'boxes/distances/auto',
  'boxes/contacts/sat',
  'hull32/distances',
  'hull32/contacts',
  'mixed/contacts',
];

/** Sizes to choose from, and the one at first. */
const SIZES = {
  hardware: { all: [2 ** 14, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22], first: 2 ** 20 },
  software: { all: [2 ** 10, 2 ** 12, 2 ** 14], first: 2 ** 12 },
  cpu: { all: [256, 1024, 2048], first: 1024 },
} as const;

const ROUNDS = 5;

/** What "Download JSON" gives. */
export interface PageReport {
  version: 1;
  /** The package that was measured. */
  package: string;
  date: string;
  userAgent: string;
  backend: 'webgpu' | 'cpu';
  adapter: { name: string; isSoftware: boolean } | null;
  settings: { pairs: number; basePairs: number; rounds: number; seed: number; hitRate: number };
  cases: CaseResult[];
  failures: { name: string; reason: string }[];
}

let gpu: PageDevice | undefined;
let isLost = false;
let stored: StoredReports | undefined;
let report: PageReport | undefined;
let running: AbortController | undefined;

await start().catch((error: Error) => {
  showNotice('error', 'The page could not start', error.message);
  document.documentElement.dataset.state = 'failed';
});

async function start(): Promise<void> {
  enableAbout();
  const opened = await openDevice(backendChoice(new URLSearchParams(location.search))).catch((error: Error) => ({
    reason: error.message,
  }));
  if ('reason' in opened) {
    showNotice('warning', 'Measured on the CPU, with fewer pairs', opened.reason);
  } else {
    gpu = opened;
    if (gpu.isSoftware)
      showNotice('warning', 'A software adapter', 'It computes on the processor, so the runs are shorter');
    whenLost(gpu, (reason) => {
      isLost = true;
      running?.abort();
      showState(false);
      showNotice('error', 'The graphics device was lost', `${reason}. Reload the page to measure again`);
    });
  }
  stored = await loadStored().catch((error: Error) => {
    showNotice('warning', 'The stored reports could not be loaded', error.message);
    return undefined;
  });
  showFacts();
  showChoices();
  byId('run').addEventListener('click', () => void run());
  byId('cancel').addEventListener('click', () => running?.abort());
  byId('stored').addEventListener('change', showTable);
  byId('copy').addEventListener('click', () => void copyFrom('copy', reportText()));
  byId('download').addEventListener('click', () =>
    saveFile(new Blob([reportText()], { type: 'application/json' }), 'narrowphase-bench.json'),
  );
  document.documentElement.dataset.state = 'done';
}

function kind(): keyof typeof SIZES {
  if (!gpu) return 'cpu';
  return gpu.isSoftware ? 'software' : 'hardware';
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`;
}

function showFacts(): void {
  fillRows(
    byId('facts'),
    gpu
      ? [
          ['Adapter', gpu.name],
          ['Timestamps', gpu.device.features.has('timestamp-query') ? 'yes' : 'no: wall clock'],
          ['Subgroups', gpu.device.features.has('subgroups') ? 'yes' : 'no'],
          ['Largest buffer', megabytes(gpu.device.limits.maxStorageBufferBindingSize)],
        ]
      : [
          ['Backend', 'CPU, double precision'],
          ['Threads', String(Math.min(8, navigator.hardwareConcurrency))],
        ],
  );
}

function showChoices(): void {
  byId('cases').replaceChildren(
    ...PAGE_CASES.map(({ name }) => {
      const box = create('input', '');
      Object.assign(box, { type: 'checkbox', value: name, checked: FIRST_CASES.includes(name) });
      return create('label', '', box, name);
    }),
  );
  const { all, first } = SIZES[kind()];
  const sizes = byId<HTMLSelectElement>('pairs');
  sizes.replaceChildren(...all.map((pairs) => new Option(pairsText(pairs), String(pairs))));
  sizes.value = String(first);
  const reports = stored?.reports ?? [];
  byId('stored').replaceChildren(
    ...reports.map(({ adapter, generator, date }, i) => new Option(`${adapter}, ${date}, ${generator}`, String(i))),
  );
}

function chosenReport(): StoredReport | undefined {
  return stored?.reports[Number(byId<HTMLSelectElement>('stored').value)];
}

async function run(): Promise<void> {
  const chosen = new Set(Array.from(byId('cases').querySelectorAll<HTMLInputElement>(':checked'), (box) => box.value));
  const cases = PAGE_CASES.filter(({ name }) => chosen.has(name));
  const pairs = Number(byId<HTMLSelectElement>('pairs').value);
  running = new AbortController();
  const { signal } = running;
  report = {
    version: 1,
    package: `narrowphase ${stored?.version ?? 'of unknown version'}`,
    date: new Date().toISOString(),
    userAgent: navigator.userAgent,
    backend: gpu ? 'webgpu' : 'cpu',
    adapter: gpu ? { name: gpu.name, isSoftware: gpu.isSoftware } : null,
    settings: { pairs, basePairs: BASE_PAIRS[gpu ? 'webgpu' : 'cpu'], rounds: ROUNDS, seed: SEED, hitRate: 0.5 },
    cases: [],
    failures: [],
  };
  showState(true);
  showTable();
  for (const [i, gpuCase] of cases.entries()) {
    const onStep = (step: string): void =>
      showProgress(`${i + 1} of ${cases.length}: ${gpuCase.name}, ${step}`, i / cases.length);
    const settings = { pairs, rounds: ROUNDS, signal, onStep };
    try {
      report.cases.push(await (gpu ? measureOnGpu(gpu, gpuCase, settings) : measureOnCpu(gpuCase, settings)));
    } catch (error) {
      if (signal.aborted) break;
      report.failures.push({ name: gpuCase.name, reason: (error as Error).message });
    }
    showTable();
  }
  const done = `${report.cases.length} of ${cases.length} cases`;
  showProgress(signal.aborted ? `Cancelled after ${done}` : `Done: ${done}`, 1);
  running = undefined;
  showState(false);
}

function showProgress(text: string, share: number): void {
  byId('progress-text').textContent = text;
  byId<HTMLProgressElement>('progress').value = share;
}

function showState(isRunning: boolean): void {
  document.documentElement.dataset.running = String(isRunning);
  byId<HTMLButtonElement>('run').disabled = isRunning || isLost;
  byId<HTMLButtonElement>('cancel').disabled = !isRunning;
  for (const id of ['copy', 'download']) byId<HTMLButtonElement>(id).disabled = isRunning || !report?.cases.length;
}

function showTable(): void {
  const of = chosenReport();
  byId('stored-name').textContent = of ? `${of.adapter}, M pairs/s` : 'Stored, M pairs/s';
  if (!report) return;
  byId('rows').replaceChildren(
    ...report.cases.map((result) => resultRow(result, of)),
    ...report.failures.map(({ name, reason }) => failureRow(name, reason)),
  );
  byId('report').textContent = JSON.stringify(report);
}

function reportText(): string {
  return JSON.stringify(report, null, 1);
}
