//! STEP files that are wrong: a typed error or a named loss, never a panic, never a hang, never half of a file without a word.

mod step_draft;

use kontakt_io::{Lost, Place, Problem, ReadOptions, Why, read_step_bytes};
use kontakt_schedule::Deadline;
use std::time::Duration;
use step_draft::{Draft, MILLIMETRES, read};

/// A box whose text was changed; what the report says of it.
fn changed(from: &str, to: &str) -> Vec<(Lost, String, Why)> {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let text = draft.part("p", solid);
    assert!(text.contains(from), "{from}");
    let file = read(text.replacen(from, to, 1)).unwrap();
    let report = file.report;
    let all = report.losses.into_iter().chain(report.repairs);
    all.map(|loss| (loss.lost, loss.entity, loss.why)).collect()
}

#[test]
fn what_is_wrong_with_a_face_costs_that_face() {
    for (from, to, why) in [
        ("PLANE('',", "PLAIN('',", Why::Unsupported),
        ("PLANE('',#", "PLANE('',#9", Why::Absent(0)),
        ("PLANE('',#", "PLANE('',5.5+#", Why::Parameter(2)),
        ("FACE_BOUND('',", "FACE_BOUNDS('',", Why::NotA("a bound of a face")),
        ("EDGE_LOOP('',(#", "EDGE_LOOP('',($,#", Why::Parameter(2)),
        ("ADVANCED_FACE", "ADVANCED_FAKE", Why::Unsupported),
    ] {
        let losses = changed(from, to);
        assert_eq!(losses.len(), 1, "{from}: {losses:?}");
        assert_eq!(losses[0].0, Lost::Face, "{from}");
        match (losses[0].2, why) {
            (Why::Absent(_), Why::Absent(_)) => {}
            (found, why) => assert_eq!(found, why, "{from}"),
        }
    }
    // An edge or a vertex is that of two or three faces.
    for (from, to, faces) in [
        ("EDGE_CURVE('',", "EDGE_CURL('',", 2),
        ("VERTEX_POINT('',", "VERTEX('',", 3),
        ("VECTOR('',#", "VECTOR('',$,#", 2),
    ] {
        let losses = changed(from, to);
        assert_eq!(losses.len(), faces, "{from}: {losses:?}");
        assert!(losses.iter().all(|loss| loss.0 == Lost::Face));
    }
}

#[test]
fn numbers_that_are_none() {
    for text in ["1.0.0", "nan", "1e999", "'x'", "$", "", "(1.)"] {
        let losses = changed("CARTESIAN_POINT('',(0.0,", &format!("CARTESIAN_POINT('',({text},"));
        assert!(!losses.is_empty() && losses.iter().all(|loss| loss.0 == Lost::Face), "{text}: {losses:?}");
    }
    // A box of the largest numbers: sums of them are no numbers any more.
    let losses = changed("CARTESIAN_POINT('',(0.0,", "CARTESIAN_POINT('',(1.7E308,");
    assert!(losses.iter().all(|loss| matches!(loss.0, Lost::Face | Lost::Repaired)), "{losses:?}");
}

/// A closed edge of a curve given by its entity, on a plane; what became of it.
fn ring(curve: &str, points: &[[f64; 3]]) -> Result<(), Why> {
    let mut draft = Draft::default();
    let list = draft.points(points);
    let curve = draft.add(curve.replace("POINTS", &format!("({list})")));
    let vertex = draft.vertex(points[0]);
    let edge = draft.edge(vertex, vertex, curve, true);
    let border = draft.edge_loop(&[(edge, true)]);
    let axes = draft.here();
    let plane = draft.add(format!("PLANE('',#{axes})"));
    let mut faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
    faces.push(draft.face(&[border], plane, true));
    let solid = draft.solid("", &faces);
    let file = read(draft.part("p", solid)).unwrap();
    assert_eq!(file.bodies[0].lost_faces, file.report.losses.len() as u64);
    file.report.losses.first().map_or(Ok(()), |loss| Err(loss.why))
}

