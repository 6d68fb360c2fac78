"""The scenes with a hand. Run:  blender -b -P hands.py -- palm|inhand [--pct 40] [--spp 48] [--res .1]"""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scenes import *
from hand import *

RES = arg("--res", .06)


def depth_oil_mat(k_abs=(.55, 2.3, 7.5), wet_rough=0.0):
    """like oil_pool_mat, for oil on a curved ground: `depth` of each point is kept with the mesh"""
    k = N("oil_on_skin"); lp = k.n("ShaderNodeLightPath"); geo = k.n("ShaderNodeNewGeometry"); at = k.n("ShaderNodeAttribute", attribute_name="depth")
    h = k.math("MAXIMUM", at.outputs["Fac"], 0.0); T = k.expabs(k_abs, h)
    rf = k.n("ShaderNodeBsdfRefraction", distribution="SHARP"); k.set(rf.inputs["Color"], k.mix(geo.outputs["Backfacing"], T, (1, 1, 1, 1))); rf.inputs["IOR"].default_value = NL
    gl = k.n("ShaderNodeBsdfGlossy", distribution="SHARP"); fr = k.n("ShaderNodeFresnel"); fr.inputs["IOR"].default_value = NL
    g = k.n("ShaderNodeMixShader"); k.set(g.inputs[0], fr.outputs[0]); k.set(g.inputs[1], rf.outputs[0]); k.set(g.inputs[2], gl.outputs[0])
    t = k.n("ShaderNodeBsdfTransparent"); k.set(t.inputs[0], T)
    f = k.math("MAXIMUM", lp.outputs["Is Shadow Ray"], lp.outputs["Is Diffuse Ray"])
    mx = k.n("ShaderNodeMixShader"); k.set(mx.inputs[0], f); k.set(mx.inputs[1], g.outputs[0]); k.set(mx.inputs[2], t.outputs[0])
    return k.done(mx.outputs[0])


def blur(a, n):
    for _ in range(n):
        p = np.pad(a, 1, "edge"); a = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + 4 * p[1:-1, 1:-1]) / 8
    return a


def palm_pool(F, d, level, centre, radius, mat, mirror, zmax=2.4, step=.04):
    """oil in the hollow of a palm: level, with a rounded rim where it meets the skin"""
    Z = np.arange(F.n[2]) * F.res + F.lo[2]; nk = int((zmax - F.lo[2]) / F.res); dd = d[:, :, :nk]
    ins = dd < 0; has = ins.any(2); top = nk - 1 - np.argmax(ins[:, :, ::-1], 2); top = np.clip(top, 0, nk - 2)
    i, j = np.indices(top.shape); a = dd[i, j, top]; b = dd[i, j, top + 1]; t = np.clip(a / np.where(a == b, 1, a - b), 0, 1)
    zh = np.where(has, Z[top] + t * F.res, level + 2); zh = blur(zh, int(1.0 / F.res))
    xs = np.arange(centre[0] - radius[0] - .6, centre[0] + radius[0] + .6, step); ys = np.arange(centre[1] - radius[1] - .6, centre[1] + radius[1] + .6, step)
    gx, gy = np.meshgrid(xs, ys, indexing="ij")
    fx = (gx - F.lo[0]) / F.res; fy = (gy - F.lo[1]) / F.res; ix = np.clip(fx.astype(int), 0, zh.shape[0] - 2); iy = np.clip(fy.astype(int), 0, zh.shape[1] - 2); tx, ty = fx - ix, fy - iy
    h = zh[ix, iy] * (1 - tx) * (1 - ty) + zh[ix + 1, iy] * tx * (1 - ty) + zh[ix, iy + 1] * (1 - tx) * ty + zh[ix + 1, iy + 1] * tx * ty
    # what is deep enough, within an oval, so that it does not run between the fingers
    oval = (1 - np.sqrt(((gx - centre[0]) / radius[0]) ** 2 + ((gy - centre[1]) / radius[1]) ** 2)) * .9
    dep = smin(level - h, oval, .25)
    z = np.where(dep > 0, h + dep + .15 * (1 - np.exp(-np.maximum(dep, 0) / .07)), h + dep * 1.2)
    z = blur(z, 2); keep = dep > -.12; num = np.full(keep.shape, -1); num[keep] = np.arange(keep.sum())
    q = np.stack([num[:-1, :-1], num[1:, :-1], num[1:, 1:], num[:-1, 1:]], -1).reshape(-1, 4); q = q[(q >= 0).all(1)]
    P = np.stack([gx, gy, z], -1)[keep]; s = -1 if mirror else 1; P[:, 0] *= s
    if mirror: q = q[:, ::-1]
    o = to_object("palm_oil", P, q, mat); at = o.data.attributes.new("depth", "FLOAT", "POINT"); at.data.foreach_set("value", np.maximum(z - h, 0)[keep].astype(np.float32))
    return o


