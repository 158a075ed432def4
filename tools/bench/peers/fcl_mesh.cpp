// FCL's answers about pairs of meshes: `BVHModel<OBBRSS>`, the volume its own benchmarks use. Requests: mesh_server.hpp.

#include "mesh_server.hpp"

#include <fcl/fcl.h>

#include <limits>
#include <memory>

template <class Volume>
std::shared_ptr<fcl::BVHModel<Volume>> hierarchy(const Mesh& mesh) {
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<fcl::BVHModel<Volume>>();
  model->beginModel(int(triangles.size()), int(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

struct Fcl {
  using Model = std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>>;

  static std::string name() { return "FCL"; }
  static std::string version() { return FCL_VERSION; }
  static Model model(const Mesh& mesh) { return hierarchy<fcl::OBBRSSd>(mesh); }
  static void build_boxes(const Mesh& mesh) { hierarchy<fcl::AABBd>(mesh); }

  static fcl::Transform3d place(const std::array<double, 7>& p) {
    fcl::Transform3d place = fcl::Transform3d::Identity();
    place.linear() = fcl::Quaterniond(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix();
    place.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    return place;
  }

  static bool touches(const Model& a, const Model& b, const fcl::Transform3d& place) {
    const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    return fcl::collide(a.get(), fcl::Transform3d::Identity(), b.get(), place, request, result) > 0;
  }

  static void pairs(const Model& a, const Model& b, const fcl::Transform3d& place, PairLists& lists) {
    const fcl::CollisionRequestd request(std::numeric_limits<int>::max(), false);
    fcl::CollisionResultd result;
    fcl::collide(a.get(), fcl::Transform3d::Identity(), b.get(), place, request, result);
    lists.push_back(std::uint32_t(result.numContacts()));
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      lists.push_back(std::uint32_t(result.getContact(i).b1));
      lists.push_back(std::uint32_t(result.getContact(i).b2));
    }
  }

  static double distance(const Model& a, const Model& b, const fcl::Transform3d& place) {
    const fcl::DistanceRequestd request(false);
    fcl::DistanceResultd result;
    return fcl::distance(a.get(), fcl::Transform3d::Identity(), b.get(), place, request, result);
  }
};

int main() { return serve_meshes<Fcl>(); }
