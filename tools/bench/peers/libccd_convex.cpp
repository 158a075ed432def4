// libccd's answers about convex bodies: GJK with EPA for depth, MPR for the verdict; it has no distance of separate bodies.
// Support maps are ours, compiled for this machine. Requests: convex_server.hpp.

#include "convex_server.hpp"

#include <ccd/ccd.h>

#include <algorithm>
#include <cmath>

struct Turn {
  double r[3][3];
};

struct Body {
  Kind kind;
  const Mesh* mesh;
  const Turn* turn;
  const std::array<double, 3>* shift;
};

static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const auto& body = *static_cast<const Body*>(object);
  const auto& r = body.turn->r;
  double d[3], best[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k)
    d[k] = r[0][k] * direction->v[0] + r[1][k] * direction->v[1] + r[2][k] * direction->v[2];
  const auto& v = body.mesh->vertices;
  if (body.kind == Kind::box) {
    for (int k = 0; k < 3; ++k) best[k] = std::copysign(v[0][k], d[k]);
  } else if (body.kind == Kind::ellipsoid) {
    double length = 0.0;
    for (int k = 0; k < 3; ++k) length += v[0][k] * v[0][k] * d[k] * d[k];
    length = std::sqrt(length);
    for (int k = 0; k < 3; ++k) best[k] = length > 0.0 ? v[0][k] * v[0][k] * d[k] / length : v[0][k];
  } else {
    double most = -HUGE_VAL;
    std::size_t at = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double reach = v[i][0] * d[0] + v[i][1] * d[1] + v[i][2] * d[2];
      if (reach > most) most = reach, at = i;
    }
    for (int k = 0; k < 3; ++k) best[k] = v[at][k];
  }
  for (int k = 0; k < 3; ++k)
    point->v[k] = r[k][0] * best[0] + r[k][1] * best[1] + r[k][2] * best[2] + (*body.shift)[k];
}

static void centre(const void* object, ccd_vec3_t* point) {
  const auto& shift = *static_cast<const Body*>(object)->shift;
  ccdVec3Set(point, shift[0], shift[1], shift[2]);
}

struct Libccd {
  struct Shape {
    Kind kind;
    Mesh mesh;
  };
  struct Place {
    Turn turn;
    std::array<double, 3> shift;
  };

  static std::string name() { return "libccd"; }
  static std::string version() { return "2.1"; }
  static Shape shape(Kind kind, const Mesh& mesh) { return {kind, mesh}; }

  static Place place(const std::array<double, 7>& p) {
    const double n = std::sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6]);
    const double x = p[3] / n, y = p[4] / n, z = p[5] / n, w = p[6] / n;
    return {{{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
              {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
              {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}},
            {p[0], p[1], p[2]}};
  }

  static ccd_t settings() {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = 1e-6;
    ccd.mpr_tolerance = 1e-6;
    return ccd;
  }

  static Body body(const Shape& shape, const Place& place) {
    return {shape.kind, &shape.mesh, &place.turn, &place.shift};
  }

  static bool meet(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const Body first = body(a, pa), second = body(b, pb);
    const ccd_t ccd = settings();
    return ccdMPRIntersect(&first, &second, &ccd) != 0;
  }

  static double distance(const Shape&, const Place&, const Shape&, const Place&) {
    throw std::runtime_error("libccd has no distance");
  }

  static double depth(const Shape& a, const Place& pa, const Shape& b, const Place& pb) {
    const Body first = body(a, pa), second = body(b, pb);
    const ccd_t ccd = settings();
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    return ccdGJKPenetration(&first, &second, &ccd, &depth, &direction, &position) == 0 ? depth : 0.0;
  }
};

int main() { return serve_bodies<Libccd>(); }
