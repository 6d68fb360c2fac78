"""Hair with drops of oil. Run:  blender -b -P hair.py -- hair [--pct 40] [--n 9000]"""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scenes import *



def hair_mat(melanin=.86, red=.55, rough=.22):
    k = N("hair"); h = k.n("ShaderNodeBsdfHairPrincipled"); h.parametrization = "MELANIN"
    for key, val in (("Melanin", melanin), ("Melanin Redness", red), ("Roughness", rough), ("Radial Roughness", .30), ("Coat", .0), ("IOR", 1.55), ("Random Color", .18), ("Random Roughness", .25)):
        if key in h.inputs: h.inputs[key].default_value = val
    return k.done(h.outputs[0])


def strands(name, mat, lines, radius):
    """lines: (count, points, 3) in cm; drawn as true hair by way of a node tree that reads a curve object"""
    n, m, _ = lines.shape
    cu = bpy.data.curves.new(name + "_src", "CURVE"); cu.dimensions = "3D"
    for ln in lines:
        sp = cu.splines.new("POLY"); sp.points.add(m - 1)
        sp.points.foreach_set("co", np.concatenate([ln, np.ones((m, 1))], 1).astype(np.float32).ravel())
    src = link(bpy.data.objects.new(name + "_src", cu)); src.hide_render = True
    hc = bpy.data.hair_curves.new(name); ho = link(bpy.data.objects.new(name, hc)); hc.materials.append(mat)
    t = bpy.data.node_groups.new(name, "GeometryNodeTree"); t.outputs.new("NodeSocketGeometry", "Geometry")
    oi = t.nodes.new("GeometryNodeObjectInfo"); oi.inputs[0].default_value = src; oi.transform_space = "ORIGINAL"
    sp = t.nodes.new("GeometryNodeSplineParameter"); mr = t.nodes.new("ShaderNodeMapRange")
    mr.inputs[1].default_value, mr.inputs[2].default_value, mr.inputs[3].default_value, mr.inputs[4].default_value = .75, 1.0, radius, radius * .25
    t.links.new(sp.outputs["Factor"], mr.inputs[0])
    sr = t.nodes.new("GeometryNodeSetCurveRadius"); t.links.new(oi.outputs["Geometry"], sr.inputs[0]); t.links.new(mr.outputs[0], sr.inputs["Radius"])
    sm = t.nodes.new("GeometryNodeSetMaterial"); sm.inputs["Material"].default_value = mat; t.links.new(sr.outputs[0], sm.inputs[0])
    go = t.nodes.new("NodeGroupOutput"); t.links.new(sm.outputs[0], go.inputs[0])
    md = ho.modifiers.new("strands", "NODES"); md.node_group = t
    return ho


def spine(t):
    """the way of the lock: a slow S from the top left to the bottom right"""
    x = -6.4 + 12.8 * t; y = 4.6 - 9.2 * t + 1.15 * np.sin(2 * math.pi * (t * 1.05 + .02))
    return np.stack([x, 0 * t, y], -1)


def lock(groups, pts=90, seed=1):
    """groups: (count, place across, spread, depth, wave, phase); returns the hairs of all"""
    rnd = np.random.RandomState(seed); t = np.linspace(-.04, 1.04, pts); c = spine(t); d = np.gradient(c, axis=0); d /= np.linalg.norm(d, axis=1, keepdims=True)
    side = np.stack([-d[:, 2], 0 * t, d[:, 0]], -1); out = []
    for n, place, spread, depth, wave, ph in groups:
        u = rnd.normal(0, 1, n).clip(-1.8, 1.8); w = rnd.normal(0, 1, n).clip(-1.8, 1.8); drift = rnd.normal(0, .11, n)
        waist = .62 + .38 * np.cos(2 * math.pi * (t * .9 + ph))                # hairs of one strand draw together and part again
        turn = 1.3 * math.pi * t + ph * 5
        uu = u[:, None] * np.cos(turn) + w[:, None] * np.sin(turn); ww = w[:, None] * np.cos(turn) - u[:, None] * np.sin(turn)
        off = place + wave * np.sin(2 * math.pi * (t * 1.25 + ph)) + spread * uu * waist + drift[:, None] * (t - .5) * 1.2 + .012 * np.sin(2 * math.pi * (4 * t + rnd.rand(n, 1)))
        P = np.repeat(c[None], n, 0) + side[None] * off[..., None]; P[..., 1] += depth + spread * ww * waist + .10 * np.sin(2 * math.pi * (t * .8 + ph))
        out.append(P)
    return out


