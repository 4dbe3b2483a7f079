// Every tolerance and capacity, with its unit and what breaks when it changes.
//
// Lengths inside the algorithms are dimensionless: makePair scales each pair by a power of two so that the greatest of
// the sum of the bounding radii and the components of B - A lies in [1, 2). A tolerance of k ULPS is k * EPSILON of
// that length, where EPSILON is the machine epsilon of the arithmetic: 2^-23 here, 2^-52 in the double-precision
// mirror, which reads the same constants. The rounding error of one support point is about 2 ULPS.

// A margin of a million units is none.
const UNBOUNDED: f32 = 1e6;
// Distances are below 2 * sqrt(3) + 2 units: the bodies' and both bounding radii.
const GREATEST_DISTANCE: f32 = 8.0;
// Bodies that are answered reach at most this far from their origins, scale and rounding included, in the caller's
// unit; scales are at most this too. Larger: turning bodies, whose motion is in the caller's unit, end NotConverged
// from 2^56 on, and in the end lengths are no numbers of f32.
const GREATEST_SIZE: f32 = 1e15;
// Coordinates and velocities are at most this, either way. Larger: distances are no numbers of f32.
const GREATEST_POSITION: f32 = 1e30;
// A pair's unit is at least this, and this times the greater scale, and the factor from a shape's own lengths to it is
// at least this: that is a number above 0, for shapes without a size too.
const LEAST_UNIT: f32 = 1e-30;

// GJK stops when upper - lower falls below this. Smaller: f32 noise makes it stall; larger: eats into the tolerance of
// 42.
const GJK_EXIT_ULPS: f32 = 6.0;
// Smallest distance of the cores that GJK itself may answer. Below it the closest vector is noise and faces must say
// the normal.
const GJK_TOUCH_ULPS: f32 = 6.0;
// A stalled search whose cores are nearer than this share of the unit goes on to EPA, which takes its normal from
// faces.
const GJK_NEARBY: f32 = 1e-3;
// A stalled search is still an answer when its bounds are this close; beyond, the pair is NotConverged.
const ACCEPT_ULPS: f32 = 20.0;
// Bound of GJK's loop. Polytopes of 32 vertices need 12 at the 99th percentile; dense hulls need more.
const GJK_MAX_ITERATIONS: u32 = 128u;
// Iterations in which no bound moves before the search counts as stalled.
const GJK_MAX_IDLE: u32 = 8u;

// Points that the projected Newton search tries. More: hardly fewer pairs are left to GJK.
const NEWTON_MAX_ITERATIONS: u32 = 6u;
// Which of its steps is halved, and which leaves no side of the box: against circles, of which two steps show nothing.
const NEWTON_HALF_STEP: u32 = 3u;
const NEWTON_HOLDING_STEP: u32 = 4u;
// Damping of its steps. Smaller: their pivots are noise; larger: more steps to the same end.
const NEWTON_DAMPING_ULPS: f32 = 16.0;
// Unit vectors whose parts in question are shorter than this have none.
const NEWTON_PARALLEL_ULPS: f32 = 16.0;
// Its points may be this much off the normal through each other.
const NEWTON_SKEW_ULPS: f32 = 8.0;

// Of cylinders, cones and ellipsoids, whose answers may be off by more: when GJK and EPA stop, and how close bounds
// have to be.
const CURVED_EXIT_ULPS: f32 = 32.0;
const CURVED_EPA_EXIT_ULPS: f32 = 96.0;
const CURVED_ACCEPT_ULPS: f32 = 128.0;
const CURVED_EPA_ACCEPT_ULPS: f32 = 512.0;
// By how much the numbered points of two curved cores fall short of the cores, of which bounds have to know.
const CURVED_LOSS: f32 = 1e-9;

// Curved pairs that EPA leaves open: radius in which normals are tried, in radians, where it starts and where it ends,
// and how often it may change; by which share it shrinks, and the share of it that the best normal has to have moved by
// for it not to.
const CLIMB_START: f32 = 0.3;
const CLIMB_END: f32 = 0.01;
const CLIMB_ROUNDS: u32 = 16u;
const CLIMB_SHRINK: f32 = 0.4;
const CLIMB_FAR: f32 = 0.7;
// The polytopes around what that finds: angle of their first corners, share of it in the next, how many, and the
// iterations of each.
const REFINE_TILT: f32 = 0.02;
const REFINE_SHRINK: f32 = 0.3;
// Share of that angle within which their faces are searched.
const REFINE_CENTRE_DISTANCE: f32 = 2.0;
// How far apart bodies are moved to be looked at from outside, and by how much witness points may miss the normal not
// to need that.
const REFINE_ROOM: f32 = 0.5;
const REFINE_MISS: f32 = 3e-4;
// Faces of a hull whose normals are tried.
const REFINE_FACES: u32 = 256u;
const REFINE_ROUNDS: u32 = 3u;
const REFINE_ITERATIONS: u32 = 16u;
// What a polytope may have worse than the climb, for its witness points' sake.
const REFINE_LOSS: f32 = 1e-5;