def place(objs, M):
    root = link(bpy.data.objects.new("hand_root", None))
    for o in objs: o.parent = root
    root.matrix_world = M; return root


def palm():
    reset(); world(srgb("#ffeedd"), .40); m = standard_mats((.85, 2.5, 7.0))
    o = backdrop(plaster_mat("#e4d8c3", .25, .05), y=40, radius=14); o.location.z = -9.0
    mir = arg("--mirror", 0) == 1
    hand, F, d, g = make_hand((skin_mat("#7b4b33", "#a8745a", "#8c4738", "#623a24", .12), nail_mat("#b58872")), OPEN, RES, arg("--arm", 13.0), mir, lambda P: np.exp(-(np.hypot(P[:, 0] / 2.6, (P[:, 1] - 6) / 3.6)) ** 4) * (P[:, 2] > 0))
    pool = palm_pool(F, d, 1.0, (0.05, 5.35), (2.25, 2.75), depth_oil_mat((.6, 2.3, 7.5)), mir)
    root = place([hand, pool], Matrix.Rotation(math.radians(arg("--rz", 62.0)), 4, "Z"))
    c = root.matrix_world @ Vector((0.05 * (-1 if mir else 1), 5.7, 1.05))
    make_dropper(Matrix.Translation((c.x, c.y, c.z)), m, zb=2.75, oil_top=5.95, drop_len=.98, drop_r=.36)
    gm = gobo_mat(); S = (-40, -26, 44)
    gobo_aim((24, 40, 22), (-2, 40, 8), S, 40, gm, 4); gobo_aim((-16, 40, 26), (4, 40, 16), S, 40, gm, 6)
    sun(S, 3.4, "#ffe5c6", 1.4)
    area((26, -16, 24), (0, 0, 1), 14, 2300, "#ffeede", 20)
    area((-12, 30, 22), (0, 0, 2), 5, 1500, "#fff0dc", 9, glossy=False); area((-9, 31, 24), (0, 0, 2), 1.4, 220, "#fff0dc", 3.2, diffuse=False)
    area((-16, -14, 6), (c.x, c.y, 4), 3.5, 500, "#fff2e0", 16, diffuse=False)
    camera((-4, -48, 30), (arg("--tx", -4.6), 0, arg("--tz", 2.6)), arg("--lens", 100.0), 15, (c.x, c.y - 1, 1.3))
    return dict(w=1600, h=1600, spp=44, exposure=.2)


