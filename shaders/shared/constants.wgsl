// Every tolerance and capacity, with its unit and what breaks when it changes.
//
// Lengths inside the algorithms are dimensionless: makePair scales each pair by a power of two so that the greatest of
// the sum of the bounding radii and the components of B - A lies in [1, 2). A tolerance of k ULPS is k * EPSILON of
// that length, where EPSILON is the machine epsilon of the arithmetic: 2^-23 here, 2^-52 in the double-precision
// mirror, and 2^-40 in its corners (src/cpu/corners.ts). The rounding error of one support point is about 2 ULPS.
//
// The mirror reads the same constants, with some exceptions. It has values of its own for the accepted gap
// (src/cpu/queries/result.ts), for REFINE_LOSS, and for the iteration limits of EPA and of conservative advancement.

// A margin of a million units counts as unbounded.
const UNBOUNDED: f32 = 1e6;
// Distances are below 2 * sqrt(3) + 2 units: the distance of the bodies plus both bounding radii.
const GREATEST_DISTANCE: f32 = 8.0;
// Greatest distance of a body's points from its origin, scale and rounding included, in the caller's unit. Scales have
// the same limit. Larger: from 2^56 on, rotating bodies, whose motion is in the caller's unit, end NotConverged; still
// larger lengths overflow f32.
const GREATEST_SIZE: f32 = 1e15;
// Greatest absolute value of coordinates and velocities. Larger: distances overflow f32.
const GREATEST_POSITION: f32 = 1e30;
// Lower bound of a pair's unit, also relative to the greater scale, and of the factor from a shape's own lengths to the
// unit. It keeps them above 0 even for shapes without a size.
const LEAST_UNIT: f32 = 1e-30;

// GJK stops when upper - lower falls below this. Smaller: f32 noise makes it stall; larger: leaves less of the promised
// 42 ULPS (src/shapes/tolerances.ts).
const GJK_EXIT_ULPS: f32 = 6.0;
// Smallest distance of the cores for which GJK's own answer is used. Below it the closest vector is noise, and the
// normal has to come from faces.
const GJK_TOUCH_ULPS: f32 = 6.0;
// A stalled search whose cores are nearer than this share of the unit continues with EPA, which takes its normal from
// faces.
const GJK_NEARBY: f32 = 1e-3;
// A stalled search is still an answer if its bounds are this close. Otherwise the pair is NotConverged.
const ACCEPT_ULPS: f32 = 20.0;
// Iteration limit of GJK. Polytopes of 32 vertices need 12 at the 99th percentile; dense hulls need more.
const GJK_MAX_ITERATIONS: u32 = 128u;
// Iterations without a change of either bound after which the search counts as stalled.
const GJK_MAX_IDLE: u32 = 8u;

// Points that the projected Newton search tries. More: hardly fewer pairs are left to GJK.
const NEWTON_MAX_ITERATIONS: u32 = 6u;
// Which of its steps is halved, and in which step coordinates stay on the sides of the box. Both prevent cycles, which
// can't be detected from two steps alone.
const NEWTON_HALF_STEP: u32 = 3u;
const NEWTON_HOLDING_STEP: u32 = 4u;
// Damping of its steps. Smaller: their pivots are noise; larger: more steps to the same end.
const NEWTON_DAMPING_ULPS: f32 = 16.0;
// Components of unit vectors that are shorter than this have no direction.
const NEWTON_PARALLEL_ULPS: f32 = 16.0;
// Largest distance of its points from the line through each other along the normal.
const NEWTON_SKEW_ULPS: f32 = 8.0;

// For cylinders, cones and ellipsoids, whose tolerance is larger: when GJK and EPA stop, and how close the bounds have
// to be.
const CURVED_EXIT_ULPS: f32 = 32.0;
const CURVED_EPA_EXIT_ULPS: f32 = 96.0;
const CURVED_ACCEPT_ULPS: f32 = 128.0;
const CURVED_EPA_ACCEPT_ULPS: f32 = 512.0;
// By how much the numbered points of two curved cores fall short of the cores. Bounds must include this.
const CURVED_LOSS: f32 = 1e-9;

