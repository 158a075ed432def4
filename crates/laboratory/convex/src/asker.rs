//! The certified answer with the opinion of a method beside it.

use crate::contact::Tally;
use crate::method::{StudyMethod, in_world};
use kontakt_convex::asker::{ConvexPairs, Patience, answer_by, manifold_by};
use kontakt_convex::{Answer, ConvexQuery, Manifold, Method, PlacedShape, Shape, Verdict, Want};
use kontakt_math::Between;
use kontakt_schedule::Deadline;

/// Asks like the product's [`ConvexQuery`], and hears a method for study about every pair of convex shapes.
#[derive(Clone, Debug)]
pub struct StudyAsker {
    method: StudyMethod,
    certified: ConvexQuery,
    /// How the method's runs ended.
    pub tally: Tally,
    /// How often the method took bodies for separate that are not, or the other way round.
    pub contradictions: u64,
}

impl StudyAsker {
    /// An asker that hears this method. What a method for study is compared with is what every user gets.
    pub fn new(method: StudyMethod) -> StudyAsker {
        let way = if let StudyMethod::Certified(way) = method { way } else { Method::Default };
        StudyAsker {
            method,
            certified: ConvexQuery::with_method(way),
            tally: Tally::default(),
            contradictions: 0,
        }
    }

    /// The same asker that ends questions about unions, with what is certain by then, when a deadline has passed.
    #[must_use]
    pub fn with_deadline(self, deadline: Deadline) -> StudyAsker {
        StudyAsker { certified: self.certified.with_deadline(deadline), ..self }
    }

    /// Whether the deadline ended the last question before all of it was answered.
    pub fn was_cut(&self) -> bool {
        self.certified.was_cut()
    }

    /// Whether the bodies meet.
    #[inline]
    pub fn intersect(&mut self, a: PlacedShape, b: PlacedShape) -> Verdict {
        if self.method.is_certified() {
            return self.certified.intersect(a, b);
        }
        answer_by(self, &a, &b, Want::Verdict).verdict
    }

    /// Distance, nearest points and normal of separate bodies; of others the verdict.
    #[inline]
    pub fn distance(&mut self, a: PlacedShape, b: PlacedShape) -> Answer {
        if self.method.is_certified() {
            return self.certified.distance(a, b);
        }
        answer_by(self, &a, &b, Want::Distance)
    }

    /// Signed separation, normal and points; of overlapping bodies what the method says.
    #[inline]
    pub fn contact(&mut self, a: PlacedShape, b: PlacedShape) -> Answer {
        if self.method.is_certified() {
            return self.certified.contact(a, b);
        }
        answer_by(self, &a, &b, Want::Contact)
    }

    /// The contact with all its points, where bodies are not farther apart than `gap` (≥ 0).
    #[inline]
    pub fn manifold(&mut self, a: PlacedShape, b: PlacedShape, gap: f64) -> Manifold {
        if self.method.is_certified() {
            return self.certified.manifold(a, b, gap);
        }
        manifold_by(self, a, b, gap)
    }
}

impl ConvexPairs for StudyAsker {
    /// The method is heard, and its verdict compared with the certified one.
    fn convex(&mut self, a: &Shape, b: &Shape, between: &Between, want: Want) -> Answer {
        let answer = self.certified.convex(a, b, between, want);
        let Some(opinion) = self.method.opinion(a, b, between) else { return answer };
        self.tally.count(opinion.ending);
        let says_apart = opinion.verdict == Verdict::Separate;
        self.contradictions += u64::from(says_apart != (answer.verdict == Verdict::Separate));
        match opinion.contact {
            Some(contact)
                if want == Want::Contact && answer.verdict == Verdict::Overlapping && !says_apart =>
            {
                in_world(&contact, between)
            }
            _ => answer,
        }
    }

    fn forget(&mut self) {
        self.certified.forget();
    }

    fn patience(&mut self) -> &mut Patience {
        self.certified.patience()
    }
}
