/** Why the crowd is smaller than expected: a notice with one sentence per topic. */

import { byId, showNotice } from '../common/dom.ts';

const TOPICS = ['backend', 'pace', 'room'] as const;
type Topic = (typeof TOPICS)[number];

const remarks = new Map<Topic, string>();

/** Replaces the sentence about this topic; undefined removes it. */
export function remark(topic: Topic, sentence: string | undefined): void {
  if (sentence === undefined) remarks.delete(topic);
  else remarks.set(topic, sentence);
  const sentences = TOPICS.flatMap((each) => remarks.get(each) ?? []);
  const title = remarks.has('backend') ? 'The crowd runs on the CPU' : 'Fewer people';
  if (sentences.length > 0) showNotice('warning', title, sentences.join('. '));
  else byId('notices').querySelector('[data-kind=warning]')?.remove();
}
