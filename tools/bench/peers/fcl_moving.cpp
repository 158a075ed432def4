// FCL's first contact of two moving bodies. A scene file is little-endian: u64 kind (0 boxes, 2 meshes); for both shapes u64 vertices,
// u64 triangles, x y z of the vertices as f64 (of a box the half extents, as one "vertex"), corners as u32; then u64 number of
// motions, and for each tx ty tz qx qy qz qw of A at its start and end and of B at its start and end as f64. Requests:
//
//   scene FILE     load it, build both hierarchies
//   advance FILE   conservative advancement, at most 100 rounds, toc_err 1e-4 (the default); f64 time or -1 a motion to FILE
//   naive FILE     tests at 20 places
//
// "seconds" is CPU time of this thread for all motions. Motions are straight with slerp about the origin; made from rotation
// matrices, because FCL's constructors from transforms leave the reference point or the velocities uninitialised.

#include "mesh_server.hpp"

#include <fcl/fcl.h>

#include <memory>

struct Flight {
  fcl::Transform3d a_start, a_end, b_start, b_end;
};

struct Flights {
  std::shared_ptr<fcl::CollisionGeometryd> a, b;
  std::vector<Flight> motions;
};

static fcl::Transform3d place(const double* p) {
  fcl::Transform3d place = fcl::Transform3d::Identity();
  place.linear() = fcl::Quaterniond(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix();
  place.translation() = fcl::Vector3d(p[0], p[1], p[2]);
  return place;
}

static std::shared_ptr<fcl::CollisionGeometryd> shape(std::uint64_t kind, const Mesh& mesh) {
  if (kind == 0) {
    const auto& half = mesh.vertices.at(0);
    return std::make_shared<fcl::Boxd>(2 * half[0], 2 * half[1], 2 * half[2]);
  }
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
  for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel(int(triangles.size()), int(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

static Flights load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto count = [&file] {
    std::uint64_t value = 0;
    file.read(reinterpret_cast<char*>(&value), sizeof(value));
    return value;
  };
  const auto kind = count();
  std::array<Mesh, 2> meshes;
  for (Mesh& mesh : meshes) {
    const auto vertices = count(), triangles = count();
    read_items(file, mesh.vertices, vertices);
    read_items(file, mesh.triangles, triangles);
  }
  std::vector<std::array<double, 28>> poses;
  read_items(file, poses, count());
  if (!file) throw std::runtime_error("scene file cannot be read");
  Flights flights{shape(kind, meshes[0]), shape(kind, meshes[1]), {}};
  for (const auto& p : poses)
    flights.motions.push_back({place(&p[0]), place(&p[7]), place(&p[14]), place(&p[21])});
  return flights;
}

static double first_contact(const Flights& flights, const Flight& flight, const fcl::ContinuousCollisionRequestd& request) {
  const fcl::Vector3d origin = fcl::Vector3d::Zero();
  const auto motion = [&origin](const fcl::Transform3d& start, const fcl::Transform3d& end) {
    return fcl::InterpMotion<double>(start.linear(), start.translation(), end.linear(), end.translation(), origin);
  };
  const auto a = motion(flight.a_start, flight.a_end), b = motion(flight.b_start, flight.b_end);
  fcl::ContinuousCollisionResultd result;
  fcl::continuousCollide(flights.a.get(), &a, flights.b.get(), &b, request, result);
  return result.is_collide ? result.time_of_contact : -1.0;
}

int main() {
  Flights flights;
  return serve("FCL", FCL_VERSION, [&](const std::string& word, const std::string& path) {
    if (word == "scene") {
      flights = load(path);
      return say_seconds(0.0);
    }
    fcl::ContinuousCollisionRequestd request;
    request.ccd_motion_type = fcl::CCDM_LINEAR;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    if (word == "advance") {
      request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
      request.num_max_iterations = 100;
    } else if (word == "naive") {
      request.ccd_solver_type = fcl::CCDC_NAIVE;
      request.num_max_iterations = 20;
    } else {
      throw std::runtime_error("unknown request");
    }
    std::vector<double> times;
    const double start = thread_seconds();
    for (const Flight& flight : flights.motions) times.push_back(first_contact(flights, flight, request));
    const double seconds = thread_seconds() - start;
    write_items(path, times);
    say_seconds(seconds);
  });
}