#[test]
fn splines_that_are_none() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
    let plain = |degree: &str, counts: &str, knots: &str| {
        let curve = format!(
            "B_SPLINE_CURVE_WITH_KNOTS('',{degree},POINTS,.UNSPECIFIED.,.T.,.F.,{counts},{knots},.UNSPECIFIED.)"
        );
        ring(&curve, &points)
    };
    assert_eq!(plain("3", "(4,4)", "(0.,1.)"), Ok(()));
    assert!(matches!(plain("3", "(4,4)", "(1.,0.)"), Err(Why::Nurbs(_))));
    assert!(matches!(plain("3", "(4,4)", "(1.,1.)"), Err(Why::Nurbs(_))));
    assert!(matches!(plain("0", "(4,4)", "(0.,1.)"), Err(Why::Nurbs(_))));
    assert!(matches!(plain("1000000", "(4,4)", "(0.,1.)"), Err(Why::Nurbs(_))));
    assert!(matches!(plain("5", "(6,6)", "(0.,1.)"), Err(Why::Nurbs(_) | Why::Parameter(_))));
    assert!(matches!(plain("3", "(4,3)", "(0.,1.)"), Err(Why::Nurbs(_))));
    assert!(matches!(plain("3", "(4,4,1)", "(0.,1.)"), Err(Why::Parameter(_))));
    assert!(matches!(plain("3", "(999999,999999)", "(0.,1.)"), Err(Why::Parameter(_))));
    assert!(matches!(plain("3", "(-4,4)", "(0.,1.)"), Err(Why::Parameter(_))));
    let rational = |weights: &str| {
        ring(
            &format!(
                "( BOUNDED_CURVE() B_SPLINE_CURVE(3,POINTS,.UNSPECIFIED.,.T.,.F.) \
                 B_SPLINE_CURVE_WITH_KNOTS((4,4),(0.,1.),.UNSPECIFIED.) RATIONAL_B_SPLINE_CURVE({weights}) )"
            ),
            &points,
        )
    };
    assert_eq!(rational("(1.,2.,2.,1.)"), Ok(()));
    for weights in ["(1.,0.,2.,1.)", "(1.,-2.,2.,1.)", "(1.,2.,1.)"] {
        assert!(matches!(rational(weights), Err(Why::Nurbs(_))), "{weights}");
    }
    for radius in ["0.", "-1.", "1.E-320"] {
        let found = ring(&format!("CIRCLE('',#1,{radius})"), &points);
        assert!(found.is_err(), "{radius}");
    }
}

#[test]
fn edges_of_no_length_are_left_out() {
    let mut draft = Draft::default();
    let faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
    let solid = draft.solid("", &faces);
    // An edge from a corner to itself, put into the first loop at that corner.
    let text = draft.text.clone();
    let first = text.find("EDGE_CURVE('',#").unwrap() + "EDGE_CURVE('',#".len();
    let vertex: u64 = text[first..].split(',').next().unwrap().parse().unwrap();
    let (origin, vector) = (draft.point([0.0; 3]), draft.vector([1.0, 0.0, 0.0], 1.0));
    let line = draft.add(format!("LINE('',#{origin},#{vector})"));
    let edge = draft.edge(vertex, vertex, line, true);
    let oriented = draft.add(format!("ORIENTED_EDGE('',*,*,#{edge},.T.)"));
    draft.text = draft.text.replacen("EDGE_LOOP('',(", &format!("EDGE_LOOP('',(#{oriented},"), 1);
    let file = read(draft.part("p", solid)).unwrap();
    assert!(file.report.losses.is_empty());
    assert_eq!(file.bodies[0].brep.edges().len(), 12);
    let repair = &file.report.repairs[0];
    assert_eq!((repair.id, repair.why, repair.entity.as_str()), (edge, Why::Collapsed, "EDGE_CURVE"));
}

/// Two vertices at one place are one; a line that claims the wrong sense is turned round.
#[test]
fn vertices_and_senses_are_put_right() {
    let mut draft = Draft::default();
    let faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
    let solid = draft.solid("", &faces);
    let text = draft.text.clone();
    // The corner at the origin comes first: a point and its vertex.
    let old = "EDGE_CURVE('',#2,";
    let copy = draft.vertex([0.0; 3]);
    draft.text = draft.text.replacen(old, &format!("EDGE_CURVE('',#{copy},"), 1);
    let file = read(draft.clone().part("p", solid)).unwrap();
    assert!(file.report.losses.is_empty(), "{:?}", file.report.losses);
    assert!(
        file.report.repairs.iter().all(|repair| repair.why == Why::Welded) && !file.report.repairs.is_empty()
    );
    draft.text = text;
    draft.text = draft.text.replacen(",.T.);", ",.F.);", 1);
    let at = draft.text.find("EDGE_CURVE").unwrap();
    assert!(draft.text[at..].lines().next().unwrap().ends_with(".F.);"));
    let file = read(draft.part("p", solid)).unwrap();
    assert!(file.report.losses.is_empty());
    assert_eq!(file.report.repairs.len(), 1);
    assert_eq!(
        (file.report.repairs[0].why, file.report.repairs[0].entity.as_str()),
        (Why::Sense, "EDGE_CURVE")
    );
}

