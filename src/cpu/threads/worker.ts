/** A worker of the CPU backend: the program that the backend's threads run, in browsers and in Node. */
import { planarRecords, spaceRecords } from '../../records/layout.ts';
import { passesBodyScreens, passesPairScreens } from '../../request/screen.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { answerPair } from '../answer-pair.ts';
import { answerPairs } from '../answer-pairs.ts';
import { answerPlanarPair } from '../planar/answer-pair.ts';
import { onMessage, post } from './platform.ts';
import {
  FORGET,
  READY,
  changeShapes,
  type PairTask,
  type PostedQuery,
  type PairTaskAnswer,
  type ScreenTask,
  type ScreenTaskAnswer,
  type ToWorker,
} from './task.ts';

const shapes: (ShapeBase | undefined)[] = [];
let query: PostedQuery | undefined;

onMessage((message: ToWorker) => {
  if (message === FORGET) {
    query = undefined;
    return;
  }
  if (message.shapes) changeShapes(shapes, message.shapes);
  query = message.query ?? query!;
  if ('part' in message) screen(query, message);
  else answer(query, message);
});

function screen({ over }: PostedQuery, { id, dimension, part, idCount, hasCheckedBodies }: ScreenTask): void {
  const table = { shapes, idCount };
  const passes =
    passesPairScreens(over, table, dimension, part) &&
    (hasCheckedBodies || passesBodyScreens(over, table, dimension, part));
  const screened: ScreenTaskAnswer = { id, passes };
  post(screened, []);
}

function answer({ over, ...asked }: PostedQuery, { id, dimension, first, count, ids }: PairTask): void {
  const start = performance.now();
  const records = dimension === 2 ? planarRecords : spaceRecords;
  const answerOne = dimension === 2 ? answerPlanarPair : answerPair;
  const all = { ...asked, over: { ...over, dimension: { records }, shapes: { shapes } } };
  const answers = answerPairs(answerOne, all, first, count, ids);
  const answered: PairTaskAnswer = { id, ...answers, ids, ms: performance.now() - start };
  const buffers = [answers.records, answers.listed?.buffer, ids?.buffer];
  post(answered, buffers.filter((buffer) => buffer !== undefined) as ArrayBuffer[]);
}

post(READY, []);