// A tetrahedron, triangle or segment of less than this height is flat: it can't be told from its own rounding.
const FLAT_ULPS: f32 = 8.0;
// A triangle narrower than this times its longest edge has no inside, only edges.
const SLIVER_ULPS: f32 = 4.0;
// An origin that projects this near to the border of a face counts as inside.
const INSIDE_SLACK_ULPS: f32 = 4.0;

// EPA stops when the support along a face's normal passes the face by less than this.
const EPA_EXIT_ULPS: f32 = 8.0;
// Faces at most this much lower than the answer may hold its witness points.
const EPA_TIE_ULPS: f32 = 32.0;
// A face is visible from a point that lies more than this outside it.
const EPA_VISIBLE_ULPS: f32 = 2.0;
// A face has a point in its plane that lies at most this much inside it.
const EPA_COPLANAR_ULPS: f32 = 8.0;
// Two polytope vertices nearer than this are the same vertex.
const EPA_SAME_ULPS: f32 = 2.0;
// Capacity of the polytope that a pair starts with: hulls of 32 vertices need up to 24, of 128 up to 38; 3.0 of the 8
// KiB of private variables that WGSL grants. Sets of faces have 128 bits.
const EPA_SMALL_VERTICES: u32 = 64u;
const EPA_SMALL_FACES: u32 = 124u;
// Of the one for curved pairs that run out of that: sets of faces have 256 bits.
const EPA_MEDIUM_VERTICES: u32 = 128u;
const EPA_MEDIUM_FACES: u32 = 252u;
// Invocations that share the pairs of a list, each with a polytope of its own: more of them would only have more memory
// to clear.
const EPA_WORKERS: u32 = 65536u;
// Pairs of polytopes that EPA leaves open: a support on an arc that is lower than the two that cross there by at most
// this is none of its own. Smaller: f32 noise makes the search go round; larger: eats into the tolerance of 42.
const ARC_TIE_ULPS: f32 = 4.0;
// Supports on one arc. Along a chord of a polytope of thousands of vertices they are found in a few.
const ARC_STEPS: u32 = 64u;

// MPR ends a ray when the support along its portal's normal passes the portal by less than this.
const MPR_EXIT_ULPS: f32 = 8.0;
// Where MPR takes cores for overlapping the origin may be this far from the difference; within this depth it leaves
// them open. Smaller: more pairs are left open; no larger than BOUND_ULPS, which the bounds of overlapping pairs rely
// on.
const MPR_TOUCH_ULPS: f32 = 8.0;
// Supports that MPR asks for. Polytopes of 32 vertices need 30 at the 99th percentile with all rays; out of them, the
// last portal is the answer.
const MPR_MAX_ITERATIONS: u32 = 128u;

// SAT prefers a face axis to an edge axis that is better by less than this: parallel edges tie with faces.
const SAT_FACE_BIAS_ULPS: f32 = 8.0;
// Cross products of unit edges shorter than this are parallel edges, whose axis the faces already cover.
const SAT_PARALLEL_ULPS: f32 = 16.0;
// Clipping vertices whose heights differ by less than this are averaged into one witness point.
const SAT_TIE_ULPS: f32 = 8.0;
// Axes of edges that are no farther apart than this are those of one touch.
const SAT_ALIKE: f32 = 0.01;

// Segments whose angle has a smaller sine are parallel: their nearest points are a whole stretch, of which the middle
// is taken.
const SEGMENTS_PARALLEL_ULPS: f32 = 4.0;
// Shorter vectors have no direction: their squares are no normal numbers of f32.
const LEAST_LENGTH: f32 = 1e-18;

// A vertex lies in the contact plane when it is nearer to it than this.
const FEATURE_ULPS: f32 = 64.0;
// The same of curved shapes, whose normals are known less well.
const CURVED_FEATURE_ULPS: f32 = 256.0;

