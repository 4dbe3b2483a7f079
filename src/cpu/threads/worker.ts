/** A worker of the CPU backend: the program that the backend's threads run, in browsers and in Node. */
import { planarRecords, spaceRecords } from '../../records/layout.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { answerPair } from '../answer-pair.ts';
import { answerPairs } from '../answer-pairs.ts';
import { answerPlanarPair } from '../planar/answer-pair.ts';
import { onMessage, post } from './platform.ts';
import { READY, changeShapes, type Task, type TaskAnswer } from './task.ts';

const shapes: (ShapeBase | undefined)[] = [];

onMessage(({ id, dimension, request, ids, shapes: changes }: Task) => {
  if (changes) changeShapes(shapes, changes);
  const start = performance.now();
  const space = { dimension, records: dimension === 2 ? planarRecords : spaceRecords };
  const answers = answerPairs(
    dimension === 2 ? answerPlanarPair : answerPair,
    { ...request, space, shapes: { shapes } },
    0,
    request.pairs.length / 2,
    ids,
  );
  const answer: TaskAnswer = { id, ...answers, ids, ms: performance.now() - start };
  const buffers = [answers.records, answers.listed?.buffer, ids?.buffer];
  post(answer, buffers.filter((buffer) => buffer !== undefined) as ArrayBuffer[]);
});

post(READY, []);