// For curved pairs that EPA leaves open: the radius in radians within which normals are tried, at the start and at the
// end; the limit of its changes; the share by which it shrinks; and how far, as a share of it, the best normal must
// have moved to keep it from shrinking.
const CLIMB_START: f32 = 0.3;
const CLIMB_END: f32 = 0.01;
const CLIMB_ROUNDS: u32 = 16u;
const CLIMB_SHRINK: f32 = 0.4;
const CLIMB_FAR: f32 = 0.7;
// The polytopes around the normal found there: angle of the first one's corners, share of it in the next, number of
// polytopes, and iterations of each.
const REFINE_TILT: f32 = 0.02;
// The same for the simplex from which EPA begins anew. It has to hold the origin, which is nearly on its large face.
const REFINE_RESTART_TILT: f32 = 0.5;
const REFINE_SHRINK: f32 = 0.3;
const REFINE_ROUNDS: u32 = 3u;
const REFINE_ITERATIONS: u32 = 16u;
// Share of that angle within which their faces are searched.
const REFINE_CENTRE_DISTANCE: f32 = 2.0;
// Distance by which bodies are moved apart for a search from outside, and the deviation of witness points from the
// normal up to which that search isn't needed.
const REFINE_ROOM: f32 = 0.5;
const REFINE_MISS: f32 = 3e-4;
// Faces of a hull whose normals are tried.
const REFINE_FACES: u32 = 256u;
// How much worse than the climb's a polytope's depth may be, for the sake of its better witness points.
const REFINE_LOSS: f32 = 1e-5;

// A tetrahedron, triangle or segment of less than this height is flat: it can't be told from its own rounding.
const FLAT_ULPS: f32 = 8.0;
// A triangle narrower than this times its longest edge has no inside, only edges.
const SLIVER_ULPS: f32 = 4.0;
// Kernels take triangles for touching if they are at most this far apart, in ULPS of their greatest extent. Smaller:
// more triangles that touch at shallow angles are missed, and below SLIVER_ULPS those without an inside; larger: more
// triangles that are apart are hits, and the ends of segments are as far off.
const TRIANGLE_TOUCH_ULPS: f32 = 4.0;
// Nearest points of two edges are those of their triangles if the third corners are behind them by more than this, in
// ULPS of the squared extent. Smaller: rounding may end the search at an edge although a face is nearer; larger: more
// searches go through all edges and faces.
const TRIANGLE_BEHIND_ULPS: f32 = 64.0;
// An origin that projects this near to the border of a face counts as inside.
const INSIDE_SLACK_ULPS: f32 = 4.0;

