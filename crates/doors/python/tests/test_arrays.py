"""Arrays of every kind are taken, and what is wrong is named."""

import multiprocessing
import pickle
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import ball, poses
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import kontakt as kt


def test_layouts_and_types_do_not_matter(knobbly, small):
    asked = poses(300, 2).astype(np.float32).astype(np.float64)
    asked[:, 3:] /= np.linalg.norm(asked[:, 3:], axis=1)[:, None]
    asked = asked.astype(np.float32)
    expected = kt.contact(knobbly, small, asked.astype(np.float64))
    frozen = asked.astype(np.float64)
    frozen.flags.writeable = False
    wide = np.zeros((300, 14))
    wide[:, ::2] = asked
    big_endian, fortran = asked.astype(">f8"), np.asfortranarray(asked.astype(np.float64))
    for given in (asked, asked.tolist(), frozen, wide[:, ::2], fortran, np.asfortranarray(asked), big_endian):
        found = kt.contact(knobbly, small, given)
        assert found.dtype == bool and np.array_equal(found, expected)
    assert np.array_equal(kt.contact(knobbly, small, asked[::-1]), expected[::-1])
    assert 20 < expected.sum() < 280
    matrices = np.asfortranarray(np.tile(np.eye(4), (5, 1, 1)))
    matrices[:, 0, 3] = 9
    assert not kt.contact(knobbly, small, matrices).any()


def test_the_order_of_fortran_is_not_taken_for_that_of_c(small):
    # A slice of such an array has its columns one after the other: read as rows, they made another mesh without a word.
    vertices, faces = small.vertices, small.faces
    again = kt.Mesh(np.asfortranarray(vertices), np.asfortranarray(faces.astype(np.float64)))
    assert np.array_equal(again.vertices, vertices) and np.array_equal(again.faces, faces)


def test_faces_of_every_type():
    vertices, faces = ball(5)
    for kind in (np.int8, np.uint16, np.int32, np.int64, np.float64):
        assert len(kt.Mesh(vertices.astype(np.float32), faces.astype(kind)).faces) == len(faces)
    class Other:
        pass
    other = Other()
    other.vertices, other.faces = vertices, faces
    assert repr(kt.Mesh(other, name="x")) == f"Mesh(\"x\", {len(vertices)} vertices, {len(faces)} faces, closed)"


@pytest.mark.parametrize(
    "vertices, faces, said",
    [
        ([[0, 0, 0], [1, 0, np.nan]], [[0, 1, 0]], r"vertices\[1, 2\] is NaN"),
        ([[0, 0, 0]], [[0, 0, 1]], r"faces\[0, 2\] is 1, no index of the 1 vertices"),
        ([[0, 0, 0]], [[0, 0, -1]], r"faces\[0, 2\] is -1"),
        ([[0, 0, 0]], [[0, 0, 0.5]], r"faces\[0, 2\] is 0.5"),
        (np.zeros((0, 3)), [[0, 0, 0]], "vertices: empty"),
        ([[0, 0, 0]], np.zeros((0, 3)), "faces: empty"),
        ([[0, 0]], [[0, 0, 0]], r"vertices: shape \(1, 2\)"),
        ([0, 0, 0], [[0, 0, 0]], r"vertices: shape \(3,\)"),
        ([["a", 0, 0]], [[0, 0, 0]], "vertices: no array of numbers"),
    ],
)
def test_what_is_wrong_with_a_mesh_is_named(vertices, faces, said):
    with pytest.raises(ValueError, match=said):
        kt.Mesh(vertices, faces)


