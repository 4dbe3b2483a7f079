/** `<DemoGallery />`: a card with a picture for each demo. `npm run docs:build` builds the demos into live/. */

import { defineComponent, h } from 'vue';
import { withBase } from 'vitepress';
import { GALLERY } from '../../../demos/gallery.ts';

const pictures = import.meta.glob<string>('../../../demos/*/screenshot.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

export const DemoGallery = defineComponent(
  () => () =>
    h(
      'div',
      { class: 'demo-gallery' },
      GALLERY.map(({ folder, title, sentence }) =>
        // The target keeps VitePress from opening the address as one of its own pages.
        h('a', { href: withBase(`/live/${folder}/index.html`), target: '_self' }, [
          h('img', { src: pictures[`../../../demos/${folder}/screenshot.webp`], alt: '', loading: 'lazy' }),
          h('strong', title),
          h('span', sentence),
        ]),
      ),
    ),
);