// A point that lies this much beyond a contact face's edge still counts as over the face, times the cosine of the
// face's slope: so the points of edges that run along each other don't come and go. Larger: points of a manifold leave
// the surfaces.
const MANIFOLD_INSIDE_ULPS: f32 = 16.0;
// Points of a manifold that are nearer to each other than this, or to the line through two of them, are one. More than
// twice the former: two points made of the same corner must not count twice.
const MANIFOLD_SAME_ULPS: f32 = 40.0;
// Of curved pairs, whose contact points are known to the root of what their distances are.
const MANIFOLD_CURVED_SAME: f32 = 5e-3;
// A later candidate is deeper than an earlier one, and a point is beyond the margin, by more than this.
const MANIFOLD_TIE_ULPS: f32 = 8.0;
// The contact's own witness point joins a manifold of which no candidate is within this of its depth.
const MANIFOLD_DEPTH_ULPS: f32 = 24.0;
// The same of curved pairs, whose depth is known less well: it would come and go where they rest on their sides.
const MANIFOLD_CURVED_DEPTH: f32 = 1e-5;
// The contact's own witness point has the name of a corner that is no farther from it than this, and takes its place.
// Of curved pairs it is MANIFOLD_CURVED_SAME.
const MANIFOLD_OWN_RADIUS: f32 = 1e-4;
// Or that of the farthest point of a rim, which is known less well: normals that differ by little have theirs far apart
// along it.
const MANIFOLD_RIM_RADIUS: f32 = 0.05;
// Corners of a contact region that are less than this share of the sum of the bounding radii less deep than the deepest
// count as equally deep: a tremble of the bodies does not change which they are. Callers are told this number.
const MANIFOLD_LEVEL: f32 = 1e-4;
// Sets of points whose area is at least this share of the widest's tie, and the features' numbers choose. A little
// above the 0.99 that callers are promised.
const MANIFOLD_LEAST_SHARE: f32 = 0.9902;
// Ends of a contact region that is a line: squares of distances that differ by less than this factor tie, and the
// features' numbers choose.
const MANIFOLD_FAR_TIE: f32 = 1.05;
// A corner that is this near to a vertex of either face, as a share of the shorter edge, has the vertex' name. No
// simple fraction: bodies set aside by one would lie on the border. Larger: more corners have to share a name.
const MANIFOLD_NAME_SHARE: f32 = 0.0137;
// Corners of a contact region that are kept: of two boxes, whose vertices and crossings are twelve at most with those
// that are one, and of other shapes. Where there are more the region is thinned out. Memory of an invocation: 24 bytes
// each.
const MANIFOLD_FEW_CORNERS: u32 = 12u;
const MANIFOLD_MANY_CORNERS: u32 = 128u;
// Least cosine between the contact normal and that of a face that others are clipped against: heights over steeper ones
// are noise. Contacts on those are at an edge or a tip.
const MANIFOLD_LEAST_COSINE: f32 = 0.1;
// Below this cosine between the contact normal and that of its face a rounded polytope stands on an edge and no longer
// on the face, whose far side has risen by a seventh of its width.
const MANIFOLD_EDGE_COSINE: f32 = 0.99;

// Bounds handed to the caller are widened by this: the rounding of support points and of the frame.
const BOUND_ULPS: f32 = 12.0;

// A cast ends when the cores are within this of touching.
const CAST_TOUCH_ULPS: f32 = 8.0;
const CURVED_CAST_TOUCH_ULPS: f32 = 32.0;
// Bound of its loop. Boxes need 9 at the 99th percentile, hulls of 32 vertices 14; bodies that pass each other closely
// halve the gap each time.
const CAST_MAX_ITERATIONS: u32 = 128u;
// Iterations in which neither the path nor the distance changes before it counts as stalled.
const CAST_MAX_IDLE: u32 = 8u;
// How far it goes back when rounding took it into the other core; doubled each time.
const CAST_RETREAT_ULPS: f32 = 8.0;
// Bodies that overlap by no more than this along a normal may be told to touch along it: what slides over a floor of
// tiles is held up by them, not stopped. Larger: eats into the tolerance of 42; smaller: rounding of the callers'
// positions makes tiles' sides felt.
const MOTION_SLACK_ULPS: f32 = 16.0;
const CURVED_MOTION_SLACK_ULPS: f32 = 32.0;
// A normal along which bodies close in by less than this share of their way is perpendicular to the motion.
const MOTION_LEAST_CLOSING_ULPS: f32 = 4.0;
// How many times the slack is the share of their way that bodies may close in by and pass all the same, if they don't
// come deeper than the slack until they stop. In the plane the angle, too, by which another side is hardly told from
// one. Larger: bodies that meet as their motion ends are told to pass.
const MOTION_SHALLOW: f32 = 16.0;
// A vector between cores that is shorter than this has too much rounding in its direction to be a normal.
const MOTION_LEAST_VECTOR: f32 = 0.01;

