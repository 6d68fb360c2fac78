"""The pictures of the pages Contact (`letter`) and FAQ (`answers`), 4:3, on the set of use.py.
Run:  blender -b -P pages.py -- letter|answers [--pct 30] [--spp 20]
Result: build/<scene>.png; grade.py writes the masters."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from use import *
from packing import draw, paper_mat
from workshop import half_mat, make_half


# ------------------------------------------------------------------ stationery
def sheet(name, points, mat, loc, rz, z, thick=.035, lift=0.0, fold=None):
    """a piece of paper in the XY plane; with `fold` (y), what lies beyond it rises by `lift` per unit"""
    bm = bmesh.new(); f = bm.faces.new([bm.verts.new((x, y, 0)) for x, y in points])
    bmesh.ops.triangulate(bm, faces=[f]); bmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=7, use_grid_fill=True)
    for v in bm.verts:
        v.co.z = .05 * noise.noise(Vector((v.co.x * .18, v.co.y * .18, z * 9))) + (lift * max(0, fold - v.co.y) ** 1.4 if fold is not None else 0)
    o = finish(bm, name, mat, autosmooth=40); o.location = (loc[0], loc[1], z); o.rotation_euler[2] = math.radians(rz)
    s = o.modifiers.new("s", "SOLIDIFY"); s.thickness = thick; s.offset = 1
    b = o.modifiers.new("b", "BEVEL"); b.width = .010; b.segments = 2; return o


def rounded(points, r, n=7):
    """the polygon with its corners rounded by r (one number, or one for each corner)"""
    out = []
    for i, p in enumerate(points):
        a, b = Vector(points[i - 1] + (0,)), Vector(points[(i + 1) % len(points)] + (0,)); p = Vector(p + (0,)); q = r[i] if isinstance(r, (list, tuple)) else r
        s, e = p + (a - p).normalized() * q, p + (b - p).normalized() * q
        out += [tuple((s * (1 - t) ** 2 + p * 2 * t * (1 - t) + e * t * t)[:2]) for t in (k / n for k in range(n + 1))]
    return out


def envelope(loc, rz, mat, W=12.0, H=8.2, z=.10):
    """its back: two side flaps, the lower flap over them, the upper one closed over all"""
    w, h = W / 2, H / 2
    sheet("back", rounded([(-w, -h), (w, -h), (w, h), (-w, h)], .16), mat, loc, rz, z, .10)
    for s in (-1, 1): sheet("side", rounded([(s * w, -h), (s * w, h), (s * .9, .0)], (.1, .1, .7)), mat, loc, rz, z + .115)
    sheet("lower", rounded([(-w, -h), (w, -h), (0, .75)], (.1, .1, 1.1)), mat, loc, rz, z + .165)
    sheet("upper", rounded([(-w, h), (0, -1.15), (w, h)], (.1, 1.2, .1)), mat, loc, rz, z + .225, .04, .012, h)


def seal(loc, rz, mat, z, r=1.22):
    """a drop pressed into wax"""
    nu, nv = 60, 120; P = np.zeros((nu, nv, 3))
    for i, u in enumerate(np.linspace(0, 1, nu)):
        for j, a in enumerate(np.linspace(0, 2 * math.pi, nv, endpoint=False)):
            edge = r * (1 + .075 * noise.noise(Vector((math.cos(a) * 1.3, math.sin(a) * 1.3, 4))) + .03 * noise.noise(Vector((math.cos(a) * 3, math.sin(a) * 3, 1))))
            q = u * edge; x, y = q * math.cos(a), q * math.sin(a)
            f = lambda lo, hi, v: (lambda t: t * t * (3 - 2 * t))(min(1, max(0, (v - lo) / (hi - lo))))
            rim = f(.70, .78, u); out_ = math.sqrt(max(0, 1 - max(0, (u - .80) / .20) ** 2))
            hgt = (.15 + .14 * rim) * out_
            k = .30 * math.sqrt(max(0, 1 - ((y + .14) / .30) ** 2)) if y < -.10 else .30 * max(0, 1 - ((y + .10) / .68)) ** .85     # half width of the drop
            if u < .70: hgt += .10 * f(.0, .06, k - abs(x)) - (.05 * f(.0, .03, .022 - abs(x)) if -.40 < y < .22 else 0)
            P[i, j] = (x, y, hgt + .012 * noise.noise(Vector((x * 2, y * 2, 8))))
    o = grid_mesh("seal", P, mat, closed_u=True); o.location = (loc[0], loc[1], z); o.rotation_euler[2] = math.radians(rz); return o


def wax_mat(c="#8c3d20"):
    k = N("wax"); n = k.noise(k.coords(), 3, 4)
    col = k.mix(n, srgb(c), tuple(x * .72 for x in srgb(c)[:3]) + (1,))
    return k.done(k.principled(col, .34, 0, .5, k.bump(n, .06, .02), Subsurface=.04, Subsurface_Radius=(.2, .06, .03), Subsurface_Color=srgb(c)))


def pencil(loc, rz, L=14.5, r=.37):
    """a hexagonal pencil, sharpened by hand"""
    k = N("lacquer"); lac = k.done(k.principled(srgb("#233629"), .3, 0, .5, Clearcoat=.5, Clearcoat_Roughness=.15))
    k = N("lead"); lead = k.done(k.principled(srgb("#2b2724"), .38, 0, .5))
    wood = wood_mat("#c99b68", "#a97a48", "#dcb584"); brass = brass_mat()
    bm = bmesh.new(); rows = []; S = 48
    for x, q, hexed in ((0, .34, 1), (.02, .37, 1), (L - 2.2, .37, 1), (L - 2.1, .345, .6), (L - .55, .115, 0), (L - .55, .112, 0), (L - .02, .03, 0), (L, .004, 0)):
        row = []
        for j in range(S):
            a = 2 * math.pi * j / S; m = (a + math.pi / 6) % (math.pi / 3) - math.pi / 6; f = (math.cos(math.pi / 6) / math.cos(m)) * hexed + (1 - hexed)
            wav = .10 * abs(math.sin(3 * a)) if x == L - 2.2 else 0
            row.append(bm.verts.new((x - wav, q * f * math.cos(a), q * f * math.sin(a))))
        rows.append(row)
    for i, (a, b) in enumerate(zip(rows, rows[1:])):
        for j in range(S):
            f = bm.faces.new((a[j], b[j], b[(j + 1) % S], a[(j + 1) % S])); f.material_index = 0 if i < 2 else 1 if i < 4 else 2
    bm.faces.new(rows[0][::-1])
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    o = finish(bm, "pencil", [lac, wood, lead], autosmooth=28); o.location = (loc[0], loc[1], loc[2] + .33); o.rotation_euler = (math.radians(30), 0, math.radians(rz))
    return o


# ------------------------------------------------------------------ scenes
def near(focus):
    """the camera of use.py, closer"""
    efficient()
    return camera((0, -54, 33), (0, -.7, 3.75), 95, 10, focus)


def letter():
    stage(GOBOS, 63, ("#c9b596", "#a98f6c", "#dccbb0")); m = standard_mats()
    bx, by = 4.3, 3.6
    make_bottle(T(bx, by, 0, -5), m); bottle_light(bx, by)
    loc, rz = (-2.9, -3.5), 12
    sheet("sheet", rounded([(-5.6, -4.0), (5.6, -4.0), (5.6, 4.0), (-5.6, 4.0)], .12), paper_mat("#f4ecdf", .04), (-4.1, .9), -7, .03, .05)
    envelope(loc, rz, paper_mat("#2c4334", .02))
    a = math.radians(rz); seal((loc[0] + .55 * math.sin(a), loc[1] - .55 * math.cos(a)), rz - 4, wax_mat("#b5652c"), .36)
    pencil((4.6, -8.0, 0), 57, 9.2)
    near((-1, -3, .4))
    return dict(w=1200, h=900, spp=32, exposure=.10)


def answers():
    stage(GOBOS, 83); m = standard_mats()
    m2 = glass_mats(); m2.update(label=m["label"], brass=m["brass"], rubber=m["rubber"])
    bx, by = -3.1, 3.6
    make_bottle(T(bx, by, 0, 6), m2, cap=False); bottle_light(bx, by)
    fm = fruit_mats(); cut = half_mat()
    make_fruit((3.9, 3.0, 1.45), (78, 0, 150), fm, 1.62, 41)
    make_fruit((6.9, 1.0, 1.40), (84, 0, 60), fm, 1.54, 44)
    make_half((3.3, -1.4, 0), (-62, -12, -28), fm[0], cut, 1.62, 8)
    # the dropper lies on the stone, its tip towards the drops
    ph, th = math.radians(204), math.asin(.07)
    d = Vector((math.cos(th) * math.cos(ph), math.cos(th) * math.sin(ph), math.sin(th))); x = Vector((-math.sin(ph), math.cos(ph), 0)); y = d.cross(x)
    base = Vector((2.4, -4.9, .35)) - d * 2.2
    make_dropper(Matrix(((x.x, y.x, d.x, base.x), (x.y, y.y, d.y, base.y), (x.z, y.z, d.z, base.z), (0, 0, 0, 1))), standard_mats((.85, 2.5, 7.0)), zb=.95, oil_top=5.2, drop=False)
    drops(((5.3, -4.6, .72), (7.0, -3.8, .46), (6.6, -5.6, .28)), oil_pool_mat(0.0, (1.5, 4.0, 12.0)), 0, 12)
    near((0, -3, .6))
    return dict(w=1200, h=900, spp=32, exposure=.10)


if __name__ == "__main__": draw(dict(letter=letter, answers=answers))
