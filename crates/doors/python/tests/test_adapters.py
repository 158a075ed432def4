"""The adapters say what the libraries they stand in for say, where those are right."""

import numpy as np
import pytest
from conftest import ball, poses

import kontakt as kt
import kontakt.fcl as own
from kontakt.trimesh import CollisionManager


def turned(row):
    """A pose (7,) as FCL takes it: quaternion with w first, translation."""
    return np.array([row[6], *row[3:6]]), np.array(row[:3])


def model(lib, vertices, faces):
    made = lib.BVHModel()
    made.beginModel(len(faces), len(vertices))
    made.addSubModel(vertices, faces)
    made.endModel()
    return made


def test_transforms_are_rotations():
    for row in poses(50, 2):
        q, t = turned(row)
        tf = own.Transform(q, t)
        again = own.Transform(tf.getRotation(), tf.getTranslation())
        assert np.allclose(again.getRotation(), tf.getRotation(), atol=1e-14)
        assert min(np.abs(again.getQuatRotation() - q).max(), np.abs(again.getQuatRotation() + q).max()) < 1e-14
    for bad in (np.eye(4), np.ones((3, 3)), [1, 2]):
        with pytest.raises(ValueError):
            own.Transform(bad)


def test_fcl_says_the_same():
    fcl = pytest.importorskip("fcl")
    big, small = ball(12, bump=0.3), ball(8, 0.6, 0.2)
    kinds = [
        (lambda lib: lib.Box(1, 2, 1.5)), (lambda lib: lib.Sphere(0.8)), (lambda lib: lib.Capsule(0.4, 1.5)), (lambda lib: model(lib, *small)),
    ]
    hits = 0
    for kind in kinds:
        pairs = []
        for lib in (fcl, own):
            pairs.append((lib, lib.CollisionObject(model(lib, *big), lib.Transform()), lib.CollisionObject(kind(lib), lib.Transform())))
        for row in poses(60, 2.5):
            met, apart = [], []
            for lib, a, b in pairs:
                a.setTransform(lib.Transform(*turned(row)))
                b.setTransform(lib.Transform(np.array([0.5, 0.25, -0.5])))
                found = lib.CollisionResult()
                count = lib.collide(a, b, lib.CollisionRequest(num_max_contacts=5, enable_contact=True), found)
                assert (count > 0) == found.is_collision and len(found.contacts) == count <= 5
                met.append(found.is_collision)
                apart.append(lib.distance(a, b, lib.DistanceRequest(True), lib.DistanceResult()))
            if met[0] != met[1]:
                # FCL sees no inside.
                assert met[1] and kt.relation(pairs[1][1]._geometry.body, pairs[1][2]._geometry.body, [0.5, 0.25, -0.5, 0, 0, 0, 1], pose_a=row).name == "contained"
                continue
            hits += met[1]
            if not met[1]:
                assert apart[1] == pytest.approx(apart[0], rel=1e-4, abs=1e-4)
    assert 40 < hits < 200


def test_a_manager_hands_pairs_to_callbacks():
    objects = [own.CollisionObject(own.Sphere(1), own.Transform([1.5 * k, 0, 0])) for k in range(6)]
    manager = own.DynamicAABBTreeCollisionManager()
    manager.registerObjects(objects)
    manager.setup()
    data = own.CollisionData(own.CollisionRequest(num_max_contacts=100))
    manager.collide(data, own.defaultCollisionCallback)
    assert data.result.is_collision and len(data.result.contacts) == 5
    least = own.DistanceData()
    manager.distance(own.CollisionObject(own.Sphere(1), own.Transform([0, 5, 0])), least, own.defaultDistanceCallback)
    assert least.result.min_distance == pytest.approx(3)
    manager.unregisterObject(objects[0])
    assert manager.size() == 5 and not manager.empty()


def test_moving_objects_meet_in_time():
    a = own.CollisionObject(own.Box(2, 2, 2), own.Transform())
    b = own.CollisionObject(own.Box(2, 2, 2), own.Transform([4, 0, 0]))
    found = own.ContinuousCollisionResult()
    time = own.continuousCollide(a, own.Transform(), b, own.Transform(), own.ContinuousCollisionRequest(), found)
    assert found.is_collide and time == found.time_of_contact and time <= 0.5 and time == pytest.approx(0.5, abs=1e-3)
    away = own.ContinuousCollisionResult()
    assert own.continuousCollide(a, own.Transform(), b, own.Transform([9, 0, 0]), None, away) == 1 and not away.is_collide


def test_trimesh_says_the_same():
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("fcl")
    from trimesh.collision import CollisionManager as Theirs

    shapes = [trimesh.Trimesh(*ball(8, r, 0.2), process=False) for r in (1, 0.7, 0.5)]
    outcomes = set()
    for rows in poses(90, 2.2).reshape(30, 3, 7):
        theirs, ours = Theirs(), CollisionManager()
        for k, (shape, row) in enumerate(zip(shapes, rows)):
            tf = np.eye(4)
            tf[:3, :3], tf[:3, 3] = own.Transform(turned(row)[0]).getRotation(), row[:3]
            theirs.add_object(f"{k}", shape, tf)
            ours.add_object(f"{k}", shape, tf)
        met, names = ours.in_collision_internal(return_names=True)
        said, told = theirs.in_collision_internal(return_names=True)
        # Trimesh sees no inside: what it finds is found.
        assert told <= names and said <= met
        outcomes.add(met)
        if not met:
            least, pair, data = ours.min_distance_internal(return_names=True, return_data=True)
            assert least == pytest.approx(theirs.min_distance_internal(), rel=1e-5, abs=1e-6) and data.distance == least and data.names == set(pair)
            between = np.linalg.norm(data.point(pair[0]) - data.point(pair[1]))
            assert between == pytest.approx(least, rel=1e-9)
        else:
            _, contacts = ours.in_collision_internal(return_data=True)
            assert contacts and all(one.depth >= 0 and len(one.names) == 2 for one in contacts)
    assert outcomes == {True, False}


def test_a_single_body_is_asked_against_a_manager(knobbly, small):
    manager = CollisionManager()
    manager.add_object("big", knobbly)
    far = [5, 0, 0, 0, 0, 0, 1]
    assert manager.in_collision_single(small, far, return_names=True) == (False, set())
    assert manager.in_collision_single(small, return_names=True) == (True, {"big"})
    least, name, data = manager.min_distance_single(small, far, return_name=True, return_data=True)
    assert name == "big" and least == float(kt.distance(knobbly, small, far)) and data.names == {"big", "__external"}
    other = CollisionManager()
    other.add_object("small", small, far)
    assert manager.min_distance_other(other, return_names=True) == (least, ("big", "small"))
    assert not manager.in_collision_other(other)
    with pytest.raises(ValueError, match="transform"):
        manager.set_transform("big", np.eye(3))
