use kontakt_curved::*;
use kontakt_io::*;
use std::path::Path;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let shares: Vec<f64> = args[0].split(',').map(|x| x.parse().unwrap()).collect();
    for file in &args[1..] {
        let read = match read_curved(Path::new(file), &ReadOptions::default()) {
            Ok(r) => r,
            Err(e) => {
                println!("FAIL read {file}: {e}");
                continue;
            }
        };
        for &share in &shares {
            let mut v = 0.0;
            let mut n = 0;
            let mut dev: f64 = 0.0;
            let mut bad = String::new();
            let mut area = 0.0;
            let t = std::time::Instant::now();
            for b in &read.bodies {
                let o = TessellationOptions::usual(&b.brep, None);
                let o = TessellationOptions {
                    deviation: o.deviation / TessellationOptions::USUAL_SHARE * share,
                    ..o
                };
                if std::env::var("TESS").is_ok() {
                    match tessellate(&b.brep, &o) {
                        Ok(t) => {
                            println!(
                                "  tess {} triangles pinched? gap {} dev {}",
                                t.triangles.len(),
                                t.gap,
                                t.deviation
                            );
                            let mut sides = std::collections::HashMap::new();
                            for (k, [a, b, c]) in t.triangles.iter().enumerate() {
                                for (x, y) in [(*a, *b), (*b, *c), (*c, *a)] {
                                    sides.entry((x.min(y), x.max(y))).or_insert(vec![]).push((k, x < y));
                                }
                            }
                            let mut open: Vec<_> = sides
                                .iter()
                                .filter(|(_, l)| l.iter().filter(|x| x.1).count() * 2 != l.len())
                                .collect();
                            open.sort();
                            println!("  open sides {}", open.len());
                            for (ids, l) in open.iter().take(12) {
                                println!(
                                    "   {:?} {:?} {:?}",
                                    ids,
                                    l.iter().map(|x| t.parameters[x.0]).collect::<Vec<_>>(),
                                    t.points[ids.0 as usize]
                                );
                            }
                        }
                        Err(e) => println!("  tess {e}"),
                    }
                }
                match Body::new(b.brep.clone(), &o) {
                    Ok(body) => {
                        let t = body.tessellation();
                        let p = |i: u32| t.points[i as usize];
                        v += t.triangles.iter().map(|[a, b, c]| p(*a).dot(p(*b).cross(p(*c)))).sum::<f64>()
                            / 6.0;
                        area += t
                            .triangles
                            .iter()
                            .map(|[a, b, c]| (p(*b) - p(*a)).cross(p(*c) - p(*a)).length())
                            .sum::<f64>()
                            / 2.0;
                        n += t.triangles.len();
                        dev = dev.max(t.deviation);
                        if !b.brep.is_closed() {
                            bad += " open-model";
                        }
                    }
                    Err(e) => bad += &format!(" FAIL {e}"),
                }
            }
            println!(
                "{share:e} {} tri {n} dev {dev:.4} vol {v:.6} area {area:.4} {:.2?} {bad}",
                Path::new(file).file_name().unwrap().to_string_lossy(),
                t.elapsed()
            );
        }
    }
}
