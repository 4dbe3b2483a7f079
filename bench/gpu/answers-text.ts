/** What was compared, in words. */

import { isWrong, type Comparison } from '../../verification/gpu-cases/answers.ts';

export function answersText(answers: readonly Comparison[]): string {
  const wrong = answers.filter(isWrong);
  if (wrong.length > 0) return wrong.map(comparisonText).join('; ');
  return answers.length === 0 ? '–' : `${answers.reduce((sum, { compared }) => sum + compared, 0)} agree`;
}

export function comparisonText({
  compared,
  wrongFlags,
  wrongDistances,
  largestError,
  notConverged,
  withoutAnswer,
}: Comparison): string {
  const parts = [
    ...(wrongFlags > 0 ? [`${wrongFlags} flags wrong`] : []),
    ...(wrongDistances > 0 ? [`${wrongDistances} distances wrong`] : []),
    ...(withoutAnswer > 0 ? [`${withoutAnswer} without an answer`] : []),
    ...(notConverged > 0 ? [`${notConverged} not converged`] : []),
    ...(largestError === null ? [] : [`largest error ${largestError.toExponential(1)}`]),
  ];
  return [`${compared} compared`, ...parts].join(', ');
}
