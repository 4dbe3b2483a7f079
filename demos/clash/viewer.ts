/** What the page shows: a model, its clashes, and the one that is selected. */

import type { Clash, ClashHeader, ClashReport } from '../../cli/clash/clash-report.ts';
import { CATEGORIES } from '../../cli/clash/categories.ts';
import { counted } from '../../cli/terminal-text.ts';
import { byId, showNotice } from '../common/dom.ts';
import { hideCard, placeLabel, showCard } from './clash-card.ts';
import { createClashList } from './clash-list.ts';
import { isInMetres, namesOf } from './clash-text.ts';
import type { GivenFile, ViewScene } from './check-messages.ts';
import { createBodyMatcher } from './match-bodies.ts';
import type { Stage } from './stage.ts';

export interface Model {
  file: GivenFile;
  beside: GivenFile[];
  scene: ViewScene;
  sha256: string;
  up: 'y' | 'z';
}

export interface Result {
  header: ClashHeader;
  clashes: readonly Clash[];
  /** Where it comes from: "3.2 s on the CPU", for example. */
  origin: string;
}

export interface Viewer {
  readonly model: Model | undefined;
  readonly result: Result | undefined;
  /** Draws in this stage from now on. undefined: nothing can be drawn. */
  setStage(stage: Stage | undefined): void;
  setModel(model: Model | undefined): void;
  setResult(result: Result | undefined): void;
  /** Shows the result's numbers again, in place of a progress. */
  restoreSummary(): void;
  select(index: number): void;
  step(step: 1 | -1): void;
  showAll(): void;
}

export function createViewer(): Viewer {
  let model: Model | undefined;
  let result: Result | undefined;
  let stage: Stage | undefined;
  let selected: number | undefined;
  let bodiesOf = createBodyMatcher(undefined);
  const list = createClashList((index) => select(index));

  const isMetre = (): boolean => isInMetres(result?.header.scene.file ?? model?.file.path ?? '');

  const drawModel = (): void => {
    if (!stage) return;
    const { areBoxes } = stage.setModel(model?.scene, model?.up ?? 'y');
    if (areBoxes)
      showNotice('warning', 'Drawn as boxes', 'the model has too many triangles; the check uses all of them');
  };
  const select = (index: number): void => {
    selected = index;
    const clash = result!.clashes[index];
    const bodies = bodiesOf(clash);
    list.mark(index);
    const missing = namesOf(clash).filter((_, side) => bodies[side] === undefined);
    showCard({ clash, isMetre: isMetre(), place: list.place(index), missing });
    stage?.select(index, bodies);
  };
  const deselect = (): void => {
    selected = undefined;
    hideCard();
    list.mark(undefined);
  };

  return {
    get model() {
      return model;
    },
    get result() {
      return result;
    },
    setStage(given) {
      stage = given;
      if (!stage) return;
      stage.onFrame(placeLabel);
      stage.onPick(select);
      drawModel();
      if (result) stage.setClashes(result.clashes);
      if (selected !== undefined) select(selected);
    },
    setModel(given) {
      model = given;
      bodiesOf = createBodyMatcher(given?.scene);
      deselect();
      drawModel();
    },
    setResult(given) {
      result = given;
      deselect();
      list.show(given?.clashes ?? [], isMetre());
      stage?.setClashes(given?.clashes ?? []);
      if (given) summarise(given, model);
    },
    restoreSummary() {
      if (result) summarise(result, model);
      else byId('summary').textContent = '';
    },
    select,
    step(step) {
      if (selected === undefined) return;
      const next = list.neighbour(selected, step);
      if (next !== undefined) select(next);
    },
    showAll() {
      deselect();
      stage?.showAll();
    },
  };
}

function summarise({ header, clashes, origin }: Result, model: Model | undefined): void {
  const { scene, candidatePairs, tolerance, clearance, unanswered } = header;
  byId('model-name').textContent = scene.name;
  const limits = clearance === null ? `tolerance ${tolerance}` : `tolerance ${tolerance}, clearance ${clearance}`;
  const parts = [
    `${counted(clashes.length, 'clash')} among ${counted(scene.bodies, 'part')}`,
    `${counted(candidatePairs, 'near pair')}, ${limits}`,
    origin,
  ];
  if (unanswered.length > 0) parts.push(`${counted(unanswered.length, 'pair')} without an answer`);
  if (!model) parts.push('no model: only the points are drawn');
  byId('summary').textContent = `${parts.join(' · ')}.`;
  document.documentElement.dataset.counts = JSON.stringify(
    Object.fromEntries(CATEGORIES.map((category) => [category, header.categories[category]])),
  );
}

export async function clashesOf(report: ClashReport): Promise<Clash[]> {
  const clashes: Clash[] = [];
  for await (const batch of report.clashes()) clashes.push(...batch);
  return clashes;
}
