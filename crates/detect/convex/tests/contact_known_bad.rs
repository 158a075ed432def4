//! Pairs on which other libraries failed, as reported in their issue trackers: exceptions, NaN, lost contacts, wrong depths. The numbers
//! are those of the reports.

use kontakt_convex::{Answer, ConvexQuery, PlacedShape, Shape, Verdict};
use kontakt_math::{DMat3, DQuat, DVec3, Pose};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

/// From the rows of a rotation and a place, as the reports have them.
fn rows(matrix: [[f64; 4]; 3]) -> Pose {
    let [x, y, z] = matrix;
    let turn =
        DMat3::from_cols_array_2d(&[[x[0], x[1], x[2]], [y[0], y[1], y[2]], [z[0], z[1], z[2]]]).transpose();
    Pose::from_matrix(turn, DVec3::new(x[3], y[3], z[3])).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(DVec3::new(x, y, z) * 0.5).unwrap()
}

/// Asks in every way and holds the answer to the contract: one verdict, narrow bounds, points that realise them.
fn contact(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose) -> Answer {
    let (a, b) = (PlacedShape::new(a, pose_a), PlacedShape::new(b, pose_b));
    let answer = ConvexQuery::new().contact(a, b);
    for (p, q) in [(a, b), (b, a)] {
        assert_eq!(ConvexQuery::new().intersect(p, q), answer.verdict);
        assert_eq!(ConvexQuery::new().distance(p, q).verdict, answer.verdict);
        assert_eq!(ConvexQuery::new().contact(p, q).verdict, answer.verdict);
        let manifold = ConvexQuery::new().manifold(p, q, 0.0);
        assert_eq!(manifold.answer.verdict, answer.verdict);
        assert_eq!(manifold.contacts.is_empty(), answer.verdict == Verdict::Separate);
    }
    assert_ne!(answer.verdict, Verdict::Undecided);
    assert!(answer.separation.width() < 1e-9, "{answer:?}");
    let realised = answer.normal.dot(answer.point_b - answer.point_a);
    assert!((realised - answer.separation.lo()).abs() < 1e-8, "{answer:?}");
    answer
}

#[test]
fn libccd_25_two_cubes_upon_each_other() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let found = contact(&cube, Pose::IDENTITY, &cube, at(0.0, 0.0, 1.9));
    assert!((found.depth().lo() - 0.1).abs() < 1e-12 && found.normal == DVec3::Z, "{found:?}");
}

/// The report: normal and depth are right, the place is not, when one box is much larger.
#[test]
fn libccd_17_a_small_box_on_a_large_one() {
    let (large, small) = (cuboid(5.0, 5.0, 5.0), cuboid(0.2, 0.2, 0.2));
    let found = contact(&large, Pose::IDENTITY, &small, at(1.3, -0.7, 2.59));
    assert!((found.depth().lo() - 0.01).abs() < 1e-12);
    let offset = found.point_a - DVec3::new(1.3, -0.7, 2.5);
    assert!(offset.abs().max_element() <= 0.1 + 1e-12, "{found:?}");
}

#[test]
fn fcl_319_box_and_cylinder() {
    let half = 0.5_f64.sqrt();
    let pose = Pose::new(DQuat::from_xyzw(0.0, 0.0, half, half), DVec3::new(0.8, -0.385, 0.735)).unwrap();
    let turned =
        Pose::new(DQuat::from_xyzw(0.0, 0.0, -0.130_526, 0.991_445), DVec3::new(0.4, -0.4, 0.93)).unwrap();
    contact(&cuboid(0.05, 0.39, 1.47), pose, &Shape::cylinder(0.09, 0.18).unwrap(), turned);
    let wall = rows([[0.0, -1.0, 0.0, 0.8], [1.0, 0.0, 0.0, -0.4575], [0.0, 0.0, 1.0, 1.0225]]);
    let (can, plank) = (Shape::cylinder(0.03, 0.05).unwrap(), cuboid(0.025, 0.35, 1.845));
    let first = rows([
        [-0.999_999_999_979_990_2, 6.257_283_580_204_504e-10, 6.326_066_985_297_61e-6, 0.575_000_097_567_576],
        [
            6.326_066_985_168_371e-6,
            -6.394_330_342_995_855e-10,
            0.999_999_999_979_990_6,
            -0.427_119_630_467_879_4,
        ],
        [6.257_318_015_812_846e-10, 1.0, 6.394_291_294_599_675e-10, 1.186_709_335_874_683_6],
    ]);
    contact(&can, first, &plank, wall);
    let second = rows([
        [
            -0.973_130_107_592_792_8,
            -0.122_028_040_649_725_5,
            0.195_261_237_811_368_4,
            0.874_727_814_611_385_6,
        ],
        [0.209_508_011_357_571_7, -0.117_459_205_935_693_26, 0.970_726_391_996_195_8, -0.403_868_788_134_716],
        [-0.095_520_609_678_929_75, 0.985_551_871_915_499_5, 0.139_868_941_836_35, 1.587_132_869_811_649_1],
    ]);
    contact(&can, second, &plank, wall);
}