def test_what_is_wrong_with_a_pose_is_named(small):
    many = poses(5, 1)
    many[3, 1] = np.inf
    matrices = np.tile(np.eye(4), (2, 1, 1))
    matrices[1, 0, 3] = np.nan
    flat = poses(5, 1)
    flat[4, 3:] = 0
    named = (
        (many, r"pose\[3, 1\] is inf"), (many[3], r"pose\[1\] is inf"), (matrices, r"pose\[1, 0, 3\] is NaN"),
        (matrices[1], r"pose\[0, 3\] is NaN"), (flat, r"pose\[4\]: quaternion"),
    )
    for pose, said in named + ((np.eye(3), r"shape \(3, 3\)"), (2 * np.eye(4), "last row"), ([0] * 7, "length 0")):
        with pytest.raises(ValueError, match=said):
            kt.contact(small, small, pose)
    assert kt.contact(small, small, np.zeros((0, 7))).shape == (0,)
    with pytest.raises(TypeError):
        kt.contact(small, "small")


@given(arrays.arrays(st.sampled_from([np.float32, np.float64, np.int16]), arrays.array_shapes(max_dims=3, max_side=8)))
def test_any_array_is_a_pose_or_a_value_error(given):
    box = kt.convex.box([1, 1, 1])
    try:
        found = kt.contact(box, box, given)
    except ValueError as error:
        assert "pose" in str(error)
    else:
        assert np.shape(found) == (() if given.shape in ((7,), (4, 4)) else given.shape[:1])


def test_what_is_wrong_with_a_shape_is_named():
    for make, said in (
        (lambda: kt.convex.box([1, -1, 1]), "^a half extent of a box is -1"),
        (lambda: kt.convex.hull(np.zeros((0, 3))), "^no points"),
        (lambda: kt.convex.box([1, 1]), "2 numbers where 3"),
    ):
        with pytest.raises(ValueError, match=said):
            make()


def test_rows_of_a_batch_are_the_answers_of_single_poses(knobbly, small):
    asked = poses(20, 3)
    batch = kt.distance(knobbly, small, asked)
    assert list(batch) == [kt.distance(knobbly, small, pose) for pose in asked]
    assert batch[-1] == batch[19] != batch[0] and batch[0].point_a.tolist() == batch.point_a[0].tolist()
    ball = kt.distance(knobbly, kt.convex.sphere(1), asked)
    assert ball[3].face_b is None and ball[3].face_a == ball.face_a[3]
    for row in (20, -21):
        with pytest.raises(IndexError, match="of 20"):
            batch[row]


def test_a_pose_as_matrix_and_as_numbers_agree(knobbly, small):
    shift = poses(200, 2.5)
    shift[:, 3:] = [0, 0, 0, 1]
    matrices = np.tile(np.eye(4), (200, 1, 1))
    matrices[:, :3, 3] = shift[:, :3]
    a, b = kt.distance(knobbly, small, shift), kt.distance(knobbly, small, matrices)
    assert np.array_equal(a.lo, b.lo) and np.array_equal(a.hi, b.hi)


def test_threads_that_share_a_mesh_get_the_answers_of_one(knobbly, small):
    asked = poses(400, 2.5)
    alone = [(d.lo, d.hi) for d in (kt.distance(knobbly, small, pose) for pose in asked)]
    batch = kt.distance(knobbly, small, asked)
    assert alone == list(zip(batch.lo, batch.hi))
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: kt.distance(knobbly, small, asked), range(16)):
            assert np.array_equal(found.lo, batch.lo) and np.array_equal(found.hi, batch.hi)
        singles = pool.map(lambda pose: kt.distance(knobbly, small, pose), asked)
        assert alone == [(d.lo, d.hi) for d in singles]


@pytest.mark.parametrize("workers", ["fork", "spawn"])
def test_processes_of_a_pool_answer_as_well(knobbly, small, workers):
    # A forked process has no threads but its own: rayon's pool of the parent is not there, and waiting for it would take for ever.
    asked = poses(300, 2.5)
    batch = kt.distance(knobbly, small, asked)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(workers)) as pool:
        for lo, check in pool.map(ask_far_away, [(knobbly, small, asked)] * 3, timeout=60):
            assert np.array_equal(lo, batch.lo) and check == kt.check([knobbly, small]).pairs