def rest(F, d, axis, at, r, lo, hi, press=.05):
    """how high a cylinder of radius r, lying along `axis` (seen from above) through `at`, must be so that it rests on the hand; tilts to touch at both ends"""
    best = None
    for tilt in np.radians(np.arange(-6, 24, 1.0)):
        u = np.array([axis[0] * math.cos(tilt), axis[1] * math.cos(tilt), math.sin(tilt)]); sd = np.array([-axis[1], axis[0], 0]); up = np.cross(u, sd) * -1
        if up[2] < 0: up = -up
        a = np.radians(np.arange(-100, 101, 5.0)); L = np.arange(lo, hi, .2)
        S = (L[:, None, None] * u + r * (np.sin(a)[None, :, None] * sd - np.cos(a)[None, :, None] * up)).reshape(-1, 3) + np.array([at[0], at[1], 0])
        h0, h1 = 0.0, 8.0
        for _ in range(18):
            h = (h0 + h1) / 2; q = np.rint((S + [0, 0, h] - F.lo) / F.res).astype(int); ok = ((q >= 0) & (q < F.n)).all(1); m = d[q[ok, 0], q[ok, 1], q[ok, 2]].min() if ok.any() else 9
            if m < -press: h0 = h
            else: h1 = h
        q = np.rint((S + [0, 0, h1] - F.lo) / F.res).astype(int); ok = ((q >= 0) & (q < F.n)).all(1); near = (d[q[ok, 0], q[ok, 1], q[ok, 2]] < .12).sum()
        if best is None or near > best[0]: best = (near, h1, u, tilt)
    print("REST", best); return best[1], best[2]


def inhand():
    reset(); world(srgb("#ffeedd"), .42); m = standard_mats()
    mir = arg("--mirror", 0) == 1
    plane("floor", 260, 260, (0, 0, -7), plaster_mat("#e2d6c1", .3, .05))
    hand, F, d, g = make_hand((skin_mat("#7b4b33", "#a8745a", "#8c4738", "#623a24", .12), nail_mat("#b58872")), HOLD, RES, arg("--arm", 14.0), mir)
    an = math.radians(arg("--lean", 4.0)); ax = np.array([math.sin(an), math.cos(an)]); at = (arg("--bx", .35), arg("--by", 6.2))
    h, u = rest(F, d, ax, at, R, -5.0, 2.2)
    sd = np.array([u[1], -u[0], 0]); sd /= np.linalg.norm(sd); yy = np.cross(u, sd)         # bottle: x = sd, y = away from the label, z = u
    base = np.array([at[0], at[1], h]) - u * 5.0
    M = Matrix(((sd[0], yy[0], u[0], base[0]), (sd[1], yy[1], u[1], base[1]), (sd[2], yy[2], u[2], base[2]), (0, 0, 0, 1)))
    if yy[2] > 0: M = M @ Matrix.Rotation(math.pi, 4, "Z")
    W = Matrix.Rotation(math.radians(arg("--rz", 24.0)), 4, "Z")
    if mir: M = Matrix.Diagonal((-1, 1, 1, 1)) @ M @ Matrix.Diagonal((-1, 1, 1, 1))
    root = place([hand], W); B = W @ M; mid = B @ Vector((0, 0, 4))
    make_bottle(B @ Matrix.Rotation(math.radians(arg("--turn", 0.0)), 4, "Z"), m, plane=((mid.x, mid.y, mid.z + 1.0), (0, 0, 1)))
    gm = gobo_mat(); S = (-30, 22, 44)
    for i, (p, q, dd) in enumerate((((30, 21, -7), (11.0, 11.0, -7), 34), ((30, 4, -7), (13, -5, -7), 38), ((-26, -4, -7), (-11, -13, -7), 36))): gobo_aim(p, q, S, dd, gm, i + 13)
    sun(S, 3.8, "#ffe8cc", 1.2)
    area((22, 26, 30), (0, 4, 0), 14, 3600, "#fff2e0", 12); area((-22, -16, 26), (0, 4, 0), 14, 1900, "#fff2e0", 14)
    glow_card((10, 30, 40), 17, 11, "#fff3df", 6.0, True, (-32, 0, 0))
    c = W @ Vector((0, 6.0, 2)); camera((c.x + arg("--dx", .5), -36 + c.y, 52), (c.x + arg("--dx", .5), c.y + arg("--dy", .3), 1.6), arg("--lens", 100.0), 18, (mid.x, mid.y, mid.z + 1.9))
    return dict(w=1600, h=1600, spp=44, exposure=.18)


if __name__ == "__main__": draw(dict(palm=palm, inhand=inhand))