def bead(mats, P, direction, r, long=1.35):
    """a drop of oil threaded on a hair: drawn out along it, heavier below"""
    prof = smooth_prof([(0, -long * 1.32), (.07, -long * 1.16), (.26, -long * .93), (.62, -long * .58), (.90, -long * .15), (1.0, .22), (.92, long * .56), (.60, long * .86), (.24, long * 1.02), (.06, long * 1.14), (0, long * 1.22)], 7)
    bm = bmesh.new(); revolve(bm, [(max(a, 0) * r, b * r) for a, b in prof], 64); bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-6); bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    o = finish(bm, "bead", mats["oil"]); d = Vector(direction).normalized(); s = Vector((0, 1, 0)).cross(d).normalized(); u = d.cross(s)
    o.matrix_world = Matrix(((s.x, u.x, d.x, P[0]), (s.y, u.y, d.y, P[1] ), (s.z, u.z, d.z, P[2] - r * .12), (0, 0, 0, 1))); return o


def hair():
    s = reset(); world(srgb("#ffeedd"), .55); m = standard_mats((.75, 2.3, 7.2))
    plane("wall", 200, 120, (0, 17, 0), plaster_mat("#e2d3ba", .25, .05), (90, 0, 0))
    q = arg("--n", 1.0)
    back = [(int(n * q), p, sp, dp, wv, ph) for n, p, sp, dp, wv, ph in ((230, -.2, .42, 2.0, .25, .3), (200, 1.35, .36, 2.6, .2, .7), (200, -1.7, .34, 2.4, .25, .1), (150, 2.5, .22, 1.6, .2, .45), (120, -2.75, .2, 1.9, .2, .85))]
    front = [(int(n * q), p, sp, dp, wv, ph) for n, p, sp, dp, wv, ph in ((120, .45, .17, .55, .22, .15), (110, -.75, .15, .7, .2, .62), (70, 1.75, .12, .8, .26, .9), (70, -2.1, .11, .6, .24, .4))]
    loose = [(6, -1.28, .10, .1, .2, .35), (9, .1, .55, -.1, .25, .2), (7, 1.4, .5, .05, .3, .8), (7, -1.6, .5, 0, .3, .55)]
    hm = hair_mat(arg("--mel", .66), .62, .20)
    B = lock(back, seed=2); Fr = lock(front, seed=5); Lo = lock(loose, seed=9)
    strands("lock", hm, np.concatenate(B + Fr), .0125); strands("loose", hm, np.concatenate(Lo), .015)
    d = np.gradient(np.stack([h for h in Lo[0]]), axis=1)
    for g, i, tt, r, lg in ((0, 1, .50, .33, 1.2), (0, 2, .64, .2, 1.3), (0, 4, .37, .17, 1.3), (1, 0, .47, .36, 1.2), (1, 3, .36, .20, 1.3), (1, 5, .60, .25, 1.25), (2, 0, .33, .26, 1.25), (2, 2, .62, .17, 1.3), (2, 4, .50, .13, 1.3), (3, 0, .55, .29, 1.2), (3, 2, .40, .15, 1.3), (3, 4, .72, .18, 1.25), (1, 7, .26, .14, 1.3), (2, 5, .74, .24, 1.25), (1, 6, .76, .15, 1.3)):
        h = Lo[g][i]; k = int(tt * (h.shape[0] - 1)); dr = h[k - 3] - h[k + 3]; bead(m, h[k], dr, r, lg)
    gm = gobo_mat(); S = (-34, -30, 40)
    gobo_aim((12, 17, 8), (-1, 17, 1), S, 40, gm, 4); gobo_aim((-9, 17, 9), (1, 17, 4.5), S, 40, gm, 6)
    sun(S, 3.8, "#ffe5c6", .9)
    area((9, 10, 12), (0, 0, 0), 6, 1500, "#fff0dc", 10)               # from behind, for the shine at the rims
    area((-12, -14, 10), (0, 0, 0), 4, 900, "#fff2e0", 14)
    area((13, -12, 3), (0, 0, 0), 4, 420, "#ffefd8", 14)
    area((0, 14, -2), (0, 0, 0), 9, 500, "#ffe9c8", 12)
    camera((-1.2, -30, 2.0), (0, 0, 0), arg("--lens", 150.0), 13, (0, -.1, 0))
    return dict(w=1600, h=1600, spp=44, exposure=.20)


if __name__ == "__main__": draw(dict(hair=hair))
