/** Markup of BCF topics: one topic per clash. */

import type { Verdict } from '../../categories.ts';
import type { Clash, ClashHeader } from '../../clash-report.ts';
import { describeClash, titleOf } from '../../describe.ts';
import { documentOf, element, type Element } from './xml-element.ts';
import type { BcfVersion } from './bcf-version.ts';

export const TOPIC_TYPE = 'Clash';
export const STATUSES: Record<Verdict, string> = { fail: 'Open', known: 'Known', allowed: 'Closed', pass: 'Closed' };

export interface Topic {
  clash: Clash;
  guid: string;
  viewpointGuid: string;
  /** Place among the topics, from 0. */
  index: number;
}

/** `date` is an ISO date and time. */
export function markupOf(topic: Topic, header: ClashHeader, date: string, version: BcfVersion): string {
  const { clash, guid, viewpointGuid, index } = topic;
  const labels = [clash.category, clash.verdict];
  const viewpoint = element('Viewpoint', 'viewpoint.bcfv');
  const topicElement = element(
    ['Topic', { Guid: guid, TopicType: TOPIC_TYPE, TopicStatus: STATUSES[clash.verdict] }],
    element('Title', titleOf(clash)),
    element('Index', index),
    ...(version === '2.1'
      ? labels.map((label) => element('Labels', label))
      : [element('Labels', ...labels.map((label) => element('Label', label)))]),
    element('CreationDate', date),
    element('CreationAuthor', header.generator),
    element('Description', describeClash(clash)),
    version === '2.1' ? undefined : element('Viewpoints', element(['ViewPoint', { Guid: viewpointGuid }], viewpoint)),
  );
  const viewpoints = version === '2.1' ? element(['Viewpoints', { Guid: viewpointGuid }], viewpoint) : undefined;
  return documentOf(element('Markup', fileHeader(header, version), topicElement, viewpoints));
}

function fileHeader({ scene }: ClashHeader, version: BcfVersion): Element {
  const external = version === '2.1' ? { isExternal: 'true' } : { IsExternal: 'true' };
  const file = element(['File', external], element('Filename', scene.file.replace(/^.*[/\\]/, '')));
  return element('Header', version === '2.1' ? file : element('Files', file));
}