#[test]
fn fcl_391_cylinder_and_sphere() {
    let ball = Shape::sphere(0.055).unwrap();
    let found = contact(
        &Shape::cylinder(0.325, 0.03).unwrap(),
        at(0.6, 0.0, 0.325),
        &ball,
        at(0.541_979_401_8, -0.062_117_502_5, 0.601_623_657_6),
    );
    // The axis passes the centre at this distance; the ends are far.
    let distance = 0.058_020_598_2_f64.hypot(0.062_117_502_5) - 0.085;
    assert!((found.separation.lo() - distance).abs() < 1e-9, "{found:?} {distance}");
}

#[test]
fn fcl_388_to_428_boxes_in_the_wild() {
    let wall = rows([[0.0, -1.0, 0.0, 0.8], [1.0, 0.0, 0.0, -0.4575], [0.0, 0.0, 1.0, 1.0225]]);
    let tilted = rows([
        [
            -3.062_793_785_257_868e-8,
            -0.999_999_999_999_998_9,
            -2.889_386_516_158_331_4e-8,
            0.634_999_796_273_508_1,
        ],
        [
            0.999_999_999_999_998,
            -3.062_793_973_995_780_4e-8,
            6.472_992_691_852_751e-8,
            -0.485_000_022_156_364_4,
        ],
        [
            -6.472_992_772_296_385e-8,
            -2.889_386_302_944_875e-8,
            0.999_999_999_999_997_1,
            1.077_814_645_833_964_1,
        ],
    ]);
    contact(&cuboid(0.03, 0.12, 0.1), tilted, &cuboid(0.025, 0.35, 1.845), wall);
    let leaning = rows([
        [
            0.107_582_624_929_830_37,
            -0.662_488_185_001_521_3,
            -0.741_306_538_178_773_6,
            -0.426_771_330_029_994_8,
        ],
        [
            0.226_821_848_851_254_73,
            -0.709_614_040_775_253_5,
            0.667_083_024_831_478_6,
            -0.765_968_512_477_467_9,
        ],
        [
            -0.967_976_150_376_085_4,
            -0.239_911_062_412_734_35,
            0.073_924_653_770_491_65,
            0.807_467_314_000_910_5,
        ],
    ]);
    contact(&cuboid(0.46, 0.48, 0.01), at(-0.721, -0.772, 0.81), &cuboid(0.049_521, 0.146, 0.0725), leaning);
    let shelf = rows([
        [4.896_638_650_109_253e-12, -1.0, 0.0, -0.44],
        [1.0, 4.896_638_650_109_253e-12, 0.0, -0.614_999_999_998_58],
        [0.0, 0.0, 1.0, 0.355],
    ]);
    let block = rows([
        [
            0.835_121_535_652_363_4,
            -0.550_065_469_457_625_7,
            -9.454_236_060_823_357e-16,
            -0.406_534_415_073_31,
        ],
        [
            0.550_065_469_457_625_7,
            0.835_121_535_652_363_1,
            1.178_744_423_655_238_8e-15,
            -0.691_661_669_237_357_3,
        ],
        [1.290_227_144_433_066_6e-16, -1.487_815_353_011_326_5e-15, 1.0, 0.430_570_938_587_188_9],
    ]);
    contact(&cuboid(0.49, 0.05, 0.21), shelf, &cuboid(0.035, 0.12, 0.03), block);
    // A thin plate within a wide box; its way out is through the top.
    let found = contact(
        &cuboid(0.614, 3.0, 0.37),
        at(-0.675, 0.0, 0.9115),
        &cuboid(0.494, 0.552, 0.01),
        at(-0.692, 0.0, 0.935),
    );
    assert!(
        (found.depth().lo() - 0.1665).abs() < 1e-12 && (found.normal - DVec3::Z).length() < 1e-12,
        "{found:?}"
    );
    let found = contact(
        &cuboid(0.2, 0.33, 0.1),
        at(-0.071_000_000_000_000_04, -0.772, 0.8),
        &cuboid(0.452, 0.27, 0.6),
        at(0.121, -0.787_696_056_927_277, 0.534_220_441_961_251_5),
    );
    assert!((found.depth().lo() - 0.084_220_441_961_251_5).abs() < 1e-12, "{found:?}");
}

