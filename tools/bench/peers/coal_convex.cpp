// coal's answers about convex bodies: GJK and EPA with default tolerances. Requests: convex_server.hpp.

#include "convex_server.hpp"

#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <memory>

struct Coal {
  using Shape = std::shared_ptr<coal::CollisionGeometry>;
  using Place = coal::Transform3s;

  static std::string name() { return "coal"; }
  static std::string version() { return COAL_VERSION; }

  static Shape shape(Kind kind, const Mesh& mesh) {
    const auto& v = mesh.vertices;
    if (kind == Kind::box) return std::make_shared<coal::Box>(2 * v[0][0], 2 * v[0][1], 2 * v[0][2]);
    if (kind == Kind::ellipsoid) return std::make_shared<coal::Ellipsoid>(v[0][0], v[0][1], v[0][2]);
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    auto faces = std::make_shared<std::vector<coal::Triangle>>();
    for (const auto& p : v) points->emplace_back(p[0], p[1], p[2]);
    for (const auto& t : mesh.triangles) faces->emplace_back(t[0], t[1], t[2]);
    const auto n = unsigned(points->size()), m = unsigned(faces->size());
    auto hull = std::make_shared<coal::Convex<coal::Triangle>>(points, n, faces, m);
    hull->computeLocalAABB();
    return hull;
  }

  static Place place(const std::array<double, 7>& p) {
    return Place(coal::Quatf(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix(), coal::Vec3s(p[0], p[1], p[2]));
  }

  static bool meet(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    return coal::collide(a.get(), pa, b.get(), pb, request, result) > 0;
  }

  static double distance(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const coal::DistanceRequest request(true, false);
    coal::DistanceResult result;
    return coal::distance(a.get(), pa, b.get(), pb, request, result);
  }

  // Signed distance with normal and witness points: GJK, then EPA.
  static double depth(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const coal::DistanceRequest request(true, true);
    coal::DistanceResult result;
    return -coal::distance(a.get(), pa, b.get(), pb, request, result);
  }
};

int main() { return serve_bodies<Coal>(); }
