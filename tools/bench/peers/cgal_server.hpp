// What both CGAL drivers share: reading points, the clock, and answering requests line by line.

#pragma once

#include <CGAL/version.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using Points = std::vector<std::array<double, 3>>;

/// CPU time of this thread.
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Raw little-endian f64 x y z; empty when the file cannot be read.
inline Points load(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  Points points;
  if (!file) return points;
  points.resize(std::size_t(file.tellg()) / sizeof(points[0]));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(points.data()), std::streamsize(points.size() * sizeof(points[0])));
  return points;
}

inline void fail(const std::string& reason) { std::printf("{\"error\": \"%s\"}\n", reason.c_str()); }

/// Greets with name and version, then hands `load FILE` to `take` and every other line to `answer`, which prints one
/// JSON line. Both drivers speak this protocol, so that the bench can interleave them with other contenders.
template <class Take, class Answer>
int serve(Take take, Answer answer) {
  std::printf("{\"name\": \"CGAL\", \"version\": \"%s\"}\n", CGAL_VERSION_STR);
  std::fflush(stdout);
  bool loaded = false;
  for (std::string line; std::getline(std::cin, line); std::fflush(stdout)) {
    try {
      if (line.rfind("load ", 0) == 0) {
        const Points points = load(line.substr(5));
        take(points);
        loaded = !points.empty();
        std::printf("{\"points\": %zu}\n", points.size());
      } else if (!loaded) {
        fail("no points loaded");
      } else {
        answer(line);
      }
    } catch (const std::exception&) {
      fail("CGAL threw an exception");
    }
  }
  return 0;
}
