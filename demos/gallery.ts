/** The demos, in the order in which the start page and the site show them. */

export interface GalleryDemo {
  /** Name of the folder, which has a screenshot.webp. */
  folder: string;
  title: string;
  sentence: string;
}

export const GALLERY: readonly GalleryDemo[] = [
  {
    folder: 'debris',
    title: 'Debris',
    sentence:
      'Throw balls at walls, heaps, solids cut into fragments and rubble on terrain. Pairs, contacts, solver and drawing stay on the GPU.',
  },
  {
    folder: 'crowd',
    title: 'Crowd',
    sentence: 'Thousands of people walk through doors and around each other. None of them is ever inside a wall.',
  },
  {
    folder: 'clash',
    title: 'Clash viewer',
    sentence: 'Drop a model and see which of its parts overlap, how deeply and where. Export JSON, CSV or BCF.',
  },
  {
    folder: 'inspector',
    title: 'Inspector',
    sentence: 'One pair, step by step: GJK, EPA, MPR, SAT, the arcs of the Gauss map, clipping.',
  },
  {
    folder: 'playground',
    title: 'Playground',
    sentence: 'Drag two shapes and read distance, normal, manifold and time of impact, in 3-D and 2-D.',
  },
  {
    folder: 'bench',
    title: 'Benchmark',
    sentence: 'Measures your own graphics card with the workloads of the reports.',
  },
];
