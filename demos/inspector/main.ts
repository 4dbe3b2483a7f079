/** One pair, step by step: loads a capture, shows the step at hand in all views, and compares the answers. */

import { parseCapture, type CpuPlanarResults, type CpuResults } from 'narrowphase/cpu';
import { enableAbout } from '../common/about.ts';
import { backendChoice } from '../common/choose-backend.ts';
import { byId, create, fillRows, showNotice } from '../common/dom.ts';
import { gpuAnswer, oracleAnswer, type Answer } from './answers.ts';
import { CASES, type Case } from './cases.ts';
import { captureFacts } from './capture-facts.ts';
import { describeStep } from './describe-step.ts';
import { acceptCaptures, listenToKeys } from './input.ts';
import { inspectionOf, type Inspection } from './inspection.ts';
import { fillAnswers, fillFields, type Answers } from './numbers-panel.ts';
import { phaseAt, phasesOf, type Phase } from './phases.ts';
import { createStage } from './stage.ts';
import { createTimeline } from './timeline.ts';
import { addressOf, readUrl, writeUrl } from './url-state.ts';

/** What tests drive, as `window.inspector`. */
export interface InspectorDemo {
  /** Shows a capture, such as `JSON.parse` gives it, without drawing, and returns the last step's result and the number of steps. */
  load(capture: unknown): { result: (CpuResults | CpuPlanarResults)[keyof CpuResults]; steps: number };
  /** The oracle's answer for the pair at hand. */
  oracle(): ReturnType<typeof oracleAnswer>;
  readonly step: number;
  readonly cases: readonly string[];
}

declare global {
  interface Window {
    inspector: InspectorDemo;
  }
}

const PLAY_MS = 650;
const FIRST_CASE = 'arcs-hulls';

let inspection: Inspection | undefined;
let phases: readonly Phase[] = [];
let at = 0;
let address = '';
/** Raised with each pair, so that late answers for another are dropped. */
let generation = 0;
let playing: ReturnType<typeof setInterval> | undefined;

const stage = createStage();
const timeline = createTimeline(go);
const picker = byId<HTMLSelectElement>('case');

function go(to: number): void {
  if (!inspection) return;
  at = Math.min(Math.max(to, 0), inspection.steps.length - 1);
  timeline.show(at, phaseAt(phases, at), describeStep(inspection.steps[at]));
  byId<HTMLButtonElement>('back').disabled = at === 0;
  byId<HTMLButtonElement>('next').disabled = at === inspection.steps.length - 1;
  stage.show(inspection, at);
  writeUrl(address, at + 1);
}

function play(): void {
  if (playing !== undefined) return pause();
  if (inspection && at === inspection.steps.length - 1) go(0);
  byId('play').textContent = 'Pause';
  playing = setInterval(() => {
    if (!inspection || at >= inspection.steps.length - 1) pause();
    else go(at + 1);
  }, PLAY_MS);
}

function pause(): void {
  clearInterval(playing);
  playing = undefined;
  byId('play').textContent = 'Play';
}

/** Makes a checked capture the pair at hand. Throws for what the reference refuses; the pair before then stays. */
function use(value: unknown): Inspection {
  const made = inspectionOf(parseCapture(value));
  inspection = made;
  phases = phasesOf(made.steps);
  generation++;
  return made;
}

function open(value: unknown, from: Case | undefined, step?: number): void {
  const made = use(value);
  pause();
  byId('notices').replaceChildren();
  picker.value = from?.name ?? '';
  byId('note').textContent = from?.note ?? partsNote(made);
  timeline.fill(phases, made.steps.length);
  stage.reset(made);
  address = '';
  go((step ?? made.steps.length) - 1);
  const own = generation;
  void addressOf(from?.name, JSON.stringify(made.given)).then((text) => {
    if (own !== generation) return;
    address = text;
    writeUrl(address, at + 1);
  });
  showAnswers(made, from);
}

function partsNote({ given, capture, parts }: Inspection): string {
  if (given === capture) return '';
  const names = given.shapes.map(({ type }, i) => {
    const body = 'AB'[i];
    if (type !== 'compound' && type !== 'mesh') return body;
    return `${type === 'mesh' ? 'triangle' : 'part'} ${parts[i]} of ${body}`;
  });
  return `${names.join(' and ')} decide the answer. These two are shown.`.replace(/^./, (letter) =>
    letter.toUpperCase(),
  );
}