#[test]
fn edges_of_a_loop_are_put_in_order() {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let at = draft.text.find("EDGE_LOOP('',(").unwrap() + "EDGE_LOOP('',(".len();
    let end = at + draft.text[at..].find(')').unwrap();
    let edges: Vec<&str> = draft.text[at..end].split(',').collect();
    let shuffled = [edges[0], edges[2], edges[3], edges[1]].join(",");
    let plain = read(draft.clone().part("p", solid)).unwrap();
    draft.text.replace_range(at..end, &shuffled);
    let file = read(draft.part("p", solid)).unwrap();
    assert!(file.report.losses.is_empty());
    assert_eq!(file.report.repairs.len(), 1);
    assert_eq!(
        (file.report.repairs[0].entity.as_str(), file.report.repairs[0].why),
        ("EDGE_LOOP", Why::Order)
    );
    assert_eq!(file.bodies[0].brep.faces().len(), 6);
    let loops = |file: &kontakt_io::CurvedFile| file.bodies[0].brep.faces()[0].loops.clone();
    // The same edges in another numbering: the order of the first loop is the order of reading.
    assert_eq!(loops(&file).len(), loops(&plain).len());
}

#[test]
fn reading_ends_at_a_deadline() {
    let mut draft = Draft::default();
    let solids: Vec<u64> = (0..100).map(|_| draft.cuboid([0.0; 3], [1.0; 3])).collect();
    let context = draft.context(MILLIMETRES);
    let representation = draft.representation(&solids, context);
    draft.product("p", representation);
    let text = draft.file();
    assert_eq!(read(&text).unwrap().bodies.len(), 100);
    let options = ReadOptions { deadline: Deadline::after(Duration::ZERO), ..ReadOptions::default() };
    let error = read_step_bytes(text.as_bytes(), "x.step", &options).unwrap_err();
    assert!(matches!(error.problem, Problem::Expired(_)), "{error}");
}

#[test]
fn loops_that_do_not_close_and_faces_without_bounds() {
    let mut draft = Draft::default();
    let mut faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
    let text = draft.text.clone();
    let edge = text[..text.find("=EDGE_CURVE").unwrap()].rsplit('#').next().unwrap().parse().unwrap();
    let border = draft.edge_loop(&[(edge, true)]);
    let axes = draft.here();
    let plane = draft.add(format!("PLANE('',#{axes})"));
    faces.push(draft.face(&[border], plane, true));
    faces.push(draft.face(&[], plane, true));
    let empty = draft.add("EDGE_LOOP('',())");
    faces.push(draft.face(&[empty], plane, true));
    let vertex = draft.vertex([0.0; 3]);
    let spot = draft.add(format!("VERTEX_LOOP('',#{vertex})"));
    faces.push(draft.face(&[spot], plane, true));
    // A whole sphere needs none.
    let sphere = draft.add(format!("SPHERICAL_SURFACE('',#{axes},1.)"));
    faces.push(draft.face(&[], sphere, true));
    let solid = draft.solid("", &faces);
    let file = read(draft.part("p", solid)).unwrap();
    let why: Vec<Why> = file.report.losses.iter().map(|loss| loss.why).collect();
    assert_eq!(why, [Why::Open, Why::NoBounds, Why::Open, Why::NoBounds]);
    assert_eq!((file.bodies[0].lost_faces, file.bodies[0].brep.faces().len()), (4, 7));
}

