// FCL's answers about convex bodies with the libccd solver; depth is that of `collide` (MPR; boxes by separating axes), since
// `enable_signed_distance` aborts in Debian's build. Requests: convex_server.hpp.

#include "convex_server.hpp"

#include <fcl/fcl.h>

#include <memory>

struct Fcl {
  using Shape = std::shared_ptr<fcl::CollisionGeometryd>;
  using Place = fcl::Transform3d;

  static std::string name() { return "FCL"; }
  static std::string version() { return FCL_VERSION; }

  static Shape shape(Kind kind, const Mesh& mesh) {
    const auto& v = mesh.vertices;
    Shape made;
    if (kind == Kind::box) {
      made = std::make_shared<fcl::Boxd>(2 * v[0][0], 2 * v[0][1], 2 * v[0][2]);
    } else if (kind == Kind::ellipsoid) {
      made = std::make_shared<fcl::Ellipsoidd>(v[0][0], v[0][1], v[0][2]);
    } else {
      auto points = std::make_shared<std::vector<fcl::Vector3d>>();
      auto faces = std::make_shared<std::vector<int>>();
      for (const auto& p : v) points->emplace_back(p[0], p[1], p[2]);
      for (const auto& t : mesh.triangles) faces->insert(faces->end(), {3, int(t[0]), int(t[1]), int(t[2])});
      made = std::make_shared<fcl::Convexd>(points, int(mesh.triangles.size()), faces);
    }
    made->computeLocalAABB();
    return made;
  }

  static Place place(const std::array<double, 7>& p) {
    Place place = Place::Identity();
    place.linear() = fcl::Quaterniond(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix();
    place.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    return place;
  }

  static bool meet(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    return fcl::collide(a.get(), pa, b.get(), pb, request, result) > 0;
  }

  static double distance(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    fcl::DistanceRequestd request(true, false);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    return fcl::distance(a.get(), pa, b.get(), pb, request, result);
  }

  static double depth(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const fcl::CollisionRequestd request(4, true);
    fcl::CollisionResultd result;
    fcl::collide(a.get(), pa, b.get(), pb, request, result);
    double deepest = 0.0;
    for (std::size_t i = 0; i < result.numContacts(); ++i)
      deepest = std::max(deepest, result.getContact(i).penetration_depth);
    return deepest;
  }
};

int main() { return serve_bodies<Fcl>(); }
