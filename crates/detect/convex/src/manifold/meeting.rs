//! From the facets of two bodies to their contacts.

use super::clip::{Crossing, Cuts, Outline, Seen};
use super::facet::{Corner, Facet, facet};
use super::lift::Surface;
use crate::{Answer, Core, Shape};
use kontakt_answers::{Contact, Feature, Range};
use kontakt_math::{Between, DVec2, DVec3, U};

/// Contacts whose depth is known no better than to this part of the size are left out.
const VAGUE: f64 = 1e-6;

/// Memory for facets and what is made of them, reused from question to question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    facets: [Facet; 2],
    outlines: [Outline; 2],
    cuts: Cuts,
}

/// Adds the contacts of two bodies that are not farther apart than `gap`, given what is known of them as a whole.
pub(crate) fn contacts(
    [a, b]: [&Shape; 2],
    between: &Between,
    answer: &Answer,
    gap: f64,
    scratch: &mut Scratch,
    into: &mut Vec<Contact>,
) {
    if shows_one_point(a.core()) && shows_one_point(b.core()) {
        let name = |shape: &Shape| matches!(shape.core(), Core::Point).then_some(Feature::Vertex(0));
        into.push(Contact { feature_a: name(a), feature_b: name(b), ..(*answer).into() });
        return;
    }
    let Scratch { facets, outlines, cuts } = scratch;
    let Some(view) = View::new(a, b, between, answer, gap, facets) else {
        into.push((*answer).into());
        return;
    };
    let (first, [on_a, on_b]) = (into.len(), outlines);
    match (a.core(), b.core()) {
        (Core::HalfSpace { .. }, Core::HalfSpace { .. }) => {}
        (Core::HalfSpace { normal, offset }, _) => {
            let plane = Plane { normal: *normal, offset: *offset, error: 0.0 };
            view.over_plane(view.of_b, &plane, true, on_b, into);
        }
        (_, Core::HalfSpace { normal, offset }) => {
            view.over_plane(view.of_a, &Plane::of_b(*normal, *offset, between), false, on_a, into);
        }
        _ => view.of_facets([on_a, on_b], cuts, into),
    }
    let mut count = first;
    for k in first..into.len() {
        if into[k].depth.hi() >= -gap && view.is_sound(&into[k]) {
            into.swap(count, k);
            count += 1;
        }
    }
    into.truncate(count);
    // Where a rim crosses an edge, the deepest place may be no corner of the common part.
    let deepest = into[first..].iter().map(|contact| contact.depth.hi()).fold(f64::NEG_INFINITY, f64::max);
    if deepest + 16.0 * view.error < -answer.separation.hi() || into.len() == first {
        into.push(view.single());
    }
}

/// Whether a core shows one point to every direction.
fn shows_one_point(core: &Core) -> bool {
    matches!(core, Core::Point | Core::Ellipsoid(_) | Core::User(_))
}

/// The sum of the two radii of a shape.
fn radius(shape: &Shape) -> f64 {
    shape.radii().into_iter().sum()
}

/// Two bodies seen along the normal of their contact: coordinates in A's frame, from the point on A.
struct View<'v> {
    between: &'v Between,
    answer: &'v Answer,
    /// From A to B, in A's frame.
    normal: DVec3,
    across: [DVec3; 2],
    origin: DVec3,
    of_a: Option<&'v Facet>,
    of_b: Option<&'v Facet>,
    radii: [f64; 2],
    /// About as far as the corners reach.
    size: f64,
    /// **Never less** than the error of a corner, in place and height.
    error: f64,
    /// How far beside each other edges may lie and still run along each other.
    slack: f64,
}

