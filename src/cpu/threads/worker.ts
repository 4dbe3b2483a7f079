/** A worker of the CPU backend: the program that the backend's threads run, in browsers and in Node. */
import { planarRecords, spaceRecords } from '../../records/layout.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { answerPair } from '../answer-pair.ts';
import { answerPairs } from '../answer-pairs.ts';
import { answerPlanarPair } from '../planar/answer-pair.ts';
import { onMessage, post } from './platform.ts';
import type { RequestData } from '../answer-request.ts';
import { FORGET, READY, changeShapes, type TaskAnswer, type ToWorker } from './task.ts';

const shapes: (ShapeBase | undefined)[] = [];
let request: RequestData | undefined;

onMessage((message: ToWorker) => {
  if (message === FORGET) {
    request = undefined;
    return;
  }
  const { id, dimension, first, count, ids, shapes: changes } = message;
  if (changes) changeShapes(shapes, changes);
  request = message.request ?? request!;
  const start = performance.now();
  const ofDimension = { dimension, records: dimension === 2 ? planarRecords : spaceRecords };
  const answerOne = dimension === 2 ? answerPlanarPair : answerPair;
  const answers = answerPairs(answerOne, { ...request, dimension: ofDimension, shapes: { shapes } }, first, count, ids);
  const answer: TaskAnswer = { id, ...answers, ids, ms: performance.now() - start };
  const buffers = [answers.records, answers.listed?.buffer, ids?.buffer];
  post(answer, buffers.filter((buffer) => buffer !== undefined) as ArrayBuffer[]);
});

post(READY, []);