// Velocity EPA: bounds of the search for a simplex around the origin and of the expansion, and when that stops; see
// EPA_EXIT_ULPS.
const VELOCITY_GJK_MAX_ITERATIONS: u32 = 64u;
const VELOCITY_EPA_MAX_ITERATIONS: u32 = 96u;
const VELOCITY_EPA_EXIT_ULPS: f32 = 12.0;
// What is left open there is an answer when its bounds are this close: rounded shapes, whose faces get small, may not
// come closer.
const VELOCITY_EPA_ACCEPT_ULPS: f32 = 32.0;
// How far beside the face that it seems to cross the ray may be. Farther, a face that was too thin to be searched is
// where it leaves.
const VELOCITY_EPA_MISS_ULPS: f32 = 1024.0;
// How far from touching the points of the bodies may be that the face's corners give. A face along the way may have
// corners of B at both ends of that, whose points are in different places.
const VELOCITY_EPA_POINTS_ULPS: f32 = 256.0;

// Steps of conservative advancement. Pins that turn by 32 radians beside each other at a hundredth of their length need
// 300.
const ADVANCE_MAX_ITERATIONS: u32 = 512u;
// Tangents that lead to each step.
const ADVANCE_TANGENTS: u32 = 4u;
// Sine of the angle of edges below which their common normal is none.
const ADVANCE_LEAST_CROSSING: f32 = 0.001;
// Gap that it goes back for where a step ends in touch, so that there is a normal; doubled each time.
const ADVANCE_RETREAT_ULPS: f32 = 16.0;
// Where it went back too far, the time that is too much is halved up to so many times.
const ADVANCE_MAX_HALVINGS: u32 = 8u;
// How far apart bodies that touch are moved for their points to be seen.
const ADVANCE_ROOM: f32 = 0.5;
// Bodies that touch to begin with are looked at again when they may have moved by so many times the slack.
const ADVANCE_SKIP: f32 = 8.0;
// Radians that bodies that touch may turn until they are looked at again, at most.
const ADVANCE_MOST_TURN: f32 = 0.25;
// Bodies that overlap to begin with and part are looked at again when they may have moved by this share of their size,
// or after this share of the duration, whichever is later. Larger: an impact soon after they have come apart may be
// passed over; smaller: more steps than there are.
const ADVANCE_LEAVE_MOTION: f32 = 0.03125;
const ADVANCE_LEAVE_SHARE: f32 = 0.00390625;
// Overlap that turns into a deeper one is told by the depth a little later: when bodies may have moved by so many times
// the root of the slack.
const MOTION_LATER: f32 = 3.0;
// Bodies that come to touch and close in by more than this share of their greatest speed meet; slower ones may pass.
// Smaller: what rounding finds grazing is stopped; larger: more bodies that meet as the motion ends are told to pass.
const ADVANCE_STEEP: f32 = 0.1;
// Radians that a body may turn during a motion: five turns. Beyond, f32 angles are too coarse for the tolerance.
const MOTION_MOST_TURN: f32 = 32.0;

// Cosine to the normal along which bodies come to each other below which another is that of the far side of something
// thin.
const MOTION_OPPOSITE: f32 = -0.5;

// In the caller's unit: slower bodies stand still.
const LEAST_SPEED: f32 = 1e-30;

// Quaternions shorter than 1e-6 are invalid.
const MIN_QUATERNION_LENGTH_SQUARED: f32 = 1e-12;

// In the plane. What overlaps by less along the normals of all edges may be apart, tip to tip, and is searched by GJK;
// and what is nearer than this touches.
const PLANAR_TOUCH_ULPS: f32 = 8.0;
// A triangle of less than this height is flat.
const PLANAR_FLAT_ULPS: f32 = 4.0;
// A's edges are preferred to B's that are better by less than this: parallel ones tie.
const PLANAR_FACE_BIAS_ULPS: f32 = 8.0;
// Corners whose heights differ by less than this lie in one line.
const PLANAR_TIE_ULPS: f32 = 8.0;
// Corners of the polygon that EPA expands: two of 32 corners may need them all. Memory of an invocation: 36 bytes each.
const PLANAR_EPA_CORNERS: u32 = 64u;
// Bounds handed to the caller are widened by this. Tips of segments on each other are off by 11 of max(s, |B - A|),
// which is up to two units.
const PLANAR_BOUND_ULPS: f32 = 32.0;
// Steps of conservative advancement. A wheel of 64 corners that turns five times close to the ground needs a few for
// each corner.
const PLANAR_ADVANCE_MAX_ITERATIONS: u32 = 512u;
// Share of an edge within which its end gives a point of a manifold its name. No simple fraction: bodies set aside by
// one would lie on the border.
const PLANAR_NAME_SHARE: f32 = 0.0543;