// EPA stops when the support along a face's normal passes the face by less than this.
const EPA_EXIT_ULPS: f32 = 8.0;
// Faces at most this much lower than the answer may hold its witness points.
const EPA_TIE_ULPS: f32 = 32.0;
// A face is visible from a point that lies more than this outside it.
const EPA_VISIBLE_ULPS: f32 = 2.0;
// A point counts as in a face's plane if it lies at most this far inside it.
const EPA_COPLANAR_ULPS: f32 = 8.0;
// Two polytope vertices nearer than this are the same vertex.
const EPA_SAME_ULPS: f32 = 2.0;
// Vertex capacity of a pair's first polytope. Hulls of 32 vertices need up to 24, of 128 up to 38. It takes 3.0 of the
// 8 KiB of private variables that WGSL guarantees. Sets of faces have 128 bits.
const EPA_SMALL_VERTICES: u32 = 64u;
const EPA_SMALL_FACES: u32 = 124u;
// Capacity of the second polytope, for curved pairs that exceed the first. Sets of faces have 256 bits.
const EPA_MEDIUM_VERTICES: u32 = 128u;
const EPA_MEDIUM_FACES: u32 = 252u;
// Depth by arcs of Gauss maps: a support on an arc counts as distinct only if it is lower than the two supports that
// cross there by more than this. Smaller: f32 noise makes the search cycle; larger: leaves less of the promised 42 ULPS
// (src/shapes/tolerances.ts).
const ARC_TIE_ULPS: f32 = 4.0;
// Supports on one arc. A chord of a polytope of thousands of vertices needs only a few.
const ARC_STEPS: u32 = 64u;
// Witness points may be off the normal by this. Larger: points that reproduce the distance less well. Smaller: more
// pairs are left to EPA.
const ARC_MISS_ULPS: f32 = 32.0;
// How much deeper a face or arc that has witness points may be than the best one, which has none. Larger: leaves less
// of the gap that is accepted.
const ARC_SPARE_ULPS: f32 = 12.0;
// Vertices that are higher than the lowest one by at most this are level with it. Smaller: faces that f32 rounding has
// bent have no points in common. Larger: points may be this far inside.
const ARC_LEVEL_ULPS: f32 = 16.0;
// Steps of the search for points that level vertices have in common. Beyond it EPA finds them.
const ARC_LEVEL_STEPS: u32 = 16u;

// MPR ends a ray when the support along its portal's normal passes the portal by less than this.
const MPR_EXIT_ULPS: f32 = 8.0;
// If MPR finds that the cores overlap, the origin may still be this far outside the difference. At smaller depths MPR
// leaves the pair open. Smaller: more pairs are left open. Must not exceed BOUND_ULPS, since the bounds of overlapping
// pairs rely on it.
const MPR_TOUCH_ULPS: f32 = 8.0;
// Limit of MPR's supports. Polytopes of 32 vertices need 30 at the 99th percentile with all rays. At the limit, the
// last portal is the answer.
const MPR_MAX_ITERATIONS: u32 = 128u;

// SAT prefers a face axis to an edge axis that is better by less than this: parallel edges tie with faces.
const SAT_FACE_BIAS_ULPS: f32 = 8.0;
// Cross products of unit edges shorter than this are parallel edges, whose axis the faces already cover.
const SAT_PARALLEL_ULPS: f32 = 16.0;
// Clipping vertices whose heights differ by less than this are averaged into one witness point.
const SAT_TIE_ULPS: f32 = 8.0;
// Axes of edges that are no farther apart than this belong to the same touch.
const SAT_ALIKE: f32 = 0.01;

// Segments are parallel if the sine of their angle is below this. Their nearest points then form an interval, whose
// middle is used.
const SEGMENTS_PARALLEL_ULPS: f32 = 4.0;
// Shorter vectors have no direction: their squares are subnormal in f32.
const LEAST_LENGTH: f32 = 1e-18;

// A vertex lies in the contact plane when it is nearer to it than this.
const FEATURE_ULPS: f32 = 64.0;
// The same for curved shapes, whose normals are less precise.
const CURVED_FEATURE_ULPS: f32 = 256.0;

