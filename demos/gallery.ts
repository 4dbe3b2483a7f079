/** The demos, in the order in which the start page and the site show them. */

export interface GalleryDemo {
  /** Name of the folder, which has a screenshot.webp. */
  folder: string;
  title: string;
  sentence: string;
}

export const GALLERY: readonly GalleryDemo[] = [
  {
    folder: 'heap',
    title: 'Heap',
    sentence: '2,436 bodies, most of them chunks of the Stanford bunny and the Utah teapot, with every contact drawn.',
  },
];