impl<'v> View<'v> {
    /// None when the numbers are beyond the range of doubles.
    fn new(
        a: &Shape,
        b: &Shape,
        between: &'v Between,
        answer: &'v Answer,
        gap: f64,
        [of_a, of_b]: &'v mut [Facet; 2],
    ) -> Option<View<'v>> {
        let [pose_a, _] = between.poses();
        let back = pose_a.rotation().conjugate();
        let normal = (back * answer.normal).normalize_or_zero();
        let origin = back * (answer.point_a - pose_a.translation());
        // What lies lower than the other body reaches is not in contact, whatever its face.
        let deep = (-answer.separation.lo()).max(0.0);
        if normal == DVec3::ZERO || !origin.is_finite() || !deep.is_finite() {
            return None;
        }
        let (u, v) = normal.any_orthonormal_pair();
        let radii = [radius(a), radius(b)];
        let turned = between.turn().transpose() * normal;
        let size = between.shift().length() + origin.length() + radii[0] + radii[1];
        let rough = 64.0 * U * size + 4.0 * U * (size_of(a) + size_of(b));
        let within = deep + gap + rough;
        let shown = [facet(a.core(), normal, within, of_a), facet(b.core(), -turned, within, of_b)];
        for corner in &mut of_b.corners {
            corner.point = between.b_in_a(corner.point);
        }
        let [of_a, of_b] = [shown[0].then_some(&*of_a), shown[1].then_some(&*of_b)];
        let reach = |facet: Option<&Facet>| {
            let corners = facet.into_iter().flat_map(|facet| &facet.corners);
            corners.map(|corner| corner.point.abs().element_sum()).fold(0.0, f64::max)
        };
        let far = reach(of_a).max(reach(of_b)) + origin.abs().element_sum();
        // Corners of B err by the map between the frames; each coordinate then by the difference to the origin, a dot product
        // with a unit vector that is off by a few u: 16u of their size altogether.
        let error = between.error_within(size_of(b)) + 16.0 * U * far;
        if !error.is_finite() {
            return None;
        }
        let slack = gap.max(4.0 * error);
        Some(View {
            between,
            answer,
            normal,
            across: [u, v],
            origin,
            of_a,
            of_b,
            radii,
            size: far,
            error,
            slack,
        })
    }

    /// Whether a contact tells something: facets that are seen from their narrow side leave heights open.
    fn is_sound(&self, contact: &Contact) -> bool {
        let is_finite = contact.point_a.is_finite() && contact.point_b.is_finite();
        is_finite && contact.depth.width() <= (VAGUE * self.size).max(16.0 * self.error)
    }

    /// The pair of points of the answer, named by the facets.
    fn single(&self) -> Contact {
        let name = |facet: Option<&Facet>| facet.and_then(Facet::name);
        Contact { feature_a: name(self.of_a), feature_b: name(self.of_b), ..(*self.answer).into() }
    }

    fn place(&self, point: DVec3) -> DVec2 {
        let offset = point - self.origin;
        DVec2::new(self.across[0].dot(offset), self.across[1].dot(offset))
    }

    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.origin)
    }

    /// A place of the plane at a height, in the world.
    fn in_world(&self, at: DVec2, height: f64) -> DVec3 {
        let [pose_a, _] = self.between.poses();
        let local = self.origin + self.across[0] * at.x + self.across[1] * at.y + self.normal * height;
        pose_a.apply(local)
    }

    /// A contact at a place, by the heights of the cores there.
    fn contact(&self, at: DVec2, on_a: Range, on_b: Range, names: [Option<Feature>; 2]) -> Contact {
        let [radius_a, radius_b] = self.radii;
        let middle = |range: Range| 0.5 * range.lo() + 0.5 * range.hi();
        // Sums of four numbers: 4u of their sizes.
        let sizes =
            on_a.lo().abs() + on_a.hi().abs() + on_b.lo().abs() + on_b.hi().abs() + radius_a + radius_b;
        let round = 4.0 * U * sizes + f64::MIN_POSITIVE;
        let lo = on_a.lo() - on_b.hi() + radius_a + radius_b - round;
        let hi = on_a.hi() - on_b.lo() + radius_a + radius_b + round;
        Contact {
            point_a: self.in_world(at, middle(on_a) + radius_a),
            point_b: self.in_world(at, middle(on_b) - radius_b),
            normal: self.answer.normal,
            depth: Range::new(lo, hi).unwrap_or(Range::ZERO),
            feature_a: names[0],
            feature_b: names[1],
        }
    }

    fn draw(&self, facet: &Facet, outline: &mut Outline) {
        let seen = |corner: &Corner| Seen {
            at: self.place(corner.point),
            height: self.height(corner.point),
            id: corner.id,
        };
        outline.draw(facet, facet.corners.iter().map(seen), 4.0 * self.error);
    }

    /// Corners of the common part of two facets.
    fn of_facets(&self, [on_a, on_b]: [&mut Outline; 2], cuts: &mut Cuts, into: &mut Vec<Contact>) {
        let (Some(of_a), Some(of_b)) = (self.of_a, self.of_b) else { return };
        self.draw(of_a, on_a);
        self.draw(of_b, on_b);
        if on_a.corners.len() < 2 || on_b.corners.len() < 2 {
            return;
        }
        cuts.common_part(on_a, on_b, 4.0 * self.error);
        if cuts.crossings.is_empty() && on_a.corners.len() == 2 && on_b.corners.len() == 2 {
            // Edges that run along each other within the gap asked for.
            cuts.common_part(on_a, on_b, self.slack);
        }
        let surface_a = Surface::new(on_a, self.error);
        let surface_b = Surface::new(on_b, self.error);
        into.extend(cuts.crossings.iter().map(|&Crossing { at, a, b }| {
            self.contact(at, surface_a.height(at), surface_b.height(at), [Some(a), Some(b)])
        }));
    }

    /// Corners of a facet over the boundary of a half-space.
    fn over_plane(
        &self,
        other: Option<&Facet>,
        plane: &Plane,
        plane_is_a: bool,
        outline: &mut Outline,
        into: &mut Vec<Contact>,
    ) {
        let Some(other) = other else { return };
        let contact = |&Seen { at, height, id }: &Seen| {
            let own = Range::new(height - self.error, height + self.error).unwrap_or(Range::ZERO);
            let foot = self.origin + self.across[0] * at.x + self.across[1] * at.y;
            let level = plane.height_over(foot, self.normal, self.error);
            let (face, vertex) = (Some(Feature::Face(0)), Some(Feature::Vertex(id)));
            if plane_is_a {
                self.contact(at, level, own, [face, vertex])
            } else {
                self.contact(at, own, level, [vertex, face])
            }
        };
        self.draw(other, outline);
        into.extend(outline.corners.iter().map(contact));
    }
}

