/** A worker of the CPU backend: the program that the backend's threads run, in browsers and in Node. */
import { planarRecords, spaceRecords } from '../../records/layout.ts';
import { passesBodyScreens, passesPairScreens } from '../../request/screen.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { answerPair } from '../answer-pair.ts';
import { answerPairs } from '../answer-pairs.ts';
import { answerPlanarPair } from '../planar/answer-pair.ts';
import { onMessage, post } from './platform.ts';
import type { RequestData } from '../answer-request.ts';
import {
  FORGET,
  READY,
  changeShapes,
  type PairTask,
  type PairTaskAnswer,
  type ScreenTask,
  type ScreenTaskAnswer,
  type ToWorker,
} from './task.ts';

const shapes: (ShapeBase | undefined)[] = [];
let request: RequestData | undefined;

onMessage((message: ToWorker) => {
  if (message === FORGET) {
    request = undefined;
    return;
  }
  if (message.shapes) changeShapes(shapes, message.shapes);
  request = message.request ?? request!;
  if ('part' in message) screen(request, message);
  else answer(request, message);
});

function screen(whole: RequestData, { id, dimension, part, idCount, hasCheckedBodies }: ScreenTask): void {
  const table = { shapes, idCount };
  const passes =
    passesPairScreens(whole, table, dimension, part) &&
    (hasCheckedBodies || passesBodyScreens(whole, table, dimension, part));
  const screened: ScreenTaskAnswer = { id, passes };
  post(screened, []);
}

function answer(asked: RequestData, { id, dimension, first, count, ids }: PairTask): void {
  const start = performance.now();
  const ofDimension = { dimension, records: dimension === 2 ? planarRecords : spaceRecords };
  const answerOne = dimension === 2 ? answerPlanarPair : answerPair;
  const answers = answerPairs(answerOne, { ...asked, dimension: ofDimension, shapes: { shapes } }, first, count, ids);
  const answered: PairTaskAnswer = { id, ...answers, ids, ms: performance.now() - start };
  const buffers = [answers.records, answers.listed?.buffer, ids?.buffer];
  post(answered, buffers.filter((buffer) => buffer !== undefined) as ArrayBuffer[]);
}

post(READY, []);
