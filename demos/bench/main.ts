/** The bench page: chooses cases, has a worker measure them one after the other, and shows them beside a stored report. */

import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { copyFrom } from '../common/copy-button.ts';
import { byId, showNotice } from '../common/dom.ts';
import { saveFile } from '../common/save-file.ts';
import { createMeasurer, type Measurer } from './measurer.ts';
import type { AdapterFacts, WorkerEvent } from './messages.ts';
import { chosenCases, chosenPairs, chosenStored, showCases, showFacts, showSizes, showStored } from './panel.ts';
import { makeReport, type PageReport } from './report.ts';
import { ROUNDS } from './settings.ts';
import { loadStored, type StoredReports } from './stored.ts';
import { failureRow, resultRow } from './table.ts';

let measurer: Measurer;
let stored: StoredReports | undefined;
let report: PageReport | undefined;
/** Cases of the run. */
let wanted = 0;
let isRunning = false;

await start().catch((error: Error) => fail('The page could not start', error.message));

async function start(): Promise<void> {
  enableAbout();
  measurer = createMeasurer(backendChoice(new URLSearchParams(location.search)), onEvent, (reason) => {
    fail('Measuring failed', reason);
    if (isRunning) endRun('Stopped');
  });
  showCases();
  const opening = measurer.open();
  stored = await loadStored().catch((error: Error) => {
    showNotice('warning', 'The stored reports could not be loaded', error.message);
    return undefined;
  });
  showStored(stored?.reports ?? []);
  byId('run').addEventListener('click', () => void run());
  byId('cancel').addEventListener('click', () => {
    measurer.end();
    endRun('Cancelled');
  });
  byId('stored').addEventListener('change', showTable);
  byId('copy').addEventListener('click', () => void copyFrom('copy', reportText()));
  byId('download').addEventListener('click', () =>
    saveFile(new Blob([reportText()], { type: 'application/json' }), 'narrowphase-bench.json'),
  );
  await opening;
  document.documentElement.dataset.state = 'done';
}

async function run(): Promise<void> {
  const cases = chosenCases();
  wanted = cases.length;
  isRunning = true;
  report = undefined;
  showTable();
  showProgress('Opening the device', 0);
  showState();
  const { adapter } = await measurer.open();
  const pairs = chosenPairs();
  report = makeReport(stored?.version, adapter, pairs);
  measurer.run({ cases, pairs, rounds: ROUNDS });
}

function onEvent(event: WorkerEvent): void {
  switch (event.kind) {
    case 'opened':
      clearFailure();
      showDevice(event.adapter, event.reason);
      return;
    case 'lost':
      showNotice('error', 'The graphics device was lost', `${event.reason}. Run opens a new one`);
      if (isRunning) endRun('Stopped');
      return;
    case 'step': {
      const ended = report!.cases.length + report!.failures.length;
      showProgress(`${ended + 1} of ${wanted}: ${event.name}, ${event.step}`, ended / wanted);
      return;
    }
    case 'measured':
      report!.cases.push(event.result);
      showTable();
      return;
    case 'failed':
      report!.failures.push({ name: event.name, reason: event.reason });
      showTable();
      return;
    case 'done':
      endRun('Done');
  }
}

function showDevice(adapter: AdapterFacts | null, reason: string): void {
  if (!adapter) showNotice('warning', 'Measured on the CPU, with fewer pairs', reason);
  else if (adapter.isSoftware) {
    showNotice('warning', 'A software adapter', 'It computes on the processor, so the runs are shorter');
  }
  showFacts(adapter);
  showSizes(adapter);
}

function endRun(how: 'Done' | 'Cancelled' | 'Stopped'): void {
  isRunning = false;
  const done = `${report?.cases.length ?? 0} of ${wanted} cases`;
  showProgress(how === 'Done' ? `Done: ${done}` : `${how} after ${done}`, 1);
  showState();
}

function showProgress(text: string, share: number): void {
  byId('progress-text').textContent = text;
  byId<HTMLProgressElement>('progress').value = share;
}

function showState(): void {
  document.documentElement.dataset.running = String(isRunning);
  byId<HTMLButtonElement>('run').disabled = isRunning;
  byId<HTMLButtonElement>('cancel').disabled = !isRunning;
  for (const id of ['copy', 'download']) byId<HTMLButtonElement>(id).disabled = isRunning || !report?.cases.length;
}

function showTable(): void {
  const other = stored?.reports[chosenStored()];
  byId('stored-name').textContent = other ? `${other.adapter}, M pairs/s` : 'Stored, M pairs/s';
  const { cases = [], failures = [] } = report ?? {};
  byId('rows').replaceChildren(
    ...cases.map((result) => resultRow(result, other)),
    ...failures.map(({ name, reason }) => failureRow(name, reason)),
  );
  byId('report').textContent = report ? JSON.stringify(report) : '';
}

function reportText(): string {
  return JSON.stringify(report, null, 1);
}

/** A new worker has opened its device, so what ended the one before is over. */
function clearFailure(): void {
  byId('notices').querySelector('[data-kind=error]')?.remove();
  const { dataset } = document.documentElement;
  if (dataset.state === 'failed') dataset.state = 'done';
}

function fail(title: string, reason: string): void {
  showNotice('error', title, reason);
  document.documentElement.dataset.state = 'failed';
}
