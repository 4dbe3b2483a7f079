/** The whole view: bodies, contact marks, the picked body, and the toolbar that selects what is shown. */

import { Vector2 } from 'three';
import type { Scene } from '../../cli/scene/scene.ts';
import { createBodyMeshes } from './body-meshes.ts';
import type { BodyStyle } from './body-meshes.ts';
import { depthOf, partnerOf } from './contact-list.ts';
import type { Contact, ContactList } from './contact-list.ts';
import { contactPlace, createContactMarks } from './contact-marks.ts';
import type { ContactMarks } from './contact-marks.ts';
import { byId } from '../common/dom.ts';
import { metres } from './format.ts';
import { currentPalette, depthGradient } from './palette.ts';
import type { FittedRenderer } from './renderer.ts';
import { createStage } from './stage.ts';

/** Radius of a mark as a share of the camera's distance: about 3 pixels, within bounds. */
const MARK_SIZE = 0.0026;
const MARK_SIZES = { least: 0.004, most: 0.05 };
/** How much nearer the marks are drawn in the solid view, in metres: about a body's half width. */
const NEARER = 0.2;
/** The camera moves to within this many radii of a picked body, and somewhat closer to a contact. */
const BODY_DISTANCE = 9;
const CONTACT_DISTANCE = 5;
/** If the pointer moves farther between down and up, the view has been turned and nothing is picked. */
const CLICK_PIXELS = 5;

export interface HeapView {
  /** Shows the contacts of a call. */
  setContacts(list: ContactList): void;
  /** Shows one body with its partners. undefined: all bodies alike. */
  pick(body: number | undefined): void;
  /** Highlights one of the picked body's contacts. */
  emphasise(contact: Contact | undefined): void;
  /** Moves the camera to a contact. */
  goTo(contact: Contact): void;
  /** Updates the colours after a change of theme. */
  updatePalette(): void;
  /** Resolves when the first frame has been drawn. */
  settled(): Promise<void>;
}

/** `onPick` gets the clicked body, or undefined for a click beside all bodies. */
export function createHeapView(
  fitted: FittedRenderer,
  scene: Scene,
  onPick: (body: number | undefined) => void,
): HeapView {
  const bodies = createBodyMeshes(scene);
  const canvas = fitted.renderer.domElement;
  const stage = createStage(fitted, bodies.balls);
  stage.scene.add(bodies.group);

  let list: ContactList = { contacts: [], ofBody: new Map(), byDepth: [] };
  let picked: number | undefined;
  let allMarks: ContactMarks | undefined;
  let pickedMarks: ContactMarks | undefined;
  const shown = { points: true, normals: true };
  let style: BodyStyle = 'solid';

  const deepest = (): number => Math.max(1e-9, depthOf(list.byDepth[0] ?? ({ distance: 0 } as Contact)));
  const marksOf = (contacts: readonly Contact[]): ContactMarks => {
    const marks = createContactMarks(contacts, deepest());
    marks.setPalette(currentPalette());
    stage.scene.add(marks.group);
    return marks;
  };
  const remove = (marks: ContactMarks | undefined): undefined => {
    if (!marks) return;
    stage.scene.remove(marks.group);
    marks.dispose();
  };
  const applyShown = (): void => {
    if (allMarks) {
      allMarks.group.visible = picked === undefined;
      allMarks.setShown(shown);
      allMarks.setNearer(style === 'solid' ? NEARER : Infinity);
    }
    pickedMarks?.setShown(shown);
    pickedMarks?.setNearer(Infinity);
    stage.requestFrame();
  };

  stage.onFrame((distance) => {
    const size = Math.min(MARK_SIZES.most, Math.max(MARK_SIZES.least, MARK_SIZE * distance));
    // When all marks are visible, there is less space for each.
    allMarks?.setSize(style === 'solid' ? size : 0.65 * size);
    pickedMarks?.setSize(1.6 * size);
  });

  const pick = (body: number | undefined): void => {
    picked = body;
    const contacts = (body !== undefined && list.ofBody.get(body)) || [];
    bodies.pick(
      body,
      contacts.map((contact) => partnerOf(contact, body!)),
    );
    stage.updateShadows();
    pickedMarks = remove(pickedMarks);
    if (contacts.length > 0) pickedMarks = marksOf(contacts);
    applyShown();
    // On phones the card does not cover the view.
    const card = byId('details').getBoundingClientRect();
    const view = canvas.getBoundingClientRect();
    stage.setCovered(body !== undefined && card.top < view.bottom - 1 ? view.right - card.left : 0);
    if (body !== undefined) stage.flyTo(bodies.centre(body), Math.max(BODY_DISTANCE * bodies.radius(body), 1.2));
    else stage.flyBack();
  };

  addPicking(canvas, (place) => onPick(bodies.bodyAt(place, stage.camera)));
  addToolbar({
    bodies(now) {
      style = now;
      bodies.setStyle(style);
      stage.updateShadows();
      applyShown();
    },
    marks(now) {
      Object.assign(shown, now);
      applyShown();
    },
    reset: () => stage.frameAll(),
  });

  const updatePalette = (): void => {
    const palette = currentPalette();
    bodies.setPalette(palette);
    stage.setPalette(palette);
    allMarks?.setPalette(palette);
    pickedMarks?.setPalette(palette);
    byId('ramp').style.background = depthGradient(palette);
  };
  updatePalette();
  stage.updateShadows();
  stage.frameAll();
  byId('toolbar').hidden = false;

  return {
    setContacts(now) {
      list = now;
      allMarks = remove(allMarks);
      allMarks = marksOf(list.contacts);
      byId('deepest-depth').textContent = metres(deepest());
      if (picked === undefined) applyShown();
      else pick(picked);
    },
    pick,
    emphasise(contact) {
      pickedMarks?.emphasise(contact);
      bodies.emphasise(contact && picked !== undefined ? partnerOf(contact, picked) : undefined);
      stage.requestFrame();
    },
    goTo(contact) {
      const radius = Math.min(bodies.radius(contact.a), bodies.radius(contact.b));
      stage.flyTo(contactPlace(contact), Math.max(CONTACT_DISTANCE * radius, 0.5));
    },
    updatePalette,
    settled: () => stage.settled(),
  };
}

/** Calls back with points, with coordinates from -1 to 1, that were clicked or tapped without turning the view. */
function addPicking(canvas: HTMLCanvasElement, onClick: (place: Vector2) => void): void {
  let down: PointerEvent | undefined;
  canvas.addEventListener('pointerdown', (event) => (down = event.isPrimary && event.button === 0 ? event : undefined));
  canvas.addEventListener('pointerup', (event) => {
    if (!down || event.pointerId !== down.pointerId) return;
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > CLICK_PIXELS) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    onClick(new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2));
  });
}

interface ToolbarEvents {
  bodies(style: BodyStyle): void;
  marks(shown: { points: boolean; normals: boolean }): void;
  reset(): void;
}

function addToolbar(events: ToolbarEvents): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>('input[name=bodies]')) {
    choice.addEventListener('change', () => choice.checked && events.bodies(choice.value as BodyStyle));
  }
  const points = byId<HTMLInputElement>('show-points');
  const normals = byId<HTMLInputElement>('show-normals');
  for (const box of [points, normals]) {
    box.addEventListener('change', () => events.marks({ points: points.checked, normals: normals.checked }));
  }
  byId('reset-view').addEventListener('click', () => events.reset());
}