// A point beyond a contact face's edge by up to this, times the cosine of the face's slope, still counts as over the
// face. This keeps points on edges that run along each other from appearing and vanishing. Larger: points of a manifold
// leave the surfaces.
const MANIFOLD_INSIDE_ULPS: f32 = 16.0;
// A line meets another one if it is no farther aside of the other's surface than this. Larger: points of a manifold
// leave the surfaces by more than the promised 42 ULPS; smaller: sharp edges that are hardly turned have one point.
const MANIFOLD_LINE_ULPS: f32 = 32.0;
// A contact no farther from a face's edge than this may be one along the edge. Larger: points are less deep than the
// contact, by the square of it over twice the radius of a round shape. In kernels, contacts of curved pairs may be
// farther, by the root of their error.
const MANIFOLD_BORDER: f32 = 1e-5;
// How far beside an edge its faces are known to go on. Larger: points of a manifold lie beyond narrow faces; smaller:
// edges that are hardly turned against each other have one point.
const MANIFOLD_FLANK: f32 = 1e-3;
// Sine of the angle between a line and an edge that it may touch along. The line's ends must not be higher over the
// edge than MANIFOLD_LEVEL by that angle.
const MANIFOLD_PARALLEL: f32 = 0.05;
// Two points of a manifold that are nearer to each other than this are one; so is a point that is nearer to the line
// through two others. It must be more than twice MANIFOLD_INSIDE_ULPS, so that two points made from one corner don't
// count twice.
const MANIFOLD_SAME_ULPS: f32 = 40.0;
// For curved pairs: the error of their contact points is of the order of the square root of the error of their
// distances.
const MANIFOLD_CURVED_SAME: f32 = 5e-3;
// A later candidate is deeper than an earlier one, or a point is beyond the margin, only if the difference exceeds
// this.
const MANIFOLD_TIE_ULPS: f32 = 8.0;
// If no candidate's depth is within this of the contact's, the contact's own witness point joins the manifold.
const MANIFOLD_DEPTH_ULPS: f32 = 24.0;
// The same for curved pairs, whose depth is less precise. A smaller value would make the point flicker where they rest
// on their sides.
const MANIFOLD_CURVED_DEPTH: f32 = 1e-5;
// The contact's own witness point takes the name of a corner that is no farther from it than this, and the corner's
// place. Curved pairs use MANIFOLD_CURVED_SAME.
const MANIFOLD_WITNESS_RADIUS: f32 = 1e-4;
// The same limit for the farthest point of a rim. That point is less precise: a small change of the normal moves it far
// along the rim.
const MANIFOLD_RIM_RADIUS: f32 = 0.05;
// Corners of a contact region whose depth is within this share of the sum of the bounding radii of the deepest count as
// equally deep, so that small vibrations of the bodies don't change the selection. The documentation states this
// number.
const MANIFOLD_LEVEL: f32 = 1e-4;
// The same in kernels for the two ends of lines of curved pairs, whose contact points wander along the line. It is less
// than the tolerance of their distances apart, 2e-5, as the first point has the contact's depth.
const MANIFOLD_LINE_LEVEL: f32 = 1.5e-5;
// Sets of points whose area is at least this share of the widest's tie; the features' numbers then decide. It is a
// little above the 0.99 that the documentation states.
const MANIFOLD_LEAST_SHARE: f32 = 0.9902;
// Ends of a contact region that is a line: if squares of distances differ by less than this factor they tie, and the
// features' numbers decide.
const MANIFOLD_FAR_TIE: f32 = 1.05;
// A corner takes the name of a face's vertex if it is this near to it, as a share of the shorter edge. The value is not
// a simple fraction, as bodies offset by simple fractions would lie on the border. Larger: more corners have to share a
// name.
const MANIFOLD_NAME_SHARE: f32 = 0.0137;
// Capacity in corners of the list of a contact region. A list with less room than an edge may take, four corners, is
// thinned out first. Memory: 24 bytes per corner in each invocation.
const MANIFOLD_MOST_CORNERS: u32 = 128u;
// Differences of heights and areas up to this are rounding.
const MANIFOLD_NOISE_ULPS: f32 = 2.0;
// A box or a disc with a half extent below this, in the pair's unit, is flat: the square of a smaller width is lost in
// f32. Nothing can be over its sides.
const MANIFOLD_LEAST_WIDTH: f32 = 1e-9;
// Least cosine between the contact normal and the normal of a face that is clipped against: over steeper faces heights
// are noise. Contacts on those are at an edge or a tip.
const MANIFOLD_LEAST_COSINE: f32 = 0.1;
// Below this cosine between the contact normal and its face's normal, a rounded polytope rests on an edge and not on
// the face, whose far side has risen by a seventh of its width.
const MANIFOLD_EDGE_COSINE: f32 = 0.99;