/// FCL 493 and 495: equal boxes, tilted, one upon the other, apart or overlapping by less than a rounding. Whatever the verdict, it is the
/// same for every question, and the bounds hold the distance meant to the rounding of the pose.
#[test]
fn fcl_493_tilted_boxes_kiss() {
    let turn = DMat3::from_cols_array_2d(&[
        [0.940_960_632_174_177_6, 0.292_968_400_372_895, 0.169_595_415_861_748_12],
        [-0.235_698_368_412_998_8, 0.926_615_235_958_484_3, -0.292_968_400_372_895_07],
        [-0.242_980_179_903_263_9, 0.235_698_368_412_998_85, 0.940_960_632_174_177_6],
    ])
    .transpose();
    for size in [0.01, 0.25, 0.5, 10.0, 1000.0] {
        let cube = cuboid(size, size, size);
        let place = DVec3::new(0.0, 0.0, 5.0 * size);
        for gap in [-1e-15, -2.5e-16, -1e-16, 0.0, 1e-16, 2.5e-16, 1e-15] {
            let gap = gap * size.max(1.0);
            let pose_a = Pose::from_matrix(turn, place).unwrap();
            let pose_b = Pose::from_matrix(turn, place + turn * DVec3::new(0.0, size + gap, 0.0)).unwrap();
            let found = contact(&cube, pose_a, &cube, pose_b);
            assert!((found.separation.lo() - gap).abs() < 1e-13 * size.max(1.0), "{size} {gap} {found:?}");
            assert!((found.normal - turn * DVec3::Y).length() < 1e-6, "{found:?}");
        }
    }
}

#[test]
fn fcl_408_a_sphere_that_touches_a_box() {
    let found = contact(
        &Shape::sphere(0.06).unwrap(),
        at(1.785_505_663_908_196_2e-10, 0.039_999_999_999_999_994, 0.330_000_000_000_000_1),
        &cuboid(0.1, 0.1, 0.1),
        at(0.05, 0.15, 0.35),
    );
    assert!(found.separation.lo().abs() < 1e-9, "{found:?}");
}

/// Drake 10578: a flat box and a flatter cylinder; drake 21673: boxes through each other.
#[test]
fn drake_flat_and_crossed() {
    let shelf = rows([[0.0, -1.0, 0.0, -0.145], [1.0, 0.0, 0.0, -0.63], [0.0, 0.0, 1.0, 0.2425]]);
    contact(
        &cuboid(0.49, 0.63, 0.015),
        shelf,
        &Shape::cylinder(0.001, 0.08).unwrap(),
        at(-0.1, -0.6, 0.2505),
    );
    let a = rows([
        [0.000_796_326_710_733_264_4, -0.999_999_682_931_835_4, 0.0, 0.750_000_000_000_000_6],
        [0.999_999_682_931_835_4, 0.000_796_326_710_733_264_4, 0.0, -2.408_355_371_555_310_3e-15],
        [0.0, 0.0, 1.0, 0.15],
    ]);
    let b = rows([
        [6.123_233_995_736_766e-17, 0.0, 1.0, 0.75],
        [-1.0, 6.123_233_995_736_766e-17, 6.123_233_995_736_766e-17, 0.0],
        [-6.123_233_995_736_766e-17, -1.0, 3.749_399_456_654_644e-33, 0.15],
    ]);
    let found = contact(&cuboid(0.05, 0.55, 0.3), a, &cuboid(0.25, 0.2, 0.15), b);
    assert_eq!(found.verdict, Verdict::Overlapping);
}
