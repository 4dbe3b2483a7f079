/**
 * What the schemas of the BIM Collaboration Format allow of the files that reports have: elements in their order, how often
 * each may occur, attributes, and the text of each (https://github.com/buildingSMART/BCF-XML, releases 2.1 and 3.0).
 */

import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Text by a pattern, or elements in a sequence. */
type Content = RegExp | readonly Part[];

/** An element within its parent: how often it occurs at least and at most, its attributes and its content. */
interface Part {
  name: string;
  least: number;
  most: number;
  attributes: Record<string, { isRequired: boolean; value: RegExp }>;
  content: Content;
}

type Attributes = Record<string, RegExp>;

/** `guid!` is required. */
function part(name: string, occurs: '1' | '?' | '*' | '+', content: Content, attributes: Attributes = {}): Part {
  return {
    name,
    least: occurs === '1' || occurs === '+' ? 1 : 0,
    most: occurs === '1' || occurs === '?' ? 1 : Infinity,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key.replace('!', ''),
        { isRequired: key.endsWith('!'), value },
      ]),
    ),
    content,
  };
}

const TEXT = /^[^]*$/;
/** White space alone collapses to nothing. */
const NOT_BLANK = /\S/;
const GUID = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/;
const IFC_GUID = /^[0-9A-Za-z_$]{22}$/;
const BOOLEAN = /^(?:true|false|0|1)$/;
const DATE_TIME = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;
const INTEGER = /^[+-]?\d{1,9}$/;
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const COLOUR = /^[0-9A-F]{6}(?:[0-9A-F]{2})?$/;
/** From 45 to 60 degrees; version 3.0 allows more. */
const FIELD_OF_VIEW = /^(?:4[5-9]|5\d|60)$/;

const VECTOR = ['X', 'Y', 'Z'].map((axis) => part(axis, '1', DOUBLE));

function camera(isNew: boolean): Part[] {
  const vectors = ['CameraViewPoint', 'CameraDirection', 'CameraUpVector'].map((name) => part(name, '1', VECTOR));
  const ratio = isNew ? [part('AspectRatio', '1', DOUBLE)] : [];
  return [...vectors, part('FieldOfView', '1', FIELD_OF_VIEW), ...ratio];
}

function component(occurs: '*' | '+', text: RegExp): Part {
  return part('Component', occurs, [part('OriginatingSystem', '?', text), part('AuthoringToolId', '?', text)], {
    IfcGuid: IFC_GUID,
  });
}

const VIEWPOINT_OLD = part(
  'VisualizationInfo',
  '1',
  [
    part('Components', '?', [
      part('ViewSetupHints', '?', []),
      part('Selection', '?', [component('+', TEXT)]),
      part('Visibility', '1', [part('Exceptions', '?', [component('+', TEXT)])], { DefaultVisibility: BOOLEAN }),
      part('Coloring', '?', [part('Color', '+', [component('+', TEXT)], { Color: COLOUR })]),
    ]),
    part('PerspectiveCamera', '?', camera(false)),
  ],
  { 'Guid!': GUID },
);

const VIEWPOINT_NEW = part(
  'VisualizationInfo',
  '1',
  [
    part('Components', '?', [
      part('Selection', '?', [component('*', NOT_BLANK)]),
      part('Visibility', '?', [part('Exceptions', '?', [component('*', NOT_BLANK)])], { DefaultVisibility: BOOLEAN }),
      part('Coloring', '?', [
        part('Color', '*', [part('Components', '1', [component('+', NOT_BLANK)])], { 'Color!': COLOUR }),
      ]),
    ]),
    part('PerspectiveCamera', '1', camera(true)),
  ],
  { 'Guid!': GUID },
);

function fileOf(occurs: '*' | '+', text: RegExp, isExternal: string): Part {
  return part(
    'File',
    occurs,
    [part('Filename', '?', text), part('Date', '?', DATE_TIME), part('Reference', '?', text)],
    { IfcProject: IFC_GUID, IfcSpatialStructureElement: IFC_GUID, [isExternal]: BOOLEAN },
  );
}

function viewpoints(name: string, text: RegExp): Part {
  return part(name, '*', [part('Viewpoint', '?', text), part('Snapshot', '?', text), part('Index', '?', INTEGER)], {
    'Guid!': GUID,
  });
}

/** From the title to the description. */
function topicParts(text: RegExp, labels: Part): Part[] {
  return [
    part('Title', '1', text),
    part('Priority', '?', text),
    part('Index', '?', INTEGER),
    labels,
    part('CreationDate', '1', DATE_TIME),
    part('CreationAuthor', '1', text),
    part('ModifiedDate', '?', DATE_TIME),
    part('ModifiedAuthor', '?', text),
    part('DueDate', '?', DATE_TIME),
    part('AssignedTo', '?', text),
    part('Stage', '?', text),
    part('Description', '?', text),
  ];
}

