// coal's answers about pairs of meshes: `BVHModel<OBBRSS>`. Requests: mesh_server.hpp.

#include "mesh_server.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <limits>
#include <memory>

template <class Volume>
std::shared_ptr<coal::BVHModel<Volume>> hierarchy(const Mesh& mesh) {
  std::vector<coal::Vec3s> points;
  std::vector<coal::Triangle> triangles;
  for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<coal::BVHModel<Volume>>();
  model->beginModel(unsigned(triangles.size()), unsigned(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

struct Coal {
  using Model = std::shared_ptr<coal::BVHModel<coal::OBBRSS>>;

  static std::string name() { return "coal"; }
  static std::string version() { return COAL_VERSION; }
  static Model model(const Mesh& mesh) { return hierarchy<coal::OBBRSS>(mesh); }
  static void build_boxes(const Mesh& mesh) { hierarchy<coal::AABB>(mesh); }

  static coal::Transform3s place(const std::array<double, 7>& p) {
    return coal::Transform3s(coal::Quatf(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix(),
                             coal::Vec3s(p[0], p[1], p[2]));
  }

  static bool touches(const Model& a, const Model& b, const coal::Transform3s& place) {
    const coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    return coal::collide(a.get(), coal::Transform3s(), b.get(), place, request, result) > 0;
  }

  static void pairs(const Model& a, const Model& b, const coal::Transform3s& place, PairLists& lists) {
    const coal::CollisionRequest request(coal::NO_REQUEST, std::numeric_limits<int>::max());
    coal::CollisionResult result;
    coal::collide(a.get(), coal::Transform3s(), b.get(), place, request, result);
    lists.push_back(std::uint32_t(result.numContacts()));
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      lists.push_back(std::uint32_t(result.getContact(i).b1));
      lists.push_back(std::uint32_t(result.getContact(i).b2));
    }
  }

  static double distance(const Model& a, const Model& b, const coal::Transform3s& place) {
    const coal::DistanceRequest request(false);
    coal::DistanceResult result;
    return coal::distance(a.get(), coal::Transform3s(), b.get(), place, request, result);
  }
};

int main() { return serve_meshes<Coal>(); }