function showAnswers(made: Inspection, from: Case | undefined): void {
  const own = generation;
  const { capture, steps } = made;
  const last = steps.at(-1)!;
  if (last.type !== 'result') throw new Error(`the trace ends with ${last.type}`);
  const answers: Answers = {
    reference: last.result,
    captured: [capture.result].flat()[0] as unknown as Answer,
    source: capture.backend === 'webgpu' ? 'WebGPU' : 'CPU',
    other: from?.other,
  };
  const fill = (): void => {
    if (own !== generation) return;
    fillAnswers(byId('answers'), answers);
    fillFields(byId('fields'), answers);
  };
  fill();
  fillRows(byId('facts'), captureFacts(made.given));
  // The oracle may take a while: the views come first.
  setTimeout(() => {
    if (own !== generation) return;
    answers.oracle = oracleAnswer(made);
    fill();
  });
  void gpuAnswer(made.given, backendChoice(new URLSearchParams(location.search))).then((gpu) => {
    answers.gpu = gpu;
    fill();
    if (own === generation)
      byId('gpu').textContent = 'reason' in gpu ? `No kernels here: ${gpu.reason}.` : `Kernels ran on ${gpu.name}.`;
  });
}

function openText(text: string, name: string, step?: number): void {
  try {
    open(JSON.parse(text), undefined, step);
  } catch (error) {
    refuse(name, (error as Error).message);
  }
}

function refuse(name: string, reason: string): void {
  showNotice('error', `${name} cannot be inspected`, reason);
}

function openCase(name: string, step?: number): void {
  const found = CASES.find((each) => each.name === name);
  try {
    if (!found) throw new Error(`there is no case ${JSON.stringify(name)}`);
    open(found.capture(), found, step);
  } catch (error) {
    showNotice('error', 'The case cannot be opened', (error as Error).message);
  }
}

async function openAddress(): Promise<void> {
  try {
    const { name, text, from, step } = await readUrl();
    if (from !== undefined) openText(await fetchText(from), from, step);
    else if (text !== undefined) openText(text, 'The address', step);
    else if (name !== undefined) openCase(name, step);
  } catch (error) {
    showNotice('error', 'The address cannot be opened', (error as Error).message);
  }
  if (!inspection) openCaseKeepingNotice(FIRST_CASE);
}

/** A file of the page's own server: its policy permits no other. */
async function fetchText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} is not there`);
  return response.text();
}

/** Shows a case in place of a wrong address, and keeps the notice that says what is wrong with it. */
function openCaseKeepingNotice(name: string): void {
  const notices = [...byId('notices').children];
  openCase(name);
  byId('notices').append(...notices);
}

function fillPicker(): void {
  const groups = [...new Set(CASES.map(({ group }) => group))];
  picker.append(
    new Option('From a file or the clipboard', '', false, false),
    ...groups.map((group) => {
      const list = create('optgroup', '');
      list.label = group;
      list.append(...CASES.filter((each) => each.group === group).map(({ name, title }) => new Option(title, name)));
      return list;
    }),
  );
  picker.addEventListener('change', () => picker.value && openCase(picker.value));
}

window.inspector = {
  load(capture) {
    const { steps } = use(capture);
    const last = steps.at(-1)!;
    if (last.type !== 'result') throw new Error(`the trace ends with ${last.type}`);
    return { result: last.result, steps: steps.length };
  },
  oracle: () => inspection && oracleAnswer(inspection),
  get step() {
    return at + 1;
  },
  cases: CASES.map(({ name }) => name),
};

enableAbout();
fillPicker();
acceptCaptures((text, name) => openText(text, name), refuse);
const moves = {
  by: (steps: number) => (pause(), go(at + steps)),
  toStart: () => go(0),
  toEnd: () => go(Infinity),
  play,
};
listenToKeys(moves);
byId('back').addEventListener('click', () => moves.by(-1));
byId('next').addEventListener('click', () => moves.by(1));
byId('play').addEventListener('click', play);
addEventListener('hashchange', () => void openAddress());
await openAddress();
document.documentElement.dataset.state = inspection ? 'done' : 'failed';