def ask_far_away(given):
    knobbly, small, asked = given
    return kt.distance(knobbly, small, asked).lo, kt.check([knobbly, small]).pairs


def test_other_threads_run_while_one_asks(knobbly, small):
    asked = poses(4000, 1.5)
    steps, done = [0], threading.Event()

    def count():
        while not done.is_set():
            steps[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = steps[0]
    kt.distance(knobbly, small, asked)
    after = steps[0]
    done.set()
    other.join()
    # With the interpreter's lock held, the other thread would not have come to a single step.
    assert after - before > 100


def test_every_answer_comes_back_from_a_pickle(knobbly, small):
    again = pickle.loads(pickle.dumps(knobbly))
    assert np.array_equal(again.vertices, knobbly.vertices) and np.array_equal(again.faces, knobbly.faces)
    batch = kt.distance(knobbly, small, poses(20, 3))
    copy = pickle.loads(pickle.dumps(batch))
    for key in ("lo", "hi", "point_a", "point_b", "face_a", "face_b"):
        assert np.array_equal(getattr(copy, key), getattr(batch, key))
    assert len(copy) == 20
    d = kt.distance(knobbly, kt.convex.sphere(1), [4, 0, 0, 0, 0, 0, 1])
    copy = pickle.loads(pickle.dumps(d))
    assert (copy.lo, copy.hi, copy.face_a, copy.face_b) == (d.lo, d.hi, d.face_a, None)
    for name in ("separate", "overlapping", "contained"):
        at = {"separate": 5.0, "overlapping": 1.0, "contained": 0.0}[name]
        found = kt.relation(knobbly, small, [at, 0, 0, 0, 0, 0, 1])
        assert found.name == name and pickle.loads(pickle.dumps(found)) == found
    for contact in kt.contacts(knobbly, small, [1, 0, 0, 0, 0, 0, 1]):
        assert pickle.loads(pickle.dumps(contact)) == contact
    for end in (0.0, 9.0):
        hit = kt.impact(knobbly, small, start_b=[8, 0, 0, 0, 0, 0, 1], end_b=[end, 0, 0, 0, 0, 0, 1])
        assert pickle.loads(pickle.dumps(hit)) == hit
    assert hit.verdict == "free" and hit.point is None and hit.features is None
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [9, 9, 1], [9, 8, 1]])
    x1 = x0.copy()
    x1[3, 2] = -1
    hits = kt.ccd(x0, x1, [[0, 1, 2], [3, 4, 5]])
    copy = pickle.loads(pickle.dumps(hits))
    assert len(copy) == len(hits) > 0 and np.array_equal(copy.vertices, hits.vertices) and np.array_equal(copy.t_lo, hits.t_lo)
    assert pickle.loads(pickle.dumps(kt.Range(1, 2))) == kt.Range(1, 2)
    assert pickle.loads(pickle.dumps(kt.convex.cone(1, 2))).json == kt.convex.cone(1, 2).json
    report = kt.check([knobbly, small])
    assert pickle.loads(pickle.dumps(report)) == report


def test_both_bodies_may_have_poses(knobbly, small):
    of_a, of_b = poses(100, 1, seed=3), poses(100, 2, seed=4)
    both = kt.distance(knobbly, small, of_b, pose_a=of_a)
    for k in range(100):
        one = kt.distance(knobbly, small, of_b[k], pose_a=of_a[k])
        assert (one.lo, one.hi) == (both.lo[k], both.hi[k])
    fixed = kt.contact(knobbly, small, of_b, pose_a=of_a[0])
    assert fixed.tolist() == [kt.contact(knobbly, small, b, pose_a=of_a[0]) for b in of_b]
    assert kt.contact(knobbly, small, of_b[0], pose_a=of_a).shape == (100,)
    with pytest.raises(ValueError, match="pose_a has 99 poses where pose has 100"):
        kt.contact(knobbly, small, of_b, pose_a=of_a[:99])