// Bounds in results are widened by this, for the rounding of support points and of the frame. A half-space needs most,
// since the rounding of its normal is multiplied by the distance of the bodies, up to 3.5 units: 12 were too few.
const BOUND_ULPS: f32 = 20.0;
// Bounds are also widened by this many ULPs of the length of each rotated middle. Smaller: bounds of shapes far from
// their origins may not contain the distance. Larger: bounds are looser than documented.
const MIDDLE_BOUND_ULPS: f32 = 6.0;

// A cast ends when the cores are within this of touching.
const CAST_TOUCH_ULPS: f32 = 8.0;
const CURVED_CAST_TOUCH_ULPS: f32 = 32.0;
// Iteration limit of a cast. Boxes need 9 at the 99th percentile, hulls of 32 vertices 14. For bodies that pass each
// other closely, each iteration halves the gap.
const CAST_MAX_ITERATIONS: u32 = 128u;
// Iterations without a change of path or distance after which a cast counts as stalled.
const CAST_MAX_IDLE: u32 = 8u;
// How far a cast goes back when rounding took it into the other core. The distance doubles each time.
const CAST_RETREAT_ULPS: f32 = 8.0;
// Touch tolerance: bodies that overlap along a normal by no more than this only touch. So a body that slides over a
// floor of tiles is held up by them, not stopped. Larger: leaves less of the promised 42 ULPS
// (src/shapes/tolerances.ts); smaller: the rounding of callers' positions makes bodies hit the sides of tiles.
const MOTION_TOUCH_ULPS: f32 = 16.0;
const CURVED_MOTION_TOUCH_ULPS: f32 = 32.0;
// A normal along which bodies close in at a lower rate than this, per length of translation, is perpendicular to the
// motion.
const MOTION_LEAST_CLOSING_ULPS: f32 = 4.0;
// Bodies that close in at no more than this rate, in touch tolerances, pass if their overlap stays within the tolerance
// until the end. In 2-D also the angle, in the same unit, within which two sides count as one. Larger: bodies that meet
// as their motion ends pass.
const MOTION_SHALLOW: f32 = 16.0;
// A shorter vector between the cores has too much rounding in its direction to be a normal.
const MOTION_LEAST_VECTOR: f32 = 0.01;

// Velocity EPA: iteration limits of the search for a simplex around the origin and of the expansion, and when the
// expansion stops; see EPA_EXIT_ULPS.
const VELOCITY_GJK_MAX_ITERATIONS: u32 = 64u;
const VELOCITY_EPA_MAX_ITERATIONS: u32 = 96u;
const VELOCITY_EPA_EXIT_ULPS: f32 = 12.0;
// An expansion that didn't finish is still an answer if its bounds are this close. Rounded shapes have ever smaller
// faces and may not get closer.
const VELOCITY_EPA_ACCEPT_ULPS: f32 = 32.0;
// Largest distance of the ray from the face that it seems to cross. If it is farther, the ray leaves through a face
// that was too thin to be searched.
const VELOCITY_EPA_MISS_ULPS: f32 = 1024.0;
// Largest deviation from touching of the points that the face's corners give. A face along the path may have corners
// with B at both ends of the path, whose points are in different places.
const VELOCITY_EPA_POINTS_ULPS: f32 = 256.0;

