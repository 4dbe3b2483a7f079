/** Fields of a captured pose, each with the array of bodies that it comes from. */
export const POSE_FIELDS = [
  ['position', 'positions'],
  ['quaternion', 'quaternions'],
  ['angle', 'angles'],
  ['matrix', 'matrices'],
  ['scale', 'scales'],
  ['linearVelocity', 'linearVelocities'],
  ['angularVelocity', 'angularVelocities'],
] as const;