const MARKUP_OLD = part('Markup', '1', [
  part('Header', '?', [fileOf('+', TEXT, 'isExternal')]),
  part('Topic', '1', topicParts(TEXT, part('Labels', '*', TEXT)), {
    'Guid!': GUID,
    TopicType: TEXT,
    TopicStatus: TEXT,
  }),
  part('Comment', '*', []),
  viewpoints('Viewpoints', TEXT),
]);

const MARKUP_NEW = part('Markup', '1', [
  part('Header', '?', [part('Files', '?', [fileOf('*', NOT_BLANK, 'IsExternal')])]),
  part(
    'Topic',
    '1',
    [
      ...topicParts(NOT_BLANK, part('Labels', '?', [part('Label', '*', NOT_BLANK)])),
      part('Comments', '?', []),
      part('Viewpoints', '?', [viewpoints('ViewPoint', NOT_BLANK)]),
    ],
    { 'Guid!': GUID, 'TopicType!': NOT_BLANK, 'TopicStatus!': NOT_BLANK },
  ),
]);

function project(text: RegExp): Part {
  return part('Project', '1', [part('Name', '?', text)], { 'ProjectId!': text });
}

function words(plural: string, singular: string): Part {
  return part(plural, '?', [part(singular, '*', NOT_BLANK)]);
}

/** The root of each kind of file, by the ending of its name. */
const FILES: Record<'2.1' | '3.0', Record<string, Part>> = {
  '2.1': {
    'markup.bcf': MARKUP_OLD,
    'viewpoint.bcfv': VIEWPOINT_OLD,
    'project.bcfp': part('ProjectExtension', '1', [project(TEXT), part('ExtensionSchema', '1', TEXT)]),
    'bcf.version': part('Version', '1', [part('DetailedVersion', '?', TEXT)], { VersionId: /^2\.1$/ }),
  },
  '3.0': {
    'markup.bcf': MARKUP_NEW,
    'viewpoint.bcfv': VIEWPOINT_NEW,
    'project.bcfp': part('ProjectInfo', '1', [project(NOT_BLANK)]),
    'bcf.version': part('Version', '1', [], { 'VersionId!': /^3\.0$/ }),
    'extensions.xml': part('Extensions', '1', [
      words('TopicTypes', 'TopicType'),
      words('TopicStatuses', 'TopicStatus'),
      words('Priorities', 'Priority'),
      words('TopicLabels', 'TopicLabel'),
      words('Users', 'User'),
    ]),
  },
};

const ATTRIBUTES = ':@';
type Node = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: true,
});

/** What is wrong with a file of an archive; empty if it is valid. */
export function bcfFaults(file: string, xml: string, version: '2.1' | '3.0'): string[] {
  const root = FILES[version][file.split('/').pop()!];
  if (!root) return [`${file} is no file of BCF ${version}`];
  const isWellFormed = XMLValidator.validate(xml);
  if (isWellFormed !== true) return [`${file}: ${isWellFormed.err.msg}`];
  const nodes = (parser.parse(xml) as Node[]).filter((node) => !('?xml' in node));
  return sequenceFaults(nodes, [root], file);
}

function sequenceFaults(nodes: readonly Node[], parts: readonly Part[], path: string): string[] {
  const elements = nodes.filter((node) => !('#text' in node && String(node['#text']).trim() === ''));
  const faults: string[] = [];
  let at = 0;
  for (const { name, least, most, attributes, content } of parts) {
    let count = 0;
    while (at < elements.length && name in elements[at]) {
      const node = elements[at++];
      const place = `${path}/${name}[${count++}]`;
      faults.push(...attributeFaults((node[ATTRIBUTES] ?? {}) as Record<string, string>, attributes, place));
      faults.push(...contentFaults(node[name] as Node[], content, place));
    }
    if (count < least || count > most) faults.push(`${path}/${name} occurs ${count} times`);
  }
  if (at < elements.length) faults.push(`${path}: ${Object.keys(elements[at])[0]} is not expected there`);
  return faults;
}

function attributeFaults(given: Record<string, string>, known: Part['attributes'], path: string): string[] {
  const unknown = Object.keys(given).filter((key) => !(key in known));
  const wrong = Object.entries(known).filter(([key, { isRequired, value }]) =>
    given[key] === undefined ? isRequired : !value.test(given[key]),
  );
  return [...unknown, ...wrong.map(([key]) => key)].map((key) => `${path}@${key} is ${given[key]}`);
}

function contentFaults(nodes: readonly Node[], content: Content, path: string): string[] {
  if (!(content instanceof RegExp)) return sequenceFaults(nodes, content, path);
  const element = nodes.find((node) => !('#text' in node));
  if (element) return [`${path}: ${Object.keys(element)[0]} in place of text`];
  const text = nodes.map((node) => String(node['#text'])).join('');
  return content.test(text) ? [] : [`${path} is ${JSON.stringify(text)}`];
}