def test_a_limit_is_kept_or_not(knobbly, small):
    asked = poses(200, 3)
    d = kt.distance(knobbly, small, asked)
    found = kt.within(knobbly, small, 0.5, asked)
    assert found.dtype == np.int8 and ((found == 1) | (d.hi > 0.5)).all() and ((found == 0) | (d.lo <= 0.5)).all()
    assert 10 < (found == 1).sum() < 190 and [kt.within(knobbly, small, 0.5, pose) for pose in asked[:50]] == (found[:50] == 1).tolist()
    for bad in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="limit is"):
            kt.within(knobbly, small, bad)


@pytest.mark.parametrize(
    "ask, said",
    [
        (lambda box: kt.convex.box([1, np.nan, 1]), r"half\[1\] is not finite"),
        (lambda box: kt.convex.box([1, 1]), "half"),
        (lambda box: kt.convex.sphere(-1), "radius"),
        (lambda box: kt.convex.hull(np.zeros((0, 3))), "point"),
        (lambda box: kt.convex.hull([["a"]]), "points: no array of numbers"),
        (lambda box: kt.bound([[0, 0, np.inf]]), r"points\[0, 2\] is inf"),
        (lambda box: kt.bound([[0, 0, 0]], "ball"), "volume is .ball.; known: .*sphere"),
        (lambda box: kt.ccd([[0, 0, 0]], [[0, 0]], [[0, 0, 0]]), r"x1: shape \(1, 2\)"),
        (lambda box: kt.ccd([[0, 0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0, 0]]), "x1 has 2 rows where x0 has 1"),
        (lambda box: kt.impact(box, box, interpolate="hermite"), "known: slerp"),
        (lambda box: kt.impact(box, box, start_a=[0] * 6), r"start_a: shape \(6,\)"),
        (lambda box: kt.impact(box, box, tolerance=0), "tolerance is 0"),
        (lambda box: kt.path(box, [0, 0, 0, 0, 0, 0, 1], {"wall": box}), "motion: one pose"),
        (lambda box: kt.path(box, np.zeros((2, 7)), {"wall": box}), r"motion\[0\]"),
        (lambda box: kt.path(box, [[0, 0, 0, 0, 0, 0, 1]] * 2, {"wall": box}, times=[1, 1]), "motion"),
        (lambda box: kt.check([box, box], clearance=-1), "clearance is -1"),
        (lambda box: kt.check([box, box], allow={"part0:part1": -1}), "allow: "),
        (lambda box: kt.check([box, box], deviation="some"), "deviation is"),
        (lambda box: kt.check([box, box], time_limit=-1), "time_limit is -1"),
        (lambda box: kt.relation(box, box, [[0, 0, 0, 0, 0, 0, 1]]), "pose: 1 poses where one is needed"),
        (lambda box: kt.contact(box, box, {"x": 1}), "pose: no array of numbers"),
        (lambda box: kt.contact(box, box, np.array([1j] * 7)), "pose"),
    ],
)
def test_what_is_wrong_with_a_question_is_named(ask, said):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=said):
            ask(kt.convex.box([1, 1, 1]))


def test_curved_shapes_have_no_triangles():
    with pytest.raises(ValueError, match="a is a curved shape"):
        kt.pairs(kt.convex.sphere(1), kt.convex.box([1, 1, 1]))


def test_a_manager_finds_what_the_questions_find(knobbly, small):
    from kontakt.trimesh import CollisionManager

    manager = CollisionManager()
    manager.add_object("big", knobbly)
    at = np.eye(4)
    hits = 0
    for x in np.linspace(0, 3, 13):
        at[0, 3] = x
        manager.add_object("small", small, at)
        met, names = manager.in_collision_internal(return_names=True)
        assert met == kt.contact(knobbly, small, at) and names == ({("big", "small")} if met else set())
        assert manager.min_distance_internal() == float(kt.distance(knobbly, small, at))
        hits += met
    assert 2 < hits < 11
    manager.remove_object("small")
    with pytest.raises(ValueError):
        manager.set_transform("small", at)
