/** The controls of one body: its shape, its place, its velocities. */

import { create } from '../common/dom.ts';
import { sliderRow, vectorRow, type NumberRow } from './number-row.ts';
import { parsePoints, pointsText } from './points.ts';
import { LENGTHS, type AnyShape, type BodyState } from './scene.ts';
import { SHAPE_KINDS, fieldOf, kindOf, withField } from './shape-kinds.ts';

export interface BodyPanelEvents {
  change(change: Partial<BodyState>): void;
  /** A model file, and what it should become. */
  model(file: File, as: 'mesh' | 'hull'): void;
}

export interface BodyPanel {
  element: HTMLElement;
  show(body: BodyState, dimension: 2 | 3): void;
  /** What a model became. */
  note(text: string): void;
}

/** Longer lists of points are not shown as text. */
const MOST_SHOWN = 2000;

export function createBodyPanel(name: 'A' | 'B', events: BodyPanelEvents): BodyPanel {
  const element = create('div', 'body-panel');
  let body: BodyState;
  let rows: { row: NumberRow; read: () => readonly number[] }[] = [];
  let built = '';
  let note = '';

  function add(row: NumberRow, read: () => readonly number[]): HTMLElement {
    rows.push({ row, read });
    return row.element;
  }

  function build(dimension: 2 | 3): void {
    rows = [];
    const kind = kindOf(body.shape, dimension);
    const axes = ['x', 'y', 'z'].slice(0, dimension);
    const setAxis = (field: keyof (typeof LENGTHS)[3]) => (axis: number, value: number) =>
      events.change({ [field]: body[field].map((each, i) => (i === axis ? value : each)) });
    element.replaceChildren(
      shapePicker(dimension),
      ...(note ? [create('p', 'quiet', note)] : []),
      ...kind.fields.map((field) =>
        add(
          sliderRow(name, field.label, field, (value) => change(withField(body.shape, field, value))),
          () => [fieldOf(body.shape, field)],
        ),
      ),
      ...(kind.hasPoints ? [pointsBox(dimension)] : []),
      create('h3', '', 'Place and motion'),
      add(vectorRow(name, 'Position', axes, setAxis('position')), () => body.position),
      dimension === 2
        ? add(
            sliderRow(name, 'Angle', { least: -3.14, most: 3.14 }, (value) => events.change({ rotation: [value] })),
            () => body.rotation,
          )
        : add(vectorRow(name, 'Rotation', ['x', 'y', 'z', 'w'], setRotation), () => body.rotation),
      add(vectorRow(name, 'Velocity', axes, setAxis('linear')), () => body.linear),
      dimension === 2
        ? add(vectorRow(name, 'Spin', [''], setAxis('angular')), () => body.angular)
        : add(vectorRow(name, 'Spin', axes, setAxis('angular')), () => body.angular),
    );
  }

  /** A quaternion of 0 is no rotation: it is ignored. */
  function setRotation(axis: number, value: number): void {
    const rotation = body.rotation.map((each, i) => (i === axis ? value : each));
    if (Math.hypot(...rotation) > 1e-3) events.change({ rotation });
  }

  function change(shape: AnyShape): void {
    events.change({ shape });
  }

  function shapePicker(dimension: 2 | 3): HTMLElement {
    const select = create('select', 'select');
    select.setAttribute('aria-label', `${name}: shape`);
    const kinds = SHAPE_KINDS[dimension];
    select.append(...kinds.map((kind) => new Option(kind.name, kind.type)));
    const { type } = body.shape;
    if (!kinds.some((kind) => kind.type === type)) select.append(new Option(kindOf(body.shape, dimension).name, type));
    select.value = type;
    select.addEventListener('change', () => {
      const kind = kinds.find((each) => each.type === select.value);
      note = '';
      if (kind) change(kind.initial);
    });
    const row = create('div', 'shape-row', create('span', 'label', 'Shape'), select);
    if (dimension === 3) row.append(modelPicker());
    return row;
  }

  function modelPicker(): HTMLElement {
    const input = create('input', '');
    Object.assign(input, { type: 'file', accept: '.glb,.gltf,.obj,.stl,.json', hidden: true });
    const button = create('button', 'button', 'Model…');
    button.type = 'button';
    button.title = 'Opens glTF, GLB, OBJ, STL or a scene; files can also be dropped on the page';
    button.addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      if (input.files?.[0]) events.model(input.files[0], 'mesh');
    });
    return create('span', '', button, input);
  }

  function pointsBox(dimension: 2 | 3): HTMLElement {
    const { points } = body.shape as { points: ArrayLike<number> };
    const area = create('textarea', 'points');
    area.setAttribute('aria-label', `${name}: points`);
    area.spellcheck = false;
    area.rows = 5;
    const count = points.length / dimension;
    if (count <= MOST_SHOWN) area.value = pointsText(points, dimension);
    else area.placeholder = `${count.toLocaleString('en')} points`;
    const message = create('p', 'field-error');
    message.setAttribute('role', 'alert');
    message.hidden = true;
    area.addEventListener('input', () => {
      try {
        const { shape } = body;
        const read = parsePoints(area.value, dimension);
        change({ ...shape, points: read } as AnyShape);
        message.hidden = true;
      } catch (error) {
        message.textContent = `${(error as Error).message}. The last good points stay.`;
        message.hidden = false;
      }
    });
    const label = create('label', 'points-label', 'Points, as lines, with commas or as JSON', area);
    return create('div', '', label, message);
  }

  return {
    element,
    show(next, dimension) {
      body = next;
      const key = `${dimension} ${body.shape.type}`;
      const isTyping =
        document.activeElement instanceof HTMLTextAreaElement && element.contains(document.activeElement);
      if (key !== built || (!isTyping && pointsDiffer())) build(dimension);
      built = key;
      for (const { row, read } of rows) row.set(read());
    },
    note(text) {
      note = text;
      built = '';
    },
  };

  /** Whether the points differ from those in the box, as they do after an example or a model was loaded. */
  function pointsDiffer(): boolean {
    const area = element.querySelector('textarea');
    const { points } = body.shape as { points?: ArrayLike<number> };
    if (!area || !points) return false;
    try {
      const shown = parsePoints(area.value, body.position.length as 2 | 3);
      return shown.length !== points.length || shown.some((value, i) => value !== points[i]);
    } catch {
      return true;
    }
  }
}
