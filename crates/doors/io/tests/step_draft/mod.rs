//! STEP files written by hand, entity by entity.
#![allow(dead_code, reason = "each test file uses its part")]

use kontakt_io::{CurvedFile, ReadError, ReadOptions, read_step_bytes};

/// Units of a context: of lengths and angles.
pub(crate) const MILLIMETRES: [&str; 2] =
    ["( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )", RADIANS];
pub(crate) const RADIANS: &str = "( NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.) )";

/// Entities so far.
#[derive(Clone, Default)]
pub(crate) struct Draft {
    pub(crate) text: String,
    last: u64,
}

impl Draft {
    /// Adds an entity and gives its number.
    pub(crate) fn add(&mut self, entity: impl AsRef<str>) -> u64 {
        self.last += 1;
        let line = format!("#{}={};\n", self.last, entity.as_ref());
        self.text.push_str(&line);
        self.last
    }

    pub(crate) fn point(&mut self, [x, y, z]: [f64; 3]) -> u64 {
        self.add(format!("CARTESIAN_POINT('',({x:?},{y:?},{z:?}))"))
    }

    pub(crate) fn direction(&mut self, [x, y, z]: [f64; 3]) -> u64 {
        self.add(format!("DIRECTION('',({x:?},{y:?},{z:?}))"))
    }

    pub(crate) fn vector(&mut self, direction: [f64; 3], length: f64) -> u64 {
        let direction = self.direction(direction);
        self.add(format!("VECTOR('',#{direction},{length:?})"))
    }

    pub(crate) fn axes(&mut self, origin: [f64; 3], z: [f64; 3], x: [f64; 3]) -> u64 {
        let (origin, z, x) = (self.point(origin), self.direction(z), self.direction(x));
        self.add(format!("AXIS2_PLACEMENT_3D('',#{origin},#{z},#{x})"))
    }

