/** The card of a picked body: its name and position, and a row for each of its contacts. */

import type { Scene } from '../../cli/scene/scene.ts';
import { bodyName, depthOf, featureText, partnerOf } from './contact-list.ts';
import type { Contact } from './contact-list.ts';
import { byId, create } from '../common/dom.ts';
import { metres, plural, vector } from './format.ts';

export interface CardEvents {
  /** Called when the pointer or the focus is on a row, and with undefined when it leaves. */
  hover(contact: Contact | undefined): void;
  /** Called when a row is chosen. */
  open(contact: Contact): void;
}

/** Shows the card. `colorOf` returns the colour of a contact's depth. */
export function showDetails(
  scene: Scene,
  body: number,
  contacts: readonly Contact[],
  colorOf: (contact: Contact) => string,
  events: CardEvents,
): void {
  const card = byId('details');
  card.dataset.body = String(body);
  byId('body-name').textContent = bodyName(scene, body);
  const { type } = scene.shapes[scene.bodies.shapes[body]];
  byId('body-facts').textContent =
    `Body ${body}, ${type}, scale ${Number(scene.bodies.scales[body].toFixed(3))}; ${plural(contacts.length, 'contact')}`;
  const rows = contacts.map((contact) => contactRow(scene, body, contact, colorOf(contact), events));
  const list = byId('body-contacts');
  list.replaceChildren(...(rows.length > 0 ? rows : [create('li', 'empty', 'It touches no other body.')]));
  list.scrollTop = 0;
  card.hidden = false;
}

export function hideDetails(): void {
  byId('details').hidden = true;
  delete byId('details').dataset.body;
}

function contactRow(scene: Scene, body: number, contact: Contact, color: string, events: CardEvents): HTMLLIElement {
  const partner = partnerOf(contact, body);
  const name = bodyName(scene, partner);
  const isA = contact.a === body;
  const [own, other] = isA ? [contact.featureA, contact.featureB] : [contact.featureB, contact.featureA];
  const depth = create('span', 'depth', metres(depthOf(contact)));
  depth.style.setProperty('--depth', color);
  const button = create(
    'button',
    'contact',
    create('span', 'partner', create('span', '', `${name} (${partner})`), depth),
    line('Features', `${featureText(own)} on its ${featureText(other)}`),
    line(isA ? 'Normal to partner' : 'Normal from partner', vector(contact.normal)),
    line('Point on this body', vector(isA ? contact.pointA : contact.pointB)),
  );
  button.type = 'button';
  button.title = `Go to this contact with ${name}`;
  Object.assign(button.dataset, { pair: contact.pair, partner, distance: contact.distance });
  button.addEventListener('pointerenter', () => events.hover(contact));
  button.addEventListener('pointerleave', () => events.hover(undefined));
  button.addEventListener('focus', () => events.hover(contact));
  button.addEventListener('blur', () => events.hover(undefined));
  button.addEventListener('click', () => events.open(contact));
  return create('li', '', button);
}

function line(label: string, text: string): HTMLElement {
  return create('span', 'line', create('span', '', label), create('span', '', text));
}