/// The boundary of a half-space in A's frame: normal · x = offset.
struct Plane {
    normal: DVec3,
    offset: f64,
    /// **Never less** than how far the exact plane may be from this one near the bodies, as a length.
    error: f64,
}

impl Plane {
    /// A half-space that is given in B's frame: its points err as points of B do, and its offset by a dot product.
    fn of_b(normal: DVec3, offset: f64, between: &Between) -> Plane {
        let turned = between.turn() * normal;
        let shift = between.shift();
        let far = shift.abs().element_sum() + offset.abs() / normal.length();
        Plane { normal: turned, offset: offset + turned.dot(shift), error: 4.0 * between.error_within(far) }
    }

    /// Bounds of the plane's height over a place, along the view's normal.
    ///
    /// The numerator is a dot product and a difference: 8u of their sizes. The cosine of the two normals is near 1 and errs by 8u.
    fn height_over(&self, foot: DVec3, normal: DVec3, error: f64) -> Range {
        let slope = self.normal.dot(normal);
        let size = self.normal.abs().dot(foot.abs()) + self.offset.abs();
        let height = (self.offset - self.normal.dot(foot)) / slope;
        let error = error + self.error + 16.0 * U * (size / slope.abs() + height.abs());
        Range::new(height - error, height + error)
            .or_else(|_| Range::new(f64::NEG_INFINITY, f64::INFINITY))
            .unwrap_or(Range::ZERO)
    }
}

/// How far the core reaches from its origin, roughly, never less than half of it.
fn size_of(shape: &Shape) -> f64 {
    let most = |points: &[DVec3]| points.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
    match shape.core() {
        Core::Point | Core::HalfSpace { .. } | Core::Union(_) | Core::User(_) => 0.0,
        Core::Segment(ends) => most(ends),
        Core::Triangle(corners) => most(corners),
        Core::Box(size) | Core::Ellipsoid(size) => size.element_sum(),
        Core::Hull(hull) => most(hull.vertices()),
        Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } => {
            half_length + 2.0 * radius
        }
    }
}
