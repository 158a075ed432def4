// Embree's build of a hierarchy over triangles, one thread. Requests, after `scene FILE` (mesh_server.hpp; mesh A):
//
//   medium, low   the scene's build quality
//
// "seconds" is CPU time of this process, so that helper threads would count too; "bytes" is what Embree allocated.

#include "mesh_server.hpp"

#include <embree3/rtcore.h>

#include <atomic>

static double process_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

static std::atomic<long> allocated{0};

static bool count_bytes(void*, ssize_t bytes, bool) {
  allocated += bytes;
  return true;
}

static void build(RTCDevice device, const Mesh& mesh, RTCBuildQuality quality) {
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneBuildQuality(scene, quality);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               3 * sizeof(float), mesh.vertices.size()));
  auto* corners = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                 3 * sizeof(unsigned), mesh.triangles.size()));
  for (const auto& v : mesh.vertices)
    for (double x : v) *vertices++ = float(x);
  for (const auto& t : mesh.triangles)
    for (unsigned corner : t) *corners++ = corner;
  rtcSetGeometryBuildQuality(geometry, quality);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  const long before = allocated;
  const double start = process_seconds();
  rtcCommitScene(scene);
  const double seconds = process_seconds() - start;
  std::printf("{\"seconds\": %.9g, \"bytes\": %ld}\n", seconds, allocated - before);
  rtcReleaseScene(scene);
}

int main() {
  RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
  rtcSetDeviceMemoryMonitorFunction(device, count_bytes, nullptr);
  Scene scene;
  return serve("Embree", RTC_VERSION_STRING, [&](const std::string& word, const std::string& path) {
    if (word == "scene") {
      scene = load_scene(path);
      say_seconds(0.0);
    } else if (word == "medium") {
      build(device, scene.a, RTC_BUILD_QUALITY_MEDIUM);
    } else if (word == "low") {
      build(device, scene.a, RTC_BUILD_QUALITY_LOW);
    } else {
      throw std::runtime_error("unknown request");
    }
  });
}