#[test]
fn cycles_of_references_end() {
    let cycles = [
        ("CURVE_REPLICA('',#SELF,#1)", "EDGE"),
        ("SURFACE_CURVE('',#SELF,(),.CURVE_3D.)", "EDGE"),
        ("TRIMMED_CURVE('',#SELF,(),(),.T.,.PARAMETER.)", "EDGE"),
        ("OFFSET_SURFACE('',#SELF,1.,.F.)", "FACE"),
        ("RECTANGULAR_TRIMMED_SURFACE('',#SELF,0.,1.,0.,1.,.T.,.T.)", "FACE"),
        ("SURFACE_REPLICA('',#SELF,#1)", "FACE"),
    ];
    for (cycle, role) in cycles {
        let mut draft = Draft::default();
        let mut faces = draft.cuboid_faces([0.0; 3], [1.0; 3]);
        let circular = draft.add(cycle);
        draft.text = draft.text.replace("#SELF", &format!("#{circular}"));
        let vertex = draft.vertex([0.0; 3]);
        let axes = draft.here();
        let plane = draft.add(format!("PLANE('',#{axes})"));
        let border = if role == "EDGE" {
            let edge = draft.edge(vertex, vertex, circular, true);
            draft.edge_loop(&[(edge, true)])
        } else {
            draft.add(format!("VERTEX_LOOP('',#{vertex})"))
        };
        faces.push(draft.face(&[border], if role == "EDGE" { plane } else { circular }, true));
        let solid = draft.solid("", &faces);
        let file = read(draft.part("p", solid)).unwrap();
        assert_eq!(file.report.losses.len(), 1, "{cycle}");
        assert_eq!((file.report.losses[0].why, file.report.losses[0].id), (Why::Cycle, circular), "{cycle}");
    }
    // Units made of themselves, an oriented edge of itself, a shell of itself.
    let losses = changed("ORIENTED_EDGE('',*,*,#", "ORIENTED_EDGE('',*,*,#00");
    assert!(losses.is_empty(), "leading zeros are the same number: {losses:?}");
}

/// An assembly that is its own part, twice: bodies beside it are read, the cycle is named.
#[test]
fn assemblies_within_themselves() {
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let axes = draft.here();
    let rep = draft.representation(&[axes, solid], context);
    let part = draft.product("part", rep);
    let top = draft.representation(&[axes], context);
    let root = draft.product("root", top);
    draft.usage(root, part, [rep, top], [axes, axes]);
    draft.usage(part, part, [rep, rep], [axes, axes]);
    draft.usage(part, part, [rep, rep], [axes, axes]);
    let file = read(draft.file()).unwrap();
    assert_eq!(file.bodies.len(), 1);
    assert!(file.report.losses.iter().all(|loss| loss.why == Why::Cycle && loss.lost == Lost::Instance));
    assert_eq!(file.report.losses.len(), 2);
    // With no product outside of the circle nothing is left.
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let axes = draft.here();
    let rep = draft.representation(&[axes], context);
    let part = draft.product("part", rep);
    draft.usage(part, part, [rep, rep], [axes, axes]);
    assert!(matches!(read(draft.file()).unwrap_err().problem, Problem::NoSolids(_)));
}

/// Forty levels of two parts each are a million million bodies: refused, and soon.
#[test]
fn small_files_do_not_unfold_without_end() {
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let axes = draft.here();
    let rep = draft.representation(&[axes, solid], context);
    let mut inner = (draft.product("part", rep), rep);
    for _ in 0..40 {
        let rep = draft.representation(&[axes], context);
        let outer = (draft.product("pair", rep), rep);
        draft.usage(outer.0, inner.0, [inner.1, rep], [axes, axes]);
        draft.usage(outer.0, inner.0, [inner.1, rep], [axes, axes]);
        inner = outer;
    }
    assert!(matches!(read(draft.file()).unwrap_err().problem, Problem::TooMany(_)));
    // Products that all use one another have more paths than anybody can walk.
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let axes = draft.here();
    let products: Vec<(u64, u64)> = (0..14)
        .map(|_| {
            let rep = draft.representation(&[axes], context);
            (draft.product("one", rep), rep)
        })
        .collect();
    for (i, parent) in products.iter().enumerate() {
        for child in products[1..].iter().filter(|child| child.0 != parent.0 || i == 0) {
            draft.usage(parent.0, child.0, [child.1, parent.1], [axes, axes]);
        }
    }
    assert!(matches!(read(draft.file()).unwrap_err().problem, Problem::TooMany(_)));
    // The same with mapped items.
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let axes = draft.here();
    let mut rep = draft.representation(&[axes, solid], context);
    for _ in 0..15 {
        let map = draft.add(format!("REPRESENTATION_MAP(#{axes},#{rep})"));
        let items: Vec<u64> = (0..10).map(|_| draft.add(format!("MAPPED_ITEM('',#{map},#{axes})"))).collect();
        rep = draft.representation(&items, context);
    }
    draft.product("p", rep);
    assert!(matches!(read(draft.file()).unwrap_err().problem, Problem::TooMany(_)));
}

