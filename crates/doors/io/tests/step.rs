//! STEP files written by hand, one for each kind of entity, with answers in closed form.

mod step_draft;

use kontakt_curved::{Brep, Loop, Surface};
use kontakt_io::{BodyKind, CurvedBody, CurvedFile, Loss, Lost, Why};
use kontakt_math::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};
use step_draft::{Draft, MILLIMETRES, RADIANS, list, read};

fn near(a: DVec3, b: DVec3) -> bool {
    (a - b).length() <= 1e-9 * (1.0 + b.length())
}

/// Ends of edges are their vertices, loops close (that `Brep::new` checked), and every edge is run through once each way.
fn check_closed(brep: &Brep) {
    let mut uses = vec![[0, 0]; brep.edges().len()];
    for face in brep.faces() {
        for border in &face.loops {
            if let Loop::Edges(edges) = border {
                for &(edge, forward) in edges {
                    uses[edge as usize][usize::from(forward)] += 1;
                }
            }
        }
    }
    assert!(uses.iter().all(|&both| both == [1, 1]), "{uses:?}");
    check_ends(brep, 1e-9);
}

fn check_ends(brep: &Brep, gap: f64) {
    for edge in brep.edges() {
        for i in 0..2 {
            let vertex = brep.vertices()[edge.ends[i] as usize];
            assert!((edge.curve.point(edge.range[i]) - vertex).length() <= gap, "{edge:?} {vertex}");
        }
    }
}

/// Twice the area that the loops of a face run round, seen from outside; for flat faces.
fn area_seen(brep: &Brep, face: &kontakt_curved::Face) -> f64 {
    let Surface::Plane(frame) = &face.surface else { panic!("not flat") };
    let out = if face.outward { frame.z } else { -frame.z };
    let mut sum = DVec3::ZERO;
    for border in &face.loops {
        let Loop::Edges(uses) = border else { continue };
        for &(edge, forward) in uses {
            let edge = &brep.edges()[edge as usize];
            let steps = 64;
            let at = |i: i32| {
                let part = f64::from(i) / f64::from(steps);
                let part = if forward { part } else { 1.0 - part };
                edge.curve.point(edge.range[0] + (edge.range[1] - edge.range[0]) * part) - frame.origin
            };
            sum += (0..steps).map(|i| at(i).cross(at(i + 1))).sum::<DVec3>();
        }
    }
    sum.dot(out)
}

fn only(file: &CurvedFile) -> &CurvedBody {
    assert_eq!(file.bodies.len(), 1);
    assert!(file.report.losses.is_empty(), "{:?}", file.report.losses);
    &file.bodies[0]
}

#[test]
fn a_box() {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0, 2.0, 3.0]);
    let file = read(draft.part("Kiste", solid)).unwrap();
    let body = only(&file);
    assert_eq!((body.name.as_str(), body.id), ("x.step:Kiste", solid));
    assert_eq!(body.path, ["Kiste"]);
    assert_eq!((body.kind, body.lost_faces, body.colour), (BodyKind::Solid, 0, None));
    assert_eq!((body.brep.vertices().len(), body.brep.edges().len(), body.brep.faces().len()), (8, 12, 6));
    assert_eq!(body.face_ids.len(), 6);
    check_closed(&body.brep);
    let areas: f64 = body.brep.faces().iter().map(|face| area_seen(&body.brep, face)).sum();
    assert!((areas - 44.0).abs() < 1e-9, "twice the surface of the box is 44, not {areas}");
    assert!(body.brep.faces().iter().all(|face| area_seen(&body.brep, face) > 0.0));
    assert_eq!(file.report.schema, "AUTOMOTIVE_DESIGN");
    assert_eq!(file.report.writer, "by hand");
    assert_eq!(file.report.products, ["Kiste"]);
    assert_eq!(file.report.uncertainty, Some(1e-7));
    assert_eq!((file.report.solids, file.report.faces["plane"]), (1, 6));
}

#[test]
fn lengths_become_millimetres() {
    let cases = [
        ("( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )", 1000.0, "metre"),
        ("( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.CENTI.,.METRE.) )", 10.0, "centimetre"),
        ("( CONVERSION_BASED_UNIT('INCH',#9001) LENGTH_UNIT() NAMED_UNIT(*) )", 25.4, "inch"),
        ("( LENGTH_UNIT() CONVERSION_BASED_UNIT('FOOT',#9003) NAMED_UNIT(*) )", 304.8, "foot"),
    ];
    for (unit, millimetres, name) in cases {
        let mut draft = Draft::default();
        let solid = draft.cuboid([0.0; 3], [1.0, 1.0, 1.0]);
        let context = draft.context([unit, RADIANS]);
        let representation = draft.representation(&[solid], context);
        draft.product("p", representation);
        draft.text += "#9000=( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );\n\
            #9001=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#9000);\n\
            #9002=( CONVERSION_BASED_UNIT('INCH',#9001) LENGTH_UNIT() NAMED_UNIT(*) );\n\
            #9003=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(12.),#9002);\n";
        let file = read(draft.file()).unwrap();
        let highest = only(&file).brep.vertices().iter().copied().reduce(DVec3::max).unwrap();
        assert!(near(highest, DVec3::splat(millimetres)), "{name}: {highest}");
        check_closed(&only(&file).brep);
        assert_eq!(file.report.length_units.len(), 1);
        assert_eq!(file.report.length_units[0].name, name);
        assert!((file.report.uncertainty.unwrap() / (1e-7 * millimetres) - 1.0).abs() < 1e-12);
    }
}

