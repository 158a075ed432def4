// Smallest sphere by CGAL. Requests, after `load FILE`:
//
//   points   Min_sphere_of_spheres_d with the traits for points
//   balls    the same class fed with balls of radius 0
//
// "seconds" is CPU time of this thread for the construction alone, without loading.
// CGAL's part is under GPL/LGPL: this program is a measuring tool, never part of the product.

#include "cgal_server.hpp"

#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/Min_sphere_of_spheres_d_traits_3.h>
#include <CGAL/Simple_cartesian.h>

#include <utility>

using Kernel = CGAL::Simple_cartesian<double>;
using PointTraits = CGAL::Min_sphere_of_points_d_traits_3<Kernel, double>;
using BallTraits = CGAL::Min_sphere_of_spheres_d_traits_3<Kernel, double>;

template <class Traits, class Items>
void enclose(const Items& items) {
  const double start = thread_seconds();
  CGAL::Min_sphere_of_spheres_d<Traits> sphere(items.begin(), items.end());
  const double radius = sphere.radius();
  const double seconds = thread_seconds() - start;
  auto centre = sphere.center_cartesian_begin();
  const double x = *centre++, y = *centre++, z = *centre;
  std::printf("{\"seconds\": %.9g, \"radius\": %.17g, \"centre\": [%.17g, %.17g, %.17g]}\n", seconds, radius, x, y, z);
}

int main() {
  std::vector<Kernel::Point_3> points;
  std::vector<std::pair<Kernel::Point_3, double>> balls;
  return serve(
      [&](const Points& given) {
        points.clear(), balls.clear();
        for (const auto& p : given) {
          points.emplace_back(p[0], p[1], p[2]);
          balls.emplace_back(points.back(), 0.0);
        }
      },
      [&](const std::string& request) {
        if (request == "points") enclose<PointTraits>(points);
        else if (request == "balls") enclose<BallTraits>(balls);
        else fail("unknown request");
      });
}
