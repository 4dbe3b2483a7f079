/** Vectors of the public interface, as items of results have them. */

/** x, y, z. */
export type Vec3 = [number, number, number];

/** x, y. */
export type Vec2 = [number, number];