// Iteration limit of conservative advancement. Pins that turn by 32 radians beside each other at a hundredth of their
// length need 300.
const ADVANCE_MAX_ITERATIONS: u32 = 512u;
// Tangents per step.
const ADVANCE_TANGENTS: u32 = 4u;
// Sine of the angle between edges below which their common normal is not used.
const ADVANCE_LEAST_CROSSING: f32 = 0.001;
// If a step ends in overlap, time goes back by this gap, so that there is a normal; doubled each time.
const ADVANCE_RETREAT_ULPS: f32 = 16.0;
// If time went back too far, the bracket is halved up to this many times.
const ADVANCE_MAX_HALVINGS: u32 = 8u;
// How far bodies that touch are moved apart to find their points.
const ADVANCE_OFFSET: f32 = 0.5;
// Bodies that touch at the start are looked at again when they may have moved by this many touch tolerances.
const ADVANCE_SKIP: f32 = 8.0;
// Largest rotation in radians of touching bodies before they are checked again.
const ADVANCE_MOST_TURN: f32 = 0.25;
// Bodies that overlap at the start and separate are checked again when they may have moved by this share of their size,
// or after this share of the duration, whichever is later. Larger: an impact soon after the separation may be missed;
// smaller: more steps than the limit allows.
const ADVANCE_LEAVE_MOTION: f32 = 0.03125;
const ADVANCE_LEAVE_SHARE: f32 = 0.00390625;
// Whether an overlap gets deeper is measured a little later: when bodies may have moved by this many times the root of
// the touch tolerance.
const MOTION_LATER: f32 = 3.0;
// Bodies that touch and close in by more than this share of their greatest speed meet; slower ones may pass. Smaller:
// bodies that graze by rounding are stopped; larger: more bodies that meet as the motion ends pass.
const ADVANCE_STEEP: f32 = 0.1;
// Radians that a body may turn during a motion: five turns. Beyond, f32 angles are too coarse for the tolerance.
const MOTION_MOST_TURN: f32 = 32.0;

// Cosine to the normal along which bodies approach, below which another normal belongs to the far side of a thin body.
const MOTION_OPPOSITE: f32 = -0.5;

// In the caller's unit per second: slower bodies are at rest.
const LEAST_SPEED: f32 = 1e-30;

// Quaternions shorter than 1e-6 are invalid.
const MIN_QUATERNION_LENGTH_SQUARED: f32 = 1e-12;

// 2-D. If the overlap along the normals of all edges is less than this, the shapes may be apart, tip to tip, and GJK
// searches them. A smaller distance counts as touching.
const PLANAR_TOUCH_ULPS: f32 = 8.0;
// A triangle of less than this height is flat.
const PLANAR_FLAT_ULPS: f32 = 4.0;
// A's edges are preferred to B's if these are better by less than this: parallel edges tie.
const PLANAR_FACE_BIAS_ULPS: f32 = 8.0;
// Corners whose heights differ by less than this lie in one line.
const PLANAR_TIE_ULPS: f32 = 8.0;
// Capacity in corners of the polygon that EPA expands: two polygons of 32 corners may need all. Memory: 36 bytes per
// corner in each invocation.
const PLANAR_EPA_CORNERS: u32 = 64u;
// Bounds in results are widened by this. Segments that meet tip to tip are off by 11 of max(s, |B - A|), which is up to
// two units.
const PLANAR_BOUND_ULPS: f32 = 32.0;
// Iteration limit of conservative advancement. A wheel of 64 corners that turns five times close to the ground needs a
// few per corner.
const PLANAR_ADVANCE_MAX_ITERATIONS: u32 = 512u;
// Share of an edge within which a manifold point takes the name of the edge's end. The value is not a simple fraction,
// as bodies offset by simple fractions would lie on the border.
const PLANAR_NAME_SHARE: f32 = 0.0543;

// Lists of pairs by class are made by prefix sums (kernels/compact.wgsl) over blocks of pairs. A block is one
// workgroup's share: 16 consecutive pairs for each of its 256 invocations.
const PAIRS_PER_INVOCATION: u32 = 16u;
const BLOCK_SIZE: u32 = 4096u;

// Kinds of shapes are below this, in 2-D and 3-D.
const KIND_COUNT: u32 = 16u;
// Where the kind of a part is in its word of a pair of parts. Parts have numbers below 2^26.
const PART_KIND_SHIFT: u32 = 28u;
// Bits of the fraction of a cell in a fixed-point position. With the cells' 30 bits they hold more than a double's
// mantissa. The difference of two fractions has to fit an i32, with a cell added to it or taken away.
const FRACTION_BITS: u32 = 29u;
