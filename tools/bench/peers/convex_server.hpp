// What the drivers of convex bodies share: the scene file and the questions.
//
// A scene file is little-endian: u64 kind (0 box, 1 ellipsoid, 2 hull), u64 number of shapes; for each shape u64 vertices,
// u64 triangles, x y z of the vertices as f64 (of a box the half extents, of an ellipsoid the radii, as one "vertex"),
// corners as u32; then u64 number of queries, u32 shape of A and of B for each, then tx ty tz qx qy qz qw of A and of B as f64.

#pragma once

#include "mesh_server.hpp"

enum class Kind : std::uint64_t { box = 0, ellipsoid = 1, hull = 2 };

struct Bodies {
  Kind kind = Kind::box;
  std::vector<Mesh> shapes;
  std::vector<std::array<std::uint32_t, 2>> pairs;
  std::vector<std::array<std::array<double, 7>, 2>> poses;
};

inline Bodies load_bodies(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto count = [&file] {
    std::uint64_t value = 0;
    file.read(reinterpret_cast<char*>(&value), sizeof(value));
    return value;
  };
  Bodies bodies;
  bodies.kind = Kind(count());
  bodies.shapes.resize(count());
  for (Mesh& shape : bodies.shapes) {
    const auto vertices = count(), triangles = count();
    read_items(file, shape.vertices, vertices);
    read_items(file, shape.triangles, triangles);
  }
  const auto queries = count();
  read_items(file, bodies.pairs, queries);
  read_items(file, bodies.poses, queries);
  if (!file) throw std::runtime_error("scene file cannot be read");
  return bodies;
}

/// Answers for all queries of a scene, by any library: `Library` has `name`, `version`, `shape(kind, mesh)`, `place(pose)`
/// and `meet`, `distance`, `depth` of two shapes at two places. Requests: `scene FILE`, then `meet FILE`,
/// `distance FILE`, `depth FILE`, which write one f64 a query. "seconds" is CPU time of this thread for all queries.
template <class Library>
int serve_bodies() {
  Bodies bodies;
  std::vector<decltype(Library::shape(Kind::box, Mesh{}))> shapes;
  std::vector<std::array<decltype(Library::place(bodies.poses[0][0])), 2>> places;
  return serve(Library::name(), Library::version(), [&](const std::string& word, const std::string& path) {
    if (word == "scene") {
      bodies = load_bodies(path);
      shapes.clear();
      places.clear();
      for (const auto& mesh : bodies.shapes) shapes.push_back(Library::shape(bodies.kind, mesh));
      for (const auto& p : bodies.poses) places.push_back({Library::place(p[0]), Library::place(p[1])});
      return say_seconds(0.0);
    }
    std::vector<double> numbers(places.size());
    const auto ask = [&](auto question) {
      const double start = thread_seconds();
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto [a, b] = bodies.pairs[i];
        numbers[i] = question(shapes[a], places[i][0], shapes[b], places[i][1]);
      }
      return thread_seconds() - start;
    };
    double seconds = 0.0;
    if (word == "meet") {
      seconds = ask([](auto& a, auto& pa, auto& b, auto& pb) { return Library::meet(a, pa, b, pb) ? 1.0 : 0.0; });
    } else if (word == "distance") {
      seconds = ask([](auto& a, auto& pa, auto& b, auto& pb) { return Library::distance(a, pa, b, pb); });
    } else if (word == "depth") {
      seconds = ask([](auto& a, auto& pa, auto& b, auto& pb) { return Library::depth(a, pa, b, pb); });
    } else {
      throw std::runtime_error("unknown request");
    }
    write_items(path, numbers);
    say_seconds(seconds);
  });
}
