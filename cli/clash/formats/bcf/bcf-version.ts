/** Versions of the BIM Collaboration Format that reports are written in. */
export type BcfVersion = '2.1' | '3.0';