#[test]
fn other_ways_of_writing() {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let plain =
        draft.part("T\\X2\\00FC\\X0\\r; 'a''b' /* no comment */", solid).replace("'a''b'", "''a''''b''");
    let expected = read(&plain).unwrap();
    assert_eq!(expected.bodies[0].path, ["Tür; 'a''b' /* no comment */"]);
    let variants = [
        plain.replace('\n', "\r\n"),
        plain.replace('\n', ""),
        plain.replace(",#", " ,\n /* between; */ #"),
        plain.replace("DATA;", "/* before\n DATA; */ DATA;"),
        plain.replace("=PLANE", " = PLANE "),
        format!("\u{FEFF}{plain}"),
        format!("  /* first */ {plain} \n\n"),
        plain.replace("#20=", "ENDSEC;\nDATA;\n#20="),
        plain.replace("DATA;", "DATA('part',('AUTOMOTIVE_DESIGN'));"),
    ];
    for variant in variants {
        let file = read(&variant).unwrap();
        assert_eq!(file.bodies, expected.bodies);
        assert!(file.report.losses.is_empty());
    }
    // Entities in any order.
    let (head, rest) = plain.split_once("DATA;\n").unwrap();
    let (entities, tail) = rest.split_once("ENDSEC;").unwrap();
    let mut lines: Vec<&str> = entities.lines().collect();
    lines.reverse();
    let turned = format!("{head}DATA;\n{}\nENDSEC;{tail}", lines.join("\n"));
    assert_eq!(read(turned).unwrap().bodies, expected.bodies);
    // Bytes that are no UTF-8.
    let mut bytes = plain.into_bytes();
    let at = bytes.windows(2).rposition(|pair| pair == b"/*").unwrap();
    bytes[at] = 0xFC;
    assert_eq!(read(bytes).unwrap().bodies[0].path, ["Tür; 'a''b' ü* no comment */"]);
}

#[test]
fn statements_that_are_none_are_named() {
    let losses = changed("DATA;\n", "DATA;\nthis is nothing;\n#5;\n#=X();\n#1=X();\n");
    assert_eq!(losses.iter().filter(|loss| loss.0 == Lost::Statement && loss.2 == Why::Syntax).count(), 3);
    assert!(losses.iter().any(|loss| loss.2 == Why::Twice));
}

#[test]
fn files_that_are_no_models() {
    let problem = |text: &str| read(text).unwrap_err().problem;
    assert!(matches!(problem(""), Problem::Truncated(_)));
    assert!(matches!(problem("solid x"), Problem::Malformed(_)));
    assert!(matches!(problem("ISO-10303-21;"), Problem::Truncated(_)));
    let empty = Draft::default().file();
    assert!(matches!(problem(&empty), Problem::NoSolids(_)));
    assert!(problem(&empty).to_string().contains("no solid"));
    let far = empty.replace("DATA;", "DATA;\n#1=DOCUMENT_FILE('x.stp','','',$,'',$);");
    assert!(problem(&far).to_string().contains("1 other files"), "{}", problem(&far));
    assert!(matches!(problem("\u{FFFE}"), Problem::Malformed(_)));
    assert!(matches!(read(b"\xFF\xFEI\0S\0").unwrap_err().problem, Problem::Unsupported(_)));
}

/// A solid without any product is read where it is, and the report says so.
#[test]
fn solids_without_products() {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let context = draft.context(MILLIMETRES);
    draft.representation(&[solid], context);
    let file = read(draft.file()).unwrap();
    assert_eq!((file.bodies.len(), file.bodies[0].name.as_str()), (1, "x.step:box"));
    assert_eq!(file.report.repairs[0].why, Why::Unused);
    // And not at all without a representation: there is no unit for it.
    let mut draft = Draft::default();
    draft.cuboid([0.0; 3], [1.0; 3]);
    let error = read(draft.file()).unwrap_err();
    assert!(error.to_string().contains("belongs to no product"), "{error}");
}

