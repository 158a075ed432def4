//! Every search finds exactly the pairs that all comparisons find, whatever the boxes.

use kontakt_bounds::Aabb;
use kontakt_bounds::batch::Isa;
use kontakt_broad::{BoxError, Boxes, Frame, Method, Pairs};
use kontakt_math::DVec3;
use std::ops::ControlFlow;
use testkit::Generator;

fn aabb(a: DVec3, b: DVec3) -> Aabb {
    Aabb { min: a.min(b), max: a.max(b) }
}

/// Boxes at random places; widths over `octaves` powers of two.
fn scattered(g: &mut Generator, count: usize, width: f64, octaves: i32) -> Vec<Aabb> {
    (0..count)
        .map(|_| {
            let centre = DVec3::from_array(g.point());
            let size = width * 2.0_f64.powi((g.unit() * f64::from(octaves + 1)) as i32);
            aabb(centre, centre + DVec3::from_array(g.point()) * size)
        })
        .collect()
}

fn exact(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.sort_unstable();
    pairs
}

/// Compares all methods and instruction sets with all comparisons; gives the number of pairs within the first set.
fn check(first: &[Aabb], second: &[Aabb]) -> usize {
    let frame = Frame::around(first.iter().chain(second).copied());
    let [a, b] = [first, second].map(|list| Boxes::new(frame, list.iter().copied()).expect("boxes"));
    let (mut within, mut between) = (Vec::new(), Vec::new());
    for i in 0..a.len() {
        within.extend((i + 1..a.len()).filter(|&j| a.meet(i, &a, j)).map(|j| [i as u32, j as u32]));
        between.extend((0..b.len()).filter(|&j| a.meet(i, &b, j)).map(|j| [i as u32, j as u32]));
        for j in i + 1..a.len() {
            assert!(!exact(&first[i], &first[j]) || a.meet(i, &a, j), "a pair is missed in single precision");
        }
    }
    for method in [Method::Cells, Method::Sweep] {
        for isa in Isa::available() {
            let found = Pairs::within(&a, method).with_isa(isa);
            assert_eq!(sorted(found.collect()), within, "{method:?} {isa:?}");
            assert_eq!(found.count(), within.len() as u64);
            let found = Pairs::between(&a, &b, method).expect("one frame").with_isa(isa);
            assert_eq!(sorted(found.collect()), between, "{method:?} {isa:?}");
        }
    }
    within.len()
}

#[test]
fn random_boxes_of_many_sizes() {
    let mut g = Generator::free(1);
    let mut pairs = 0;
    for (count, width, octaves) in
        [(300, 0.05, 0), (700, 0.01, 5), (500, 1e-4, 12), (200, 1.0, 2), (900, 1e-3, 9), (64, 0.3, 0)]
    {
        let first = scattered(&mut g, count, width, octaves);
        let second = scattered(&mut g, count / 2, 3.0 * width, octaves);
        pairs += check(&first, &second);
    }
    assert!((3_000..60_000).contains(&pairs), "generator drifted: {pairs}");
}

#[test]
fn small_integers_touch_in_every_way() {
    let mut g = Generator::grid(2);
    let mut pairs = 0;
    for count in [2, 3, 17, 60, 200] {
        let mut list = || -> Vec<Aabb> {
            (0..count).map(|_| aabb(DVec3::from_array(g.point()), DVec3::from_array(g.point()))).collect()
        };
        let (first, second) = (list(), list());
        pairs += check(&first, &second);
    }
    assert!(pairs > 1_000, "{pairs}");
}

#[test]
fn degenerate_sets() {
    let unit = aabb(DVec3::ZERO, DVec3::ONE);
    let point = |x: f64, y: f64| aabb(DVec3::new(x, y, 3.0), DVec3::new(x, y, 3.0));
    assert_eq!(check(&[], &[unit]), 0);
    assert_eq!(check(&[unit], &[]), 0);
    assert_eq!(check(&[unit; 70], &[unit; 33]), 70 * 69 / 2);
    let flat: Vec<Aabb> = (0..400).map(|i| point(f64::from(i % 20), f64::from(i / 20))).collect();
    assert_eq!(check(&flat, &flat), 0);
    let all = aabb(DVec3::splat(-1e6), DVec3::splat(1e6));
    let with_huge: Vec<Aabb> = flat.iter().copied().chain([all]).collect();
    assert_eq!(check(&with_huge, &[all, unit]), 400);
    let needles: Vec<Aabb> = (0..300)
        .map(|i| {
            let y = f64::from(i) * 0.01;
            aabb(DVec3::new(-1e3, y, y), DVec3::new(1e3, y + 0.015, y))
        })
        .collect();
    check(&needles, &flat);
    for scale in [1e-300, 5e-324, 1e300, f64::MAX / 32.0] {
        let scaled: Vec<Aabb> = (0..60)
            .map(|i| {
                aabb(DVec3::splat(f64::from(i % 30)) * scale, DVec3::splat(f64::from(i % 30) + 0.5) * scale)
            })
            .collect();
        assert!(check(&scaled, &scaled) >= 30, "{scale}");
    }
}

#[test]
fn what_is_no_box_is_named() {
    let unit = aabb(DVec3::ZERO, DVec3::ONE);
    let new = |b: Aabb| Boxes::new(Frame::around([unit, b]), [unit, unit, b]).map(|_| ());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let b = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, bad, 1.0) };
        assert_eq!(new(b), Err(BoxError::NotFinite { index: 2 }));
    }
    assert_eq!(new(Aabb { min: DVec3::ONE, max: DVec3::ZERO }), Err(BoxError::InsideOut { index: 2 }));
    let [a, b] = [unit, aabb(DVec3::ZERO, DVec3::splat(1e9))]
        .map(|x| Boxes::new(Frame::around([x]), [x]).expect("a box"));
    assert!(Pairs::between(&a, &b, Method::Cells).is_err());
}

/// The list is the same for any number of threads and any room; a visitor may stop; room bounds what is handed over.
#[test]
fn threads_and_room_change_nothing() {
    let mut g = Generator::free(3);
    let list = scattered(&mut g, 3000, 0.05, 3);
    let boxes = Boxes::new(Frame::around(list.iter().copied()), list).expect("boxes");
    let pairs = Pairs::within(&boxes, Method::Cells);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| Pairs::within(&boxes, Method::Cells).collect())
    };
    let one = with(1);
    assert!(one.len() > 5_000 && pairs.pieces() > 5, "{}", one.len());
    assert_eq!(one, with(2));
    for room in [0, 1, 7, 1000, usize::MAX] {
        let mut all = Vec::new();
        for piece in 0..=pairs.pieces() {
            let flow = pairs.visit(piece, room, |some| {
                assert!(!some.is_empty() && some.len() <= room.max(1));
                all.extend_from_slice(some);
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
        }
        assert_eq!(all, one);
    }
    let mut seen = 0;
    let flow = pairs.visit(0, 3, |some| {
        seen += some.len();
        if seen > 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(flow.is_break() && seen == 12);
}
