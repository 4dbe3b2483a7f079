/** Vectors of the public interface, as items of results have them. */

/** x, y, z. */
export type SpaceVector = [number, number, number];

/** x, y. */
export type PlanarVector = [number, number];
