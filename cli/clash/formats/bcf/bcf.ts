/**
 * Clash reports in the BIM Collaboration Format, versions 2.1 and 3.0: a zip archive with one topic per clash
 * (https://github.com/buildingSMART/BCF-XML). A topic's GUID is made from the names of the scene and the bodies and
 * the category, so a tool recognises it in the next report.
 */

import { usageError } from '../../../exit.ts';
import { CATEGORIES, VERDICTS } from '../../categories.ts';
import type { Clash, ClashHeader, ClashReport } from '../../clash-report.ts';
import { pairKey } from '../../labels.ts';
import type { BcfVersion } from './bcf-version.ts';
import { guidOf } from './guid.ts';
import { markupOf, STATUSES, TOPIC_TYPE } from './markup.ts';
import { viewpointOf } from './viewpoint.ts';
import { documentOf, element, type Element } from './xml-element.ts';
import { createZip, MAX_ENTRIES } from './zip.ts';

export interface BcfOptions {
  /** When the topics were made. */
  date: Date;
  /** The axis of the scene that points up. In BCF it is z. */
  up: 'y' | 'z';
}

/** The date of topics unless another one is given, so that the same clashes give the same bytes. */
export const DEFAULT_DATE = '1980-01-01';

/** A folder, its markup and its viewpoint. */
const ENTRIES_PER_TOPIC = 3;
const OTHER_ENTRIES = 3;
const MAX_TOPICS = Math.floor((MAX_ENTRIES - OTHER_ENTRIES) / ENTRIES_PER_TOPIC);

/** Throws for a report of too many clashes. */
export function checkBcf({ count }: ClashHeader): void {
  if (count <= MAX_TOPICS) return;
  throw usageError(
    `the report has ${count} clashes, expected at most ${MAX_TOPICS} for BCF: rules, a smaller clearance or a larger ` +
      'tolerance leave fewer, and other formats take any number',
  );
}

/** The archive, piece by piece. */
export async function* clashBcf(
  { header, clashes }: ClashReport,
  version: BcfVersion,
  { date, up }: BcfOptions,
): AsyncGenerator<Uint8Array> {
  const zip = createZip(date);
  for (const [name, text] of await projectFiles(header, version)) yield zip.add(name, text);
  const isoDate = date.toISOString().replace(/\.\d+/, '');
  let index = 0;
  for await (const batch of clashes()) {
    for (const clash of batch) {
      const [guid, viewpointGuid] = await guidsOf(clash, header.scene.name);
      yield zip.add(`${guid}/`, '');
      yield zip.add(
        `${guid}/markup.bcf`,
        markupOf({ clash, guid, viewpointGuid, index: index++ }, header, isoDate, version),
      );
      yield zip.add(`${guid}/viewpoint.bcfv`, viewpointOf(clash, viewpointGuid, version, up));
    }
  }
  yield zip.end();
}

/** The GUIDs of a clash's topic and viewpoint. */
async function guidsOf(
  { a, copyA, b, copyB, category }: Clash,
  scene: string,
): Promise<[topic: string, viewpoint: string]> {
  const key = `${category} ${pairKey(a, copyA, b, copyB)} in ${scene}`;
  return [await guidOf(`topic ${key}`), await guidOf(`viewpoint ${key}`)];
}

async function projectFiles({ scene }: ClashHeader, version: BcfVersion): Promise<[name: string, text: string][]> {
  const name = scene.name.trim() === '' ? undefined : element('Name', scene.name);
  const project = element(['Project', { ProjectId: await guidOf(`project ${scene.name}`) }], name);
  const detail = version === '2.1' ? element('DetailedVersion', version) : undefined;
  const versionFile: [string, string] = [
    'bcf.version',
    documentOf(element(['Version', { VersionId: version }], detail)),
  ];
  if (version === '2.1') {
    const extension = element('ProjectExtension', project, element('ExtensionSchema'));
    return [versionFile, ['project.bcfp', documentOf(extension)]];
  }
  return [
    versionFile,
    ['project.bcfp', documentOf(element('ProjectInfo', project))],
    ['extensions.xml', documentOf(extensions())],
  ];
}

/** The words that topics of version 3.0 use. */
function extensions(): Element {
  return element(
    'Extensions',
    wordList('TopicTypes', 'TopicType', [TOPIC_TYPE]),
    wordList('TopicStatuses', 'TopicStatus', Object.values(STATUSES)),
    wordList('TopicLabels', 'TopicLabel', [...CATEGORIES, ...VERDICTS]),
  );
}

function wordList(plural: string, singular: string, words: readonly string[]): Element {
  return element(plural, ...[...new Set(words)].map((word) => element(singular, word)));
}