#[test]
fn cut_off_anywhere_is_an_error() {
    let mut draft = Draft::default();
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let text = draft.part("p", solid);
    let whole = text.trim_end().len();
    for length in 0..whole {
        let error = read(&text[..length]).unwrap_err();
        assert!(matches!(error.problem, Problem::Truncated(_)), "after {length} bytes: {error}");
        let Place::Line(line) = error.place else { panic!("{error}") };
        assert_eq!(line, 1 + text[..length].matches('\n').count() as u64);
    }
    assert!(read(&text[..whole]).is_ok());
}

/// Ten thousand damaged files. What comes is a body, a loss or an error; the check is that something comes, soon.
#[test]
fn damaged_files() {
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let solid = draft.cuboid([0.0; 3], [1.0; 3]);
    let corners = [[0.0; 3], [4.0, -1.0, 0.0], [4.0, 5.0, 0.0], [0.0, 4.0, 0.0], [0.0; 3]];
    let points = draft.points(&corners);
    let spline = draft.add(format!(
        "( BOUNDED_CURVE() B_SPLINE_CURVE(2,({points}),.UNSPECIFIED.,.T.,.F.) \
         B_SPLINE_CURVE_WITH_KNOTS((3,1,1,3),(0.,1.,2.,3.),.UNSPECIFIED.) RATIONAL_B_SPLINE_CURVE((1.,2.,3.,2.,1.)) )"
    ));
    let vertex = draft.vertex(corners[0]);
    let edge = draft.edge(vertex, vertex, spline, true);
    let border = draft.edge_loop(&[(edge, true)]);
    let vector = draft.vector([0.0, 0.0, 1.0], 1.0);
    let surface = draft.add(format!("SURFACE_OF_LINEAR_EXTRUSION('',#{spline},#{vector})"));
    let face = draft.face(&[border], surface, true);
    let other = draft.solid("ring", &[face]);
    let axes = draft.here();
    let rep = draft.representation(&[axes, solid, other], context);
    let part = draft.product("part", rep);
    let top = draft.representation(&[axes], context);
    let root = draft.product("root", top);
    draft.usage(root, part, [rep, top], [axes, axes]);
    let text = draft.file().into_bytes();
    assert_eq!(read(&text).unwrap().bodies.len(), 2);
    let pieces: [&[u8]; 16] = [
        b"#",
        b"(",
        b")",
        b"'",
        b";",
        b",",
        b"$",
        b"*",
        b"/*",
        b"1e308",
        b"-1",
        b"#1",
        b"0",
        b"\xFF",
        b"ENDSEC;",
        b"99999999999999999999",
    ];
    let mut random = fastrand::Rng::with_seed(21);
    let (mut errors, mut losses, mut whole) = (0, 0, 0);
    for _ in 0..10_000 {
        let mut bytes = text.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            match random.u32(..5) {
                0 => bytes[at] = random.u8(..),
                1 => drop(bytes.drain(at..(at + random.usize(1..40)).min(bytes.len()))),
                2 => drop(bytes.splice(at..at, pieces[random.usize(..pieces.len())].iter().copied())),
                3 => {
                    // Another reference, or another digit.
                    let digit = bytes[at..].iter().position(u8::is_ascii_digit).map(|digit| at + digit);
                    if let Some(digit) = digit {
                        bytes[digit] = b'0' + random.u8(..10);
                    }
                }
                _ => {
                    let from = random.usize(..bytes.len());
                    let piece = bytes[from..(from + random.usize(1..60)).min(bytes.len())].to_vec();
                    drop(bytes.splice(at..at, piece));
                }
            }
        }
        match read(&bytes) {
            Err(_) => errors += 1,
            Ok(file) if file.report.losses.is_empty() => whole += 1,
            Ok(_) => losses += 1,
        }
    }
    println!("{errors} errors, {losses} with losses, {whole} whole");
    assert!(errors > 200 && losses > 2000 && whole > 500, "{errors} {losses} {whole}");
}