    pub(crate) fn here(&mut self) -> u64 {
        self.axes([0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    }

    pub(crate) fn vertex(&mut self, place: [f64; 3]) -> u64 {
        let point = self.point(place);
        self.add(format!("VERTEX_POINT('',#{point})"))
    }

    pub(crate) fn points(&mut self, places: &[[f64; 3]]) -> String {
        let points: Vec<String> = places.iter().map(|&place| format!("#{}", self.point(place))).collect();
        points.join(",")
    }

    pub(crate) fn edge(&mut self, start: u64, end: u64, curve: u64, agrees: bool) -> u64 {
        let agrees = if agrees { ".T." } else { ".F." };
        self.add(format!("EDGE_CURVE('',#{start},#{end},#{curve},{agrees})"))
    }

    /// A loop of edges, each run through forwards or backwards.
    pub(crate) fn edge_loop(&mut self, uses: &[(u64, bool)]) -> u64 {
        let mut list = Vec::new();
        for &(edge, forward) in uses {
            let forward = if forward { ".T." } else { ".F." };
            list.push(format!("#{}", self.add(format!("ORIENTED_EDGE('',*,*,#{edge},{forward})"))));
        }
        self.add(format!("EDGE_LOOP('',({}))", list.join(",")))
    }

    pub(crate) fn face(&mut self, loops: &[u64], surface: u64, agrees: bool) -> u64 {
        let mut bounds = Vec::new();
        for border in loops {
            bounds.push(format!("#{}", self.add(format!("FACE_BOUND('',#{border},.T.)"))));
        }
        let agrees = if agrees { ".T." } else { ".F." };
        self.add(format!("ADVANCED_FACE('',({}),#{surface},{agrees})", bounds.join(",")))
    }

    pub(crate) fn solid(&mut self, name: &str, faces: &[u64]) -> u64 {
        let shell = self.add(format!("CLOSED_SHELL('',({}))", list(faces)));
        self.add(format!("MANIFOLD_SOLID_BREP('{name}',#{shell})"))
    }

    /// A context with these units.
    pub(crate) fn context(&mut self, [length, angle]: [&str; 2]) -> u64 {
        let (length, angle) = (self.add(length), self.add(angle));
        let claim = self.add(format!("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-7),#{length},'',$)"));
        self.add(format!(
            "( GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{claim})) \
             GLOBAL_UNIT_ASSIGNED_CONTEXT((#{length},#{angle})) REPRESENTATION_CONTEXT('','') )"
        ))
    }

    pub(crate) fn representation(&mut self, items: &[u64], context: u64) -> u64 {
        self.add(format!("ADVANCED_BREP_SHAPE_REPRESENTATION('',({}),#{context})", list(items)))
    }

    /// A product of this representation; the number of its definition.
    pub(crate) fn product(&mut self, name: &str, representation: u64) -> u64 {
        let product = self.add(format!("PRODUCT('{name}','{name}','',$)"));
        let formation = self.add(format!("PRODUCT_DEFINITION_FORMATION('','',#{product})"));
        let definition = self.add(format!("PRODUCT_DEFINITION('','',#{formation},$)"));
        let shape = self.add(format!("PRODUCT_DEFINITION_SHAPE('','',#{definition})"));
        self.add(format!("SHAPE_DEFINITION_REPRESENTATION(#{shape},#{representation})"));
        definition
    }

    /// A part in an assembly: definitions, their representations in the order written, and what brings the first to the second.
    pub(crate) fn usage(&mut self, parent: u64, child: u64, representations: [u64; 2], items: [u64; 2]) {
        let usage = self.add(format!("NEXT_ASSEMBLY_USAGE_OCCURRENCE('1','','',#{parent},#{child},$)"));
        let shape = self.add(format!("PRODUCT_DEFINITION_SHAPE('','',#{usage})"));
        let transform = self.add(format!("ITEM_DEFINED_TRANSFORMATION('','',#{},#{})", items[0], items[1]));
        let relation = self.add(format!(
            "( REPRESENTATION_RELATIONSHIP('','',#{},#{}) \
             REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#{transform}) SHAPE_REPRESENTATION_RELATIONSHIP() )",
            representations[0], representations[1]
        ));
        self.add(format!("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#{relation},#{shape})"));
    }

    /// One product of one solid, in millimetres and radians.
    pub(crate) fn part(mut self, name: &str, solid: u64) -> String {
        let context = self.context(MILLIMETRES);
        let representation = self.representation(&[solid], context);
        self.product(name, representation);
        self.file()
    }

    /// The whole file.
    pub(crate) fn file(&self) -> String {
        format!(
            "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
             FILE_NAME('x','2026-01-01T00:00:00',(''),(''),'','by hand','');\n\
             FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
            self.text
        )
    }

    /// Faces of a box, outward, and its solid.
    pub(crate) fn cuboid(&mut self, low: [f64; 3], high: [f64; 3]) -> u64 {
        let faces = self.cuboid_faces(low, high);
        self.solid("box", &faces)
    }

    pub(crate) fn cuboid_faces(&mut self, low: [f64; 3], high: [f64; 3]) -> Vec<u64> {
        let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { high[axis] } else { low[axis] });
        let vertices: Vec<u64> = (0..8).map(|i| self.vertex(corner(i))).collect();
        let mut edges = std::collections::BTreeMap::new();
        let mut faces = Vec::new();
        for axis in 0..3 {
            for side in 0..2 {
                let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
                // Counterclockwise about +axis; turned round for the lower side.
                let mut corners = [0, 1 << a, 1 << a | 1 << b, 1 << b].map(|c| c | side << axis);
                if side == 0 {
                    corners.reverse();
                }
                let mut uses = Vec::new();
                for i in 0..4 {
                    let (from, to) = (corners[i], corners[(i + 1) % 4]);
                    let key = (from.min(to), from.max(to));
                    let edge = *edges.entry(key).or_insert_with(|| {
                        let along = [0, 1, 2].map(|k| corner(key.1)[k] - corner(key.0)[k]);
                        let (origin, vector) = (self.point(corner(key.0)), self.vector(along, 2.0));
                        let line = self.add(format!("LINE('',#{origin},#{vector})"));
                        self.edge(vertices[key.0], vertices[key.1], line, true)
                    });
                    uses.push((edge, from < to));
                }
                let border = self.edge_loop(&uses);
                let mut out = [0.0; 3];
                out[axis] = 1.0;
                let mut x = [0.0; 3];
                x[a] = 1.0;
                let axes = self.axes(corner(side << axis), out, x);
                let plane = self.add(format!("PLANE('',#{axes})"));
                faces.push(self.face(&[border], plane, side == 1));
            }
        }
        faces
    }
}

pub(crate) fn list(ids: &[u64]) -> String {
    ids.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(",")
}

pub(crate) fn read(text: impl AsRef<[u8]>) -> Result<CurvedFile, ReadError> {
    read_step_bytes(text.as_ref(), "x.step", &ReadOptions::default())
}