/// A unit that is wrong is as if it were not given: millimetres, and the report says so.
#[test]
fn wrong_units_are_reported() {
    for unit in [
        "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.GRAM.) )",
        "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.SMALL.,.METRE.) )",
        "( CONVERSION_BASED_UNIT('INCH',#9999) LENGTH_UNIT() NAMED_UNIT(*) )",
        "LENGTH_UNIT()",
        "CARTESIAN_POINT('',(1.,2.,3.))",
    ] {
        let mut draft = Draft::default();
        let solid = draft.cuboid([0.0; 3], [1.0; 3]);
        let context = draft.context([unit, RADIANS]);
        let representation = draft.representation(&[solid], context);
        draft.product("p", representation);
        let file = read(draft.file()).unwrap();
        let highest = only(&file).brep.vertices().iter().copied().reduce(DVec3::max).unwrap();
        assert!(near(highest, DVec3::ONE));
        assert!(file.report.repairs.iter().any(|repair| repair.why == Why::NoUnit), "{unit}");
    }
}

/// A file with one face on a surface, bounded by a vertex or by a circle of radius 1 about z.
fn face_on(surface: impl FnOnce(&mut Draft) -> u64, bordered: bool, units: [&str; 2]) -> String {
    let mut draft = Draft::default();
    let surface = surface(&mut draft);
    let vertex = draft.vertex([1.0, 0.0, 0.0]);
    let border = if bordered {
        let axes = draft.here();
        let circle = draft.add(format!("CIRCLE('',#{axes},1.)"));
        let edge = draft.edge(vertex, vertex, circle, true);
        draft.edge_loop(&[(edge, true)])
    } else {
        draft.add(format!("VERTEX_LOOP('',#{vertex})"))
    };
    let face = draft.face(&[border], surface, true);
    let solid = draft.solid("s", &[face]);
    let context = draft.context(units);
    let representation = draft.representation(&[solid], context);
    draft.product("p", representation);
    draft.file()
}

fn surface_of(text: &str) -> (Surface, bool) {
    let file = read(text).unwrap();
    let face = &only(&file).brep.faces()[0];
    (face.surface.clone(), face.outward)
}

#[test]
fn elementary_surfaces() {
    let z = [0.0, 0.0, 1.0];
    let on = |text: &str, bordered: bool| {
        let text = text.to_owned();
        let file = face_on(
            |draft| {
                let axes = draft.axes([1.0, 2.0, 3.0], z, [0.0, 1.0, 0.0]);
                draft.add(text.replace("AXES", &format!("#{axes}")))
            },
            bordered,
            MILLIMETRES,
        );
        surface_of(&file).0
    };
    let origin = DVec3::new(1.0, 2.0, 3.0);
    let (sin, cos) = 0.7_f64.sin_cos();
    let round = DVec3::new(-sin, cos, 0.0);
    assert!(near(on("PLANE('',AXES)", true).point(2.0, 5.0), origin + DVec3::new(-5.0, 2.0, 0.0)));
    let cylinder = on("CYLINDRICAL_SURFACE('',AXES,2.5)", true);
    assert!(near(cylinder.point(0.7, 4.0), origin + round * 2.5 + DVec3::Z * 4.0));
    let cone = on("CONICAL_SURFACE('',AXES,2.5,0.5)", true);
    assert!(near(cone.point(0.7, 4.0), origin + round * (2.5 + 4.0 * 0.5_f64.tan()) + DVec3::Z * 4.0));
    let sphere = on("SPHERICAL_SURFACE('',AXES,2.5)", false);
    assert!(near(sphere.point(0.7, FRAC_PI_2), origin + DVec3::Z * 2.5));
    let torus = on("TOROIDAL_SURFACE('',AXES,2.5,1.)", false);
    assert!(near(torus.point(0.7, 0.0), origin + round * 3.5));
    let lemon = on("DEGENERATE_TOROIDAL_SURFACE('',AXES,1.,2.,.T.)", true);
    assert!(matches!(lemon, Surface::Torus { major: 1.0, minor: 2.0, .. }));
    // Of radius zero at its origin: the apex.
    let Surface::Cone { frame, radii, slope } = on("CONICAL_SURFACE('',AXES,0.,0.5)", true) else { panic!() };
    assert!(near(frame.origin - frame.z * (radii[0] / slope), origin));
    assert!(matches!(on("CONICAL_SURFACE('',AXES,2.,0.)", true), Surface::Cylinder { .. }));
}

