// Small oriented box by CGAL. Request, after `load FILE`:
//
//   box      oriented_bounding_box with its defaults (convex hull first); volume and axes (not unit) from the eight corners
//
// "seconds" is CPU time of this thread for the call alone, without loading. CGAL seeds its search by the clock, so
// the volume may differ from call to call; the bench keeps the smallest.
// CGAL's part is under GPL: this program is a measuring tool, never part of the product.

#include "cgal_server.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/optimal_bounding_box.h>

#include <cmath>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

void enclose(const std::vector<Kernel::Point_3>& points) {
  std::array<Kernel::Point_3, 8> corners;
  const double start = thread_seconds();
  CGAL::oriented_bounding_box(points, corners);
  const double seconds = thread_seconds() - start;
  // make_hexahedron's order: corner 0 has the neighbours 1, 3 and 5.
  double volume = 1;
  std::string axes;
  for (int neighbour : {1, 3, 5}) {
    const Kernel::Vector_3 edge = corners[neighbour] - corners[0];
    volume *= std::sqrt(edge.squared_length());
    char axis[100];
    std::snprintf(axis, sizeof axis, "%s[%.17g, %.17g, %.17g]", axes.empty() ? "" : ", ", edge.x(), edge.y(), edge.z());
    axes += axis;
  }
  std::printf("{\"seconds\": %.9g, \"volume\": %.17g, \"axes\": [%s]}\n", seconds, volume, axes.c_str());
}

int main() {
  std::vector<Kernel::Point_3> points;
  return serve(
      [&](const Points& given) {
        points.clear();
        for (const auto& p : given) points.emplace_back(p[0], p[1], p[2]);
      },
      [&](const std::string& request) {
        if (request == "box") enclose(points);
        else fail("unknown request");
      });
}
