// What the drivers of mesh libraries share: the scene file, the clock, and answering requests line by line.
//
// A scene file is little-endian: five u64 (vertices and triangles of A, of B, poses), then x y z of A's vertices as f64,
// A's corners as u32, the same for B, then poses tx ty tz qx qy qz qw as f64. B moves, A stays.

#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Mesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct Scene {
  Mesh a, b;
  std::vector<std::array<double, 7>> poses;
};

/// Pairs of triangles, all poses one after the other: how many, then that many pairs.
using PairLists = std::vector<std::uint32_t>;

/// CPU time of this thread.
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

template <class Item>
void read_items(std::istream& file, std::vector<Item>& items, std::uint64_t count) {
  items.resize(count);
  file.read(reinterpret_cast<char*>(items.data()), std::streamsize(count * sizeof(Item)));
}

inline Scene load_scene(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<std::uint64_t, 5> counts{};
  file.read(reinterpret_cast<char*>(counts.data()), sizeof(counts));
  Scene scene;
  read_items(file, scene.a.vertices, counts[0]);
  read_items(file, scene.a.triangles, counts[1]);
  read_items(file, scene.b.vertices, counts[2]);
  read_items(file, scene.b.triangles, counts[3]);
  read_items(file, scene.poses, counts[4]);
  if (!file) throw std::runtime_error("scene file cannot be read");
  return scene;
}

template <class Item>
void write_items(const std::string& path, const std::vector<Item>& items) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(items.data()), std::streamsize(items.size() * sizeof(Item)));
  if (!file) throw std::runtime_error("answers cannot be written");
}

inline void say_seconds(double seconds) { std::printf("{\"seconds\": %.9g}\n", seconds); }

/// Greets with name and version, then answers each line with one JSON line by `answer(word, path)`.
template <class Answer>
int serve(const std::string& name, const std::string& version, Answer answer) {
  std::printf("{\"name\": \"%s\", \"version\": \"%s\"}\n", name.c_str(), version.c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line); std::fflush(stdout)) {
    const auto blank = line.find(' ');
    const std::string path = blank == std::string::npos ? "" : line.substr(blank + 1);
    try {
      answer(line.substr(0, blank), path);
    } catch (const std::exception& problem) {
      std::printf("{\"error\": \"%s\"}\n", problem.what());
    }
  }
  return 0;
}

/// The questions about pairs of meshes, for any library: `Library` has `name`, `version`, `model(Mesh)`, `place(pose)`,
/// `touches(a, b, tf)`, `pairs(a, b, tf, list)` and `distance(a, b, tf)`. Requests:
///
///   scene FILE      load meshes and poses, build both hierarchies
///   contact FILE    any contact at each pose; f64 0 or 1 to FILE
///   pairs FILE      all intersecting pairs at each pose; u32 lists to FILE
///   distance FILE   distance at each pose; f64 to FILE
///   build           the hierarchy of A with boxes along the axes
///
/// "seconds" is CPU time of this thread for all poses (or one build), without writing.
template <class Library>
int serve_meshes() {
  Scene scene;
  decltype(Library::model(Mesh{})) a, b;
  std::vector<decltype(Library::place(scene.poses[0]))> places;
  return serve(Library::name(), Library::version(), [&](const std::string& word, const std::string& path) {
    if (word == "scene") {
      scene = load_scene(path);
      a = Library::model(scene.a);
      b = Library::model(scene.b);
      places.clear();
      for (const auto& pose : scene.poses) places.push_back(Library::place(pose));
      return say_seconds(0.0);
    }
    std::vector<double> numbers;
    PairLists lists;
    numbers.reserve(places.size());
    const double start = thread_seconds();
    if (word == "contact") {
      for (const auto& place : places) numbers.push_back(Library::touches(a, b, place) ? 1.0 : 0.0);
    } else if (word == "pairs") {
      for (const auto& place : places) Library::pairs(a, b, place, lists);
    } else if (word == "distance") {
      for (const auto& place : places) numbers.push_back(Library::distance(a, b, place));
    } else if (word == "build") {
      Library::build_boxes(scene.a);
    } else {
      throw std::runtime_error("unknown request");
    }
    const double seconds = thread_seconds() - start;
    if (word == "pairs") write_items(path, lists);
    else if (word != "build") write_items(path, numbers);
    say_seconds(seconds);
  });
}
