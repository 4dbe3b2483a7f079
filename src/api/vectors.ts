/** Vectors of the public interface. */

/** x, y, z. */
export type SpaceVector = [number, number, number];

/** x, y. */
export type PlanarVector = [number, number];