#[test]
fn angles_become_radians() {
    let degree = "( CONVERSION_BASED_UNIT('DEGREE',#9001) NAMED_UNIT(*) PLANE_ANGLE_UNIT() )";
    let file = face_on(
        |draft| {
            let axes = draft.here();
            draft.add(format!("CONICAL_SURFACE('',#{axes},2.,30.)"))
        },
        true,
        [MILLIMETRES[0], degree],
    );
    let measure = format!(
        "DATA;\n#9000={RADIANS};\n#9001=PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(0.0174532925199433),#9000);\n"
    );
    let Surface::Cone { slope, .. } = surface_of(&file.replace("DATA;\n", &measure)).0 else { panic!() };
    assert!((slope - 3.0_f64.sqrt().recip()).abs() < 1e-12);
}

#[test]
fn swept_trimmed_offset_and_replicated_surfaces() {
    let on = |make: &dyn Fn(&mut Draft) -> u64| surface_of(&face_on(make, true, MILLIMETRES));
    let circle = |draft: &mut Draft| {
        let axes = draft.axes([5.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        draft.add(format!("CIRCLE('',#{axes},2.)"))
    };
    let (extrusion, _) = on(&|draft| {
        let (curve, vector) = (circle(draft), draft.vector([0.0, 3.0, 0.0], 2.0));
        draft.add(format!("SURFACE_OF_LINEAR_EXTRUSION('',#{curve},#{vector})"))
    });
    assert!(near(extrusion.point(0.0, 3.0), DVec3::new(7.0, 6.0, 0.0)));
    let (revolution, _) = on(&|draft| {
        let (curve, origin, z) = (circle(draft), draft.point([0.0; 3]), draft.direction([0.0, 0.0, 1.0]));
        let axis = draft.add(format!("AXIS1_PLACEMENT('',#{origin},#{z})"));
        draft.add(format!("SURFACE_OF_REVOLUTION('',#{curve},#{axis})"))
    });
    assert!(near(revolution.point(FRAC_PI_2, 0.0), DVec3::new(0.0, 7.0, 0.0)));
    let sphere = |draft: &mut Draft| {
        let axes = draft.here();
        draft.add(format!("SPHERICAL_SURFACE('',#{axes},2.)"))
    };
    // Senses that differ turn the normal round.
    let (_, outward) = on(&|draft| {
        let basis = sphere(draft);
        draft.add(format!("RECTANGULAR_TRIMMED_SURFACE('',#{basis},0.,1.,0.,1.,.T.,.F.)"))
    });
    assert!(!outward);
    for (kind, check) in [
        ("PLANE('',AXES)", DVec3::new(0.0, 0.0, 0.5)),
        ("SPHERICAL_SURFACE('',AXES,2.)", DVec3::new(2.5, 0.0, 0.0)),
        ("CYLINDRICAL_SURFACE('',AXES,2.)", DVec3::new(2.5, 0.0, 0.0)),
        ("TOROIDAL_SURFACE('',AXES,3.,1.)", DVec3::new(4.5, 0.0, 0.0)),
    ] {
        let (offset, _) = on(&|draft| {
            let axes = draft.here();
            let basis = draft.add(kind.replace("AXES", &format!("#{axes}")));
            draft.add(format!("OFFSET_SURFACE('',#{basis},0.5,.F.)"))
        });
        assert!(near(offset.point(0.0, 0.0), check), "{kind}");
    }
    // A cone's points move along its normals.
    let (offset, _) = on(&|draft| {
        let axes = draft.here();
        let basis = draft.add(format!("CONICAL_SURFACE('',#{axes},2.,0.4)"));
        draft.add(format!("OFFSET_SURFACE('',#{basis},0.5,.F.)"))
    });
    let (sin, cos) = 0.4_f64.sin_cos();
    assert!(near(offset.point(0.0, 0.0), DVec3::new(2.0 + 0.5 * cos, 0.0, -0.5 * sin)));
    // Twice as large, mirrored in z: the standard's normal of the image points in, so that ours is turned round.
    let (replica, outward) = on(&|draft| {
        let basis = sphere(draft);
        let (x, y, z) = (
            draft.direction([1.0, 0.0, 0.0]),
            draft.direction([0.0, 1.0, 0.0]),
            draft.direction([0.0, 0.0, -1.0]),
        );
        let origin = draft.point([1.0, 0.0, 0.0]);
        let map = draft.add(format!("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',#{x},#{y},#{origin},2.,#{z})"));
        draft.add(format!("SURFACE_REPLICA('',#{basis},#{map})"))
    });
    assert!(matches!(replica, Surface::Sphere { radius: 4.0, frame } if near(frame.origin, DVec3::X)));
    assert!(!outward);
}

#[test]
fn spline_surfaces() {
    let grid: Vec<[f64; 3]> =
        (0..9).map(|i| [f64::from(i / 3), f64::from(i % 3), f64::from((i % 2) * 2)]).collect();
    let on = |form: &str| {
        surface_of(&face_on(
            |draft| {
                let rows: Vec<String> =
                    grid.chunks(3).map(|row| format!("({})", draft.points(row))).collect();
                draft.add(form.replace("GRID", &format!("({})", rows.join(","))))
            },
            true,
            MILLIMETRES,
        ))
        .0
    };
    let end = ".UNSPECIFIED.,.F.,.F.,.F.";
    let knots = "(3,3),(3,3),(0.,1.),(0.,1.)";
    let plain = on(&format!("B_SPLINE_SURFACE_WITH_KNOTS('',2,2,GRID,{end},{knots},.UNSPECIFIED.)"));
    for other in ["BEZIER_SURFACE", "QUASI_UNIFORM_SURFACE"] {
        assert_eq!(plain, on(&format!("{other}('',2,2,GRID,{end})")), "{other}");
    }
    let at = plain.point(0.5, 0.5);
    // Of z = 2 at the four edges' middles, each with weight 1/8.
    assert!(near(at, DVec3::new(1.0, 1.0, 1.0)), "{at}");
    let Surface::Nurbs(uniform) = on(&format!("UNIFORM_SURFACE('',2,2,GRID,{end})")) else { panic!() };
    assert_eq!(uniform.domain(), [[0.0, 1.0]; 2]);
    let weights = "((1.,1.,1.),(1.,3.,1.),(1.,1.,1.))";
    let rational = on(&format!(
        "( RATIONAL_B_SPLINE_SURFACE({weights}) B_SPLINE_SURFACE_WITH_KNOTS({knots},.UNSPECIFIED.) BOUNDED_SURFACE() \
         B_SPLINE_SURFACE(2,2,GRID,{end}) GEOMETRIC_REPRESENTATION_ITEM() REPRESENTATION_ITEM('') SURFACE() )"
    ));
    assert!(near(rational.point(0.5, 0.5), DVec3::new(1.0, 1.0, 1.0 / 1.5)));
}

/// A face whose border is an edge on a curve and a line back; the curve's edge.
fn edge_on(curve: impl FnOnce(&mut Draft) -> u64, from: [f64; 3], to: [f64; 3], agrees: bool) -> CurvedFile {
    let mut draft = Draft::default();
    let curve = curve(&mut draft);
    let vertices = [draft.vertex(from), draft.vertex(to)];
    let back = [0, 1, 2].map(|i| from[i] - to[i]);
    let (origin, vector) = (draft.point(to), draft.vector(back, 1.0));
    let line = draft.add(format!("LINE('',#{origin},#{vector})"));
    let edges = [
        draft.edge(vertices[0], vertices[1], curve, agrees),
        draft.edge(vertices[1], vertices[0], line, true),
    ];
    let border = draft.edge_loop(&[(edges[0], true), (edges[1], true)]);
    let axes = draft.here();
    let plane = draft.add(format!("PLANE('',#{axes})"));
    let face = draft.face(&[border], plane, true);
    let solid = draft.solid("s", &[face]);
    read(draft.part("p", solid)).unwrap()
}

#[test]
fn conics_and_lines() {
    for (text, from, to, middle) in [
        ("CIRCLE('',AXES,2.)", [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0_f64.sqrt(), 2.0_f64.sqrt(), 0.0]),
        ("CIRCLE('',AXES,2.)", [0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [-(2.0_f64.sqrt()), -(2.0_f64.sqrt()), 0.0]),
        ("ELLIPSE('',AXES,4.,2.)", [0.0, -2.0, 0.0], [0.0, 2.0, 0.0], [4.0, 0.0, 0.0]),
        ("PARABOLA('',AXES,0.25)", [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]),
        ("HYPERBOLA('',AXES,3.,2.)", [5.0, -8.0 / 3.0, 0.0], [5.0, 8.0 / 3.0, 0.0], [3.0, 0.0, 0.0]),
    ] {
        let on = |draft: &mut Draft| {
            let axes = draft.here();
            draft.add(text.replace("AXES", &format!("#{axes}")))
        };
        for agrees in [true, false] {
            // Against the curve's sense the same stretch is run through from its end.
            let (from, to) = if agrees { (from, to) } else { (to, from) };
            let file = edge_on(on, from, to, agrees);
            let brep = &only(&file).brep;
            check_ends(brep, 1e-9);
            let edge = &brep.edges()[0];
            assert!(edge.range[0] < edge.range[1]);
            let at = edge.curve.point(0.5 * (edge.range[0] + edge.range[1]));
            assert!(near(at, DVec3::from_array(middle)), "{text}: {at}");
            let Loop::Edges(uses) = &brep.faces()[0].loops[0] else { panic!() };
            assert_eq!(uses[0], (0, agrees));
        }
    }
}

/// A hyperbola and a parabola cut out as rational quadratics fulfil their equations everywhere.
#[test]
fn stretches_of_conics_lie_on_them() {
    let (a, b) = (3.0, 2.0);
    let point = |t: f64| [a * t.cosh(), b * t.sinh(), 0.0];
    let file = edge_on(
        |draft| {
            let axes = draft.here();
            draft.add(format!("HYPERBOLA('',#{axes},{a:?},{b:?})"))
        },
        point(-0.4),
        point(1.3),
        true,
    );
    let edge = &only(&file).brep.edges()[0];
    for i in 0..=50 {
        let t = edge.range[0] + (edge.range[1] - edge.range[0]) * f64::from(i) / 50.0;
        let p = edge.curve.point(t);
        assert!(((p.x / a).powi(2) - (p.y / b).powi(2) - 1.0).abs() < 1e-12 && p.x > 0.0);
    }
    let trimmed = edge_on(
        |draft| {
            let axes = draft.here();
            let basis = draft.add(format!("PARABOLA('',#{axes},0.25)"));
            draft.add(format!(
                "TRIMMED_CURVE('',#{basis},(PARAMETER_VALUE(-2.)),(PARAMETER_VALUE(4.)),.T.,.PARAMETER.)"
            ))
        },
        [1.0, -1.0, 0.0],
        [4.0, 2.0, 0.0],
        true,
    );
    let edge = &only(&trimmed).brep.edges()[0];
    assert_eq!(edge.curve.domain(), [-2.0, 4.0]);
    let p = edge.curve.point(1.5);
    assert!((p.x - p.y * p.y).abs() < 1e-12);
    check_ends(&only(&trimmed).brep, 1e-12);
}

#[test]
fn splines_and_curves_made_of_curves() {
    let corners = [[0.0; 3], [1.0, 2.0, 0.0], [3.0, 2.0, 0.0], [4.0, 0.0, 0.0]];
    let on = |form: &str, agrees: bool| {
        let form = form.to_owned();
        edge_on(
            |draft| {
                let points = draft.points(&corners);
                let mut last = 0;
                for entity in form.replace("POINTS", &format!("({points})")).split(";;") {
                    last = draft.add(entity.replace("LAST", &format!("#{last}")));
                }
                last
            },
            if agrees { corners[0] } else { corners[3] },
            if agrees { corners[3] } else { corners[0] },
            agrees,
        )
    };
    let end = ".UNSPECIFIED.,.F.,.F.";
    let knots = "(4,4),(0.,1.)";
    let spline = format!("B_SPLINE_CURVE_WITH_KNOTS('',3,POINTS,{end},{knots},.UNSPECIFIED.)");
    let plain = on(&spline, true).bodies[0].brep.edges()[0].clone();
    assert!(near(plain.curve.point(0.5), DVec3::new(2.0, 1.5, 0.0)));
    assert_eq!(plain.range, [0.0, 1.0]);
    for form in [
        format!("BEZIER_CURVE('',3,POINTS,{end})"),
        format!("QUASI_UNIFORM_CURVE('',3,POINTS,{end})"),
        format!("{spline};;SURFACE_CURVE('',LAST,(),.CURVE_3D.)"),
        format!("{spline};;SEAM_CURVE('',LAST,(),.CURVE_3D.)"),
        format!("{spline};;INTERSECTION_CURVE('',LAST,(),.CURVE_3D.)"),
        format!("{spline};;( BOUNDED_CURVE() SURFACE_CURVE(LAST,(),.CURVE_3D.) CURVE() )"),
        format!("{spline};;COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.T.,LAST);;COMPOSITE_CURVE('',(LAST),.F.)"),
    ] {
        assert_eq!(on(&form, true).bodies[0].brep.edges()[0], plain, "{form}");
    }
    let rational = on(
        &format!(
            "( BOUNDED_CURVE() B_SPLINE_CURVE(3,POINTS,{end}) B_SPLINE_CURVE_WITH_KNOTS({knots},.UNSPECIFIED.) CURVE() \
             GEOMETRIC_REPRESENTATION_ITEM() RATIONAL_B_SPLINE_CURVE((1.,2.,2.,1.)) REPRESENTATION_ITEM('') )"
        ),
        true,
    );
    // (2·1 + 2·6·2) / (2 + 12) of the height 2.
    assert!(near(rational.bodies[0].brep.edges()[0].curve.point(0.5), DVec3::new(2.0, 24.0 / 14.0, 0.0)));
    let polyline = on("POLYLINE('',POINTS)", true);
    assert!(near(polyline.bodies[0].brep.edges()[0].curve.point(1.5), DVec3::new(2.0, 2.0, 0.0)));
    // A trimmed curve against its basis, used against its own sense: the basis again.
    let turned = on(
        &format!(
            "{spline};;TRIMMED_CURVE('',LAST,(PARAMETER_VALUE(1.)),(PARAMETER_VALUE(0.)),.F.,.PARAMETER.)"
        ),
        false,
    );
    let turned = &turned.bodies[0].brep.edges()[0];
    assert_eq!(turned.range, [-1.0, 0.0]);
    assert!(near(turned.curve.point(-0.25), plain.curve.point(0.25)));
}

/// An edge that is only a part of its B-spline: the vertices are found on it.
#[test]
fn vertices_are_found_on_splines() {
    let corners = [[0.0; 3], [1.0, 2.0, 0.0], [3.0, -2.0, 0.0], [4.0, 0.0, 0.0], [6.0, 1.0, 0.0]];
    let whole = |draft: &mut Draft| {
        let points = draft.points(&corners);
        draft.add(format!("B_SPLINE_CURVE_WITH_KNOTS('',3,({points}),.UNSPECIFIED.,.F.,.F.,(4,1,4),(0.,1.,3.),.UNSPECIFIED.)"))
    };
    let curve = edge_on(whole, corners[0], corners[4], true).bodies[0].brep.edges()[0].curve.clone();
    for (s, t) in [(0.0, 1.7), (0.3, 0.9), (1.0, 3.0), (0.123, 2.987)] {
        let [from, to] = [s, t].map(|t| curve.point(t).to_array());
        for agrees in [true, false] {
            let (from, to) = if agrees { (from, to) } else { (to, from) };
            let file = edge_on(whole, from, to, agrees);
            let [low, high] = only(&file).brep.edges()[0].range;
            assert!(
                (low - s).abs() < 1e-7 && (high - t).abs() < 1e-7,
                "[{s}, {t}] came back as [{low}, {high}]"
            );
            check_ends(&only(&file).brep, 1e-9);
        }
    }
}

/// A closed B-spline that its edge passes beyond the seam is begun at the edge's start.
#[test]
fn edges_over_a_seam() {
    let corners = [[0.0; 3], [4.0, -1.0, 0.0], [4.0, 5.0, 0.0], [0.0, 4.0, 0.0], [-2.0, 2.0, 0.0], [0.0; 3]];
    let ring = |draft: &mut Draft| {
        let points = draft.points(&corners);
        draft.add(format!("B_SPLINE_CURVE_WITH_KNOTS('',2,({points}),.UNSPECIFIED.,.T.,.F.,(3,1,1,1,3),(0.,1.,2.,3.,4.),.UNSPECIFIED.)"))
    };
    let curve = edge_on(ring, [0.0; 3], [4.0, 2.0, 0.0], true).bodies[0].brep.edges()[0].curve.clone();
    let [from, to] = [3.2, 0.6].map(|t| curve.point(t));
    let file = edge_on(ring, from.to_array(), to.to_array(), true);
    let edge = &only(&file).brep.edges()[0];
    check_ends(&only(&file).brep, 1e-9);
    assert!((edge.range[1] - edge.range[0] - 1.4).abs() < 1e-6, "{:?}", edge.range);
    assert!(near(edge.curve.point(edge.range[0] + 0.8), DVec3::ZERO));
}

/// A closed B-spline whose one vertex is not at its seam.
#[test]
fn a_ring_that_begins_elsewhere() {
    let corners = [[0.0; 3], [4.0, -1.0, 0.0], [4.0, 5.0, 0.0], [0.0, 4.0, 0.0], [-2.0, 2.0, 0.0], [0.0; 3]];
    let mut draft = Draft::default();
    let points = draft.points(&corners);
    let curve = draft.add(format!(
        "B_SPLINE_CURVE_WITH_KNOTS('',2,({points}),.UNSPECIFIED.,.T.,.F.,(3,1,1,1,3),(0.,1.,2.,3.,4.),.UNSPECIFIED.)"
    ));
    // At the knot 2 of a quadratic the curve passes the middle of two control points.
    let vertex = draft.vertex([2.0, 4.5, 0.0]);
    let edge = draft.edge(vertex, vertex, curve, true);
    let border = draft.edge_loop(&[(edge, true)]);
    let axes = draft.here();
    let plane = draft.add(format!("PLANE('',#{axes})"));
    let face = draft.face(&[border], plane, true);
    let solid = draft.solid("s", &[face]);
    let file = read(draft.part("p", solid)).unwrap();
    let edge = &only(&file).brep.edges()[0];
    check_ends(&only(&file).brep, 1e-9);
    assert!((edge.range[1] - edge.range[0] - 4.0).abs() < 1e-9);
    assert!(near(edge.curve.point(0.5 * (edge.range[0] + edge.range[1])), DVec3::ZERO));
}

#[test]
fn a_closed_edge_runs_once_round() {
    let file = face_on(
        |draft| {
            let axes = draft.here();
            draft.add(format!("PLANE('',#{axes})"))
        },
        true,
        MILLIMETRES,
    );
    let file = read(file).unwrap();
    let brep = &only(&file).brep;
    assert_eq!(brep.edges()[0].range, [0.0, TAU]);
    assert_eq!(brep.edges()[0].ends, [0, 0]);
    assert!((area_seen(brep, &brep.faces()[0]) - TAU).abs() < 0.02);
}

#[test]
fn voids_sheets_and_facets() {
    let mut draft = Draft::default();
    let outer = draft.cuboid_faces([0.0; 3], [4.0; 3]);
    let inner = draft.cuboid_faces([1.0; 3], [2.0; 3]);
    let outer = draft.add(format!("CLOSED_SHELL('',({}))", list(&outer)));
    let inner = draft.add(format!("CLOSED_SHELL('',({}))", list(&inner)));
    let inner = draft.add(format!("ORIENTED_CLOSED_SHELL('',*,#{inner},.F.)"));
    let solid = draft.add(format!("BREP_WITH_VOIDS('',#{outer},(#{inner}))"));
    let file = read(draft.part("p", solid)).unwrap();
    let brep = &only(&file).brep;
    assert_eq!(brep.faces().len(), 12);
    check_closed(brep);
    // Seen from the material, all loops run counterclockwise; the inner ones look into the hole.
    assert!(brep.faces().iter().all(|face| area_seen(brep, face) > 0.0));
    let into: Vec<f64> = brep.faces()[6..]
        .iter()
        .map(|face| {
            let Surface::Plane(frame) = &face.surface else { panic!() };
            let out = if face.outward { frame.z } else { -frame.z };
            (DVec3::splat(1.5) - frame.origin).dot(out)
        })
        .collect();
    assert!(into.iter().all(|&depth| depth > 0.0), "{into:?}");

    let mut draft = Draft::default();
    let faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
    let shell = draft.add(format!("OPEN_SHELL('',({}))", list(&faces[..3])));
    let sheet = draft.add(format!("SHELL_BASED_SURFACE_MODEL('',(#{shell}))"));
    let file = read(draft.part("p", sheet)).unwrap();
    assert_eq!((only(&file).kind, only(&file).brep.faces().len()), (BodyKind::Sheet, 3));

    let mut draft = Draft::default();
    let corners: Vec<u64> = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .into_iter()
        .map(|p| draft.point(p))
        .collect();
    let mut faces = Vec::new();
    for [a, b, c] in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        let border = draft.add(format!("POLY_LOOP('',({}))", list(&[corners[a], corners[b], corners[c]])));
        let bound = draft.add(format!("FACE_OUTER_BOUND('',#{border},.T.)"));
        let axes = draft.here();
        let plane = draft.add(format!("PLANE('',#{axes})"));
        faces.push(draft.add(format!("FACE_SURFACE('',(#{bound}),#{plane},.T.)")));
    }
    let shell = draft.add(format!("CLOSED_SHELL('',({}))", list(&faces)));
    let solid = draft.add(format!("FACETED_BREP('',#{shell})"));
    let file = read(draft.part("p", solid)).unwrap();
    assert_eq!((only(&file).brep.vertices().len(), only(&file).brep.edges().len()), (4, 6));
    check_closed(&only(&file).brep);
}

/// Box in frame in rack: each is turned and moved, and one of the relationships is written the other way round.
#[test]
fn nested_assemblies() {
    let z = [0.0, 0.0, 1.0];
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let inches =
        draft.context(["( CONVERSION_BASED_UNIT('INCH',#9001) LENGTH_UNIT() NAMED_UNIT(*) )", RADIANS]);
    draft.text += "#9000=( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );\n\
        #9001=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#9000);\n";
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let part_axes = draft.here();
    let part = draft.representation(&[part_axes, solid], context);
    let here = draft.here();
    // Quarter turn about z, then 10 along x; the frame is in inches.
    let turned = draft.axes([1.0, 0.0, 0.0], z, [0.0, 1.0, 0.0]);
    let frame = draft.representation(&[here, turned], inches);
    let up = draft.axes([0.0, 0.0, 100.0], z, [1.0, 0.0, 0.0]);
    let aside = draft.axes([0.0, 50.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let rack = draft.representation(&[up, aside], context);
    let definitions =
        [("box", part), ("frame", frame), ("rack", rack)].map(|(name, rep)| draft.product(name, rep));
    draft.usage(definitions[1], definitions[0], [part, frame], [part_axes, turned]);
    draft.usage(definitions[2], definitions[1], [frame, rack], [here, up]);
    draft.usage(definitions[2], definitions[1], [rack, frame], [aside, here]);
    let file = read(draft.file()).unwrap();
    assert!(file.report.losses.is_empty() && file.report.repairs.is_empty());
    assert_eq!((file.bodies.len(), file.report.solids, file.report.length_units.len()), (2, 1, 2));
    assert!(std::sync::Arc::ptr_eq(&file.bodies[0].brep, &file.bodies[1].brep));
    assert_eq!(file.bodies[1].name, "x.step:box#2");
    assert_eq!(file.bodies[1].path, ["rack", "frame", "box"]);
    assert_eq!(file.bodies[1].uses, ["1", "1"]);
    // (1, 0, 0) turns to (0, 1, 0), goes to (25.4, 1, 0); then up, or with x along y and z along x.
    let image = |body: &CurvedBody| body.pose.apply(DVec3::X);
    assert!(near(image(&file.bodies[0]), DVec3::new(25.4, 1.0, 100.0)), "{}", image(&file.bodies[0]));
    assert!(near(image(&file.bodies[1]), DVec3::new(0.0, 75.4, 1.0)), "{}", image(&file.bodies[1]));
}

/// A mapped item may scale and mirror: the body is made anew, and still looks out.
#[test]
fn mapped_items_that_scale_and_mirror() {
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let solid = draft.cuboid([0.0; 3], [1.0, 2.0, 3.0]);
    let part = draft.representation(&[solid], context);
    let origin = draft.here();
    let map = draft.add(format!("REPRESENTATION_MAP(#{origin},#{part})"));
    let plain = draft.axes([10.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    let (x, y, z) = (
        draft.direction([1.0, 0.0, 0.0]),
        draft.direction([0.0, -1.0, 0.0]),
        draft.direction([0.0, 0.0, 1.0]),
    );
    let centre = draft.point([0.0; 3]);
    let mirror = draft.add(format!("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',#{x},#{y},#{centre},2.,#{z})"));
    // As Open CASCADE writes a mirror: axes that are none, and a scale below zero.
    let down = draft.direction([0.0, 0.0, -1.0]);
    let below =
        draft.add(format!("CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',#{x},#{y},#{centre},-1.,#{down})"));
    let items = [plain, mirror, below].map(|target| draft.add(format!("MAPPED_ITEM('',#{map},#{target})")));
    let assembly = draft.representation(&items, context);
    draft.product("pair", assembly);
    let file = read(draft.file()).unwrap();
    assert!(file.report.losses.is_empty(), "{:?}", file.report.losses);
    assert_eq!(file.bodies.len(), 3);
    for (body, size) in [(&file.bodies[0], 44.0), (&file.bodies[1], 4.0 * 44.0), (&file.bodies[2], 44.0)] {
        check_closed(&body.brep);
        let areas: Vec<f64> = body.brep.faces().iter().map(|face| area_seen(&body.brep, face)).collect();
        assert!(areas.iter().all(|&area| area > 0.0), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - size).abs() < 1e-9);
    }
    assert!(near(file.bodies[0].pose.apply(DVec3::X), DVec3::new(10.0, 1.0, 0.0)));
    for (body, expected) in [
        (&file.bodies[1], [DVec3::new(0.0, -4.0, 0.0), DVec3::new(2.0, 0.0, 6.0)]),
        (&file.bodies[2], [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 3.0)]),
    ] {
        let corners = body.brep.vertices().iter().map(|&v| body.pose.apply(v));
        let (low, high) = (corners.clone().reduce(DVec3::min).unwrap(), corners.reduce(DVec3::max).unwrap());
        assert!(near(low, expected[0]) && near(high, expected[1]), "{low} {high}");
    }
}

/// Whether a thing that was not read may have been a body.
#[test]
fn only_what_is_drawn_hides_no_body() {
    let loss = |lost, entity: &str, why| Loss { lost, entity: entity.into(), id: 1, line: 1, why, of: 1 };
    for (lost, entity, why, hides) in [
        (Lost::Item, "GEOMETRIC_CURVE_SET", Why::Unsupported, false),
        (Lost::Item, "DRAUGHTING_CALLOUT", Why::Unsupported, false),
        (Lost::Item, "EXTRUDED_AREA_SOLID", Why::Unsupported, true),
        (Lost::Item, "CURVE_BOUNDED_SURFACE", Why::Unsupported, true),
        (Lost::Item, "GEOMETRIC_CURVE_SET", Why::Absent(7), true),
        (Lost::Body, "MANIFOLD_SOLID_BREP", Why::Absent(7), true),
        (Lost::Instance, "NEXT_ASSEMBLY_USAGE_OCCURRENCE", Why::Size, true),
        (Lost::Repaired, "EDGE_CURVE", Why::Sense, false),
    ] {
        assert_eq!(loss(lost, entity, why).hides_body(), hides, "{entity}");
    }
}

#[test]
fn colours_of_bodies_and_of_all_faces() {
    for on_faces in [false, true] {
        let mut draft = Draft::default();
        let faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
        let solid = draft.solid("", &faces);
        let colour = draft.add("COLOUR_RGB('',0.25,0.5,1.)");
        let mut style = draft.add(format!("FILL_AREA_STYLE_COLOUR('',#{colour})"));
        for wrap in ["FILL_AREA_STYLE('',(X))", "SURFACE_STYLE_FILL_AREA(X)", "SURFACE_SIDE_STYLE('',(X))"] {
            style = draft.add(wrap.replace('X', &format!("#{style}")));
        }
        let usage = draft.add(format!("SURFACE_STYLE_USAGE(.BOTH.,#{style})"));
        let style = draft.add(format!("PRESENTATION_STYLE_ASSIGNMENT((#{usage}))"));
        for item in if on_faces { faces } else { vec![solid] } {
            draft.add(format!("STYLED_ITEM('',(#{style}),#{item})"));
        }
        assert_eq!(only(&read(draft.part("p", solid)).unwrap()).colour, Some([0.25, 0.5, 1.0]));
    }
}

/// What is no body is named with its line; the bodies beside it are there.
#[test]
fn other_items_are_losses() {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let curves = draft.add("GEOMETRIC_CURVE_SET('',())");
    let context = draft.context(MILLIMETRES);
    let representation = draft.representation(&[solid, curves, 77_777], context);
    draft.product("p", representation);
    let unused = draft.cuboid([5.0; 3], [6.0; 3]);
    let text = draft.file();
    let file = read(&text).unwrap();
    assert_eq!(file.bodies.len(), 1);
    let losses = &file.report.losses;
    assert_eq!(losses.len(), 3);
    assert_eq!(
        (losses[0].lost, losses[0].entity.as_str(), losses[0].id),
        (Lost::Item, "GEOMETRIC_CURVE_SET", curves)
    );
    let line = 1 + text[..text.find("GEOMETRIC_CURVE_SET").unwrap()].matches('\n').count() as u64;
    assert_eq!((losses[0].line, losses[0].why), (line, Why::Unsupported));
    assert_eq!(losses[1].why, Why::Absent(77_777));
    assert_eq!((losses[2].lost, losses[2].id, losses[2].why), (Lost::Body, unused, Why::Unused));
    assert_eq!(losses[0].to_string(), format!("GEOMETRIC_CURVE_SET #{curves}, line {line}: is not read"));
}
