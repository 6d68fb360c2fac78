"""The carton and the parcel. Run:  blender -b -P packing.py -- box|parcel [--pct 40]"""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scenes import *



def card_mat(name, image, foil=None, base=None, rough=.62):
    """printed board: fine fibres, matt ink, foil that shines. Without `base` the print lies on kraft (alpha)."""
    k = N(name); uvn = k.n("ShaderNodeUVMap", uv_map="UVMap"); v = k.coords(); fib = k.noise(v, 22, 5, .65); fine = k.noise(k.coords((1, 8, 1)), 9, 4)
    def tex(f, cs):
        t = k.n("ShaderNodeTexImage", interpolation="Cubic", extension="CLIP"); t.image = bpy.data.images.load(os.path.join(BUILD, f)); t.image.colorspace_settings.name = cs
        k.t.links.new(uvn.outputs[0], t.inputs[0]); return t
    t = tex(image, "sRGB"); col = t.outputs[0]
    if base is not None: col = k.mix(k.math("MULTIPLY", t.outputs[1], .92), kraft_color(k, base), col)
    col = k.mix(.06, col, k.ramp(fib, [(.35, (.55, .48, .36, 1)), (.65, (1, 1, 1, 1))]), "MULTIPLY"); r, me = rough, 0.0
    if foil:
        fo = tex(foil, "Non-Color").outputs[0]; col = k.mix(fo, col, srgb("#C9A25C")); r = k.math("SUBTRACT", rough, k.math("MULTIPLY", fo, .36)); me = k.math("MULTIPLY", fo, .95)
    return k.done(k.principled(col, r, me, .25, k.bump(k.math("ADD", fib, k.math("MULTIPLY", fine, .5)), .12, .012)))


def kraft_color(k, base):
    v = k.coords(); f1 = k.noise(k.coords((1.2, 7, 1.2)), 3.2, 6, .7); f2 = k.noise(v, 30, 4, .7); big = k.noise(v, .25, 3)
    c = srgb(base); dk = tuple(x * .74 for x in c[:3]) + (1,); lt = tuple(min(1, x * 1.16) for x in c[:3]) + (1,)
    col = k.mix(k.ramp(f1, [(.32, (0, 0, 0)), (.68, (1, 1, 1))]), dk, lt); col = k.mix(.5, col, c)
    return k.mix(.16, col, k.ramp(f2, [(.38, (.5, .38, .26, 1)), (.6, (1, 1, 1, 1))]), "MULTIPLY")


def kraft_mat(base="#b98f62"):
    k = N("kraft"); col = kraft_color(k, base); flute = k.n("ShaderNodeTexWave", wave_type="BANDS", bands_direction="X"); k.set(flute.inputs[0], k.coords((1, 1, 1))); flute.inputs["Scale"].default_value = 1.1
    fib = k.noise(k.coords((1.2, 8, 1.2)), 6, 5, .7)
    return k.done(k.principled(col, .8, 0, .2, k.bump(k.math("ADD", k.math("MULTIPLY", fib, .7), k.math("MULTIPLY", flute.outputs[1], .12)), .22, .03)))


def paper_mat(c="#efe4cf", trans=.25):
    k = N("tissue"); v = k.coords(); f = k.noise(v, 18, 4, .6); col = k.mix(k.ramp(f, [(.3, (0, 0, 0)), (.7, (1, 1, 1))]), srgb(c), tuple(min(1, x * 1.06) for x in srgb(c)[:3]) + (1,))
    p = k.principled(col, .75, 0, .2, k.bump(f, .1, .02)); t = k.n("ShaderNodeBsdfTranslucent"); k.set(t.inputs[0], col); mx = k.n("ShaderNodeMixShader"); mx.inputs[0].default_value = trans
    k.set(mx.inputs[1], p); k.set(mx.inputs[2], t.outputs[0]); return k.done(mx.outputs[0])


def art(name, w, h, mat, M, back=False):
    """a printed face w x h, lying in its XZ plane, seen from -Y"""
    bm = bmesh.new(); uv = bm.loops.layers.uv.new("UVMap"); vs = [bm.verts.new(p) for p in ((-w / 2, 0, 0), (w / 2, 0, 0), (w / 2, 0, h), (-w / 2, 0, h))]
    f = bm.faces.new(vs)
    for l, q in zip(f.loops, ((0, 0), (1, 0), (1, 1), (0, 1))): l[uv].uv = q
    o = finish(bm, name, mat, smooth=False); o.matrix_world = M; return o


def carton(M, w=4.7, h=12.3):
    """the folding box: front towards -Y, one side towards +X, its lid closed"""
    board = N("board"); b = board.noise(board.coords(), 24, 4, .6); bm_ = board.done(board.principled(srgb("#1E3226"), .62, 0, .25, board.bump(b, .1, .012)))
    o = box("carton", (w, w, h), (0, 0, 0), bm_, .06); o.matrix_world = M @ Matrix.Translation((0, 0, h / 2))
    e = .004; f = card_mat("carton_front", "carton.png", "carton_foil.png"); s = card_mat("carton_side", "carton_side.png", "carton_side_foil.png")
    art("front", w - .1, h - .1, f, M @ Matrix.Translation((0, -w / 2 - e, .05)))
    for a in (90, -90): art("side", w - .1, h - .1, s, M @ Matrix.Rotation(math.radians(a), 4, "Z") @ Matrix.Translation((0, -w / 2 - e, .05)))
    # the slit of the lid, and its tongue's cut
    k = N("slit"); d = k.n("ShaderNodeBsdfDiffuse"); k.set(d.inputs[0], (.006, .01, .008, 1)); k.done(d.outputs[0])
    for sx, sy, x, y in ((w - .1, .035, 0, -w / 2 + .06), (.03, w - .2, -w / 2 + .07, 0), (.03, w - .2, w / 2 - .07, 0)):
        p = plane("slit", sx, sy, (0, 0, 0), k.m); p.matrix_world = M @ Matrix.Translation((x, y, h + .003))


def box_scene():
    reset(); world(srgb("#ffeedd"), .36); m = standard_mats()
    plane("wall", 300, 200, (0, 19, 40), plaster_mat("#ddd0bb", .35, .05), (90, 0, 0)); plane("floor", 300, 200, (0, 0, 0), plaster_mat("#d8c9b0", .2, .05))
    disc("plinth", 9.4, 1.5, (1.2, 1.5, 0), travertine_mat("#d6c4a6", "#b09570", "#e8dabf", .9), .14)
    carton(Matrix.Translation((-2.0, 3.2, 1.5)) @ Matrix.Rotation(math.radians(arg("--turn", -24.0)), 4, "Z"))
    make_bottle(T(3.6, -1.6, 1.5, 4), m)
    g = gobo_mat(); S = (-40, -34, 42)
    for i, (p, q, d) in enumerate((((22, 19, 24), (5.2, 19, 11.5), 34), ((25, 19, 10), (10.0, 19, 3.0), 40), ((-18, 19, 27), (-7.0, 19, 16.0), 50))): gobo_aim(p, q, S, d, g, i + 3)
    sun(S, 4.0, "#ffe5c6", .8)
    area((30, -20, 26), (0, 0, 6), 22, 2600, "#ffeede", 30); area((-8, 14, 12), (3, 0, 8), 5, 900, "#fff0dc", 18)
    area((-22, -18, 12), (0, 0, 7), 5, 900, "#fff0dc", 24, diffuse=False)
    flag((13.5, 1, 9), 5, 22, -60); glow_card((4.2, 4.5, 6.5), 6, 12, "#ffd9a0", .7)
    camera((-5, -64, 17.0), (1.0, 0, 6.4), arg("--lens", 108.0), 11, (1, -1.5, 7))
    return dict(w=1600, h=1600, spp=44, exposure=.16)


def crinkle(mat, inside, n, seed, keep_out):
    """crinkled paper strips that fill a box; keep_out moves points away from what lies in it"""
    rnd = np.random.RandomState(seed); bm = bmesh.new(); (x0, x1), (y0, y1), (z0, z1) = inside
    for _ in range(n):
        L = int(rnd.uniform(7, 15)); st = rnd.uniform(.34, .46); w = rnd.uniform(.15, .2)
        p = np.array([rnd.uniform(x0, x1), rnd.uniform(y0, y1), z0 + (z1 - z0) * rnd.beta(3.2, 1.5)]); az = rnd.uniform(0, 6.28); d = np.array([math.cos(az), math.sin(az), rnd.normal(0, .22)]); up = np.array([rnd.normal(0, .5), rnd.normal(0, .5), 1.0]); sd = np.cross(d, up); sd /= np.linalg.norm(sd); up = np.cross(sd, d); prev = None
        for k in range(L):
            az += rnd.normal(0, .16); d = d * .8 + np.array([math.cos(az), math.sin(az), d[2] * .6 - .05]) * .2; q = p + up * (.17 if k % 2 else -.17); c = q.copy()
            c[0] = min(max(c[0], x0 - .3), x1 + .3); c[1] = min(max(c[1], y0 - .3), y1 + .3); a, b = keep_out(c - sd * w), keep_out(c + sd * w)
            row = (bm.verts.new(a), bm.verts.new(b))
            if prev: bm.faces.new((prev[0], prev[1], row[1], row[0]))
            prev = row; p = p + d / np.linalg.norm(d) * st
    return finish(bm, "crinkle", mat, smooth=False)


def parcel():
    reset(); world(srgb("#ffeedd"), .42); m = standard_mats()
    plane("floor", 300, 300, (0, 0, 0), plaster_mat("#ded1bb", .25, .05)); plane("wall", 300, 200, (0, 46, 40), plaster_mat("#ddd0bb", .3, .05), (90, 0, 0))
    kr = kraft_mat(); W, D, H, th = 22.0, 16.0, 6.2, .34
    box("bottom", (W - .1, D - .1, th), (0, 0, th / 2 + .01), kr, .05)
    for sx in (-1, 1): box("wall", (th, D, H), (sx * (W / 2 - th / 2), 0, H / 2), kr, .06)
    for sy in (-1, 1): box("wall", (W - 2 * th, th, H), (0, sy * (D / 2 - th / 2), H / 2), kr, .06)
    # the lid leans back; its inside carries the print
    Lm = Matrix.Translation((0, D / 2 - .1, H)) @ Matrix.Rotation(math.radians(-arg("--lid", 17.0)), 4, "X")
    lid = box("lid", (W, th, 15.6), (0, 0, 0), kr, .06); lid.matrix_world = Lm @ Matrix.Translation((0, th / 2, 7.8))
    art("print", W - .2, (W - .2) * 16 / 24, card_mat("print", "parcel_print.png", None, "#b98f62", .8), Lm @ Matrix.Translation((0, -.012, .5)))
    for sx in (-1, 1):
        fl = box("flap", (th, 2.6, 14.6), (0, 0, 0), kr, .06); fl.matrix_world = Lm @ Matrix.Translation((sx * (W / 2 - .1), 0, 7.9)) @ Matrix.Rotation(math.radians(sx * 12), 4, "Z") @ Matrix.Translation((0, -1.3, 0))
    # the bottle lies in the filling, beside the carton and a card
    an = math.radians(arg("--ang", -14.0)); u = Vector((math.sin(an), math.cos(an), .10)).normalized(); sd = Vector((u.y, -u.x, 0)).normalized(); yy = u.cross(sd)
    if yy.z > 0: sd = -sd; yy = -yy
    b0 = Vector((arg("--bx", 3.0), -5.9, 5.0)); X = yy.cross(u)
    M = Matrix(((X.x, yy.x, u.x, b0.x), (X.y, yy.y, u.y, b0.y), (X.z, yy.z, u.z, b0.z), (0, 0, 0, 1)))
    mid = b0 + u * 4; make_bottle(M, m, plane=((mid.x, mid.y, mid.z + 1.0), (0, 0, 1)))
    ca = math.radians(10); C = Matrix.Translation((-4.6, -5.6, 5.9)) @ Matrix.Rotation(ca, 4, "Z") @ Matrix.Rotation(math.radians(-90 + 4), 4, "X")
    carton(C)
    Ci = C.inverted(); Mi = M.inverted()
    def out(p):
        q = Mi @ Vector(p)
        if -.3 < q.z < 11.8:
            r = math.hypot(q.x, q.y); lim = R + .10 if q.z < 7 else 1.3
            if r < lim:
                f = lim / max(r, .05); p = M @ Vector((q.x * f, q.y * f, q.z))
        q = Ci @ Vector(p)
        if abs(q.x) < 2.5 and abs(q.y) < 2.5 and -.1 < q.z < 12.4:
            q.y = 2.45 + (2.5 - abs(q.x)) * .05
            p = C @ q
        return Vector(p)
    crinkle(paper_mat("#ecdfc6"), ((-W / 2 + .9, W / 2 - .9), (-D / 2 + .9, D / 2 - .9), (.9, 5.3)), arg("--strips", 1000), 3, out)
    cd = art("card", 7.2, 4.8, card_mat("card", "card.png"), Matrix.Translation((7.3, 1.2, 5.6)) @ Matrix.Rotation(math.radians(-12), 4, "Z") @ Matrix.Rotation(math.radians(-64), 4, "X")); sol = cd.modifiers.new("t", "SOLIDIFY"); sol.thickness = .05
    lm = leaf_mat(); fr = make_frond("sprig", lm, 13, 22, 4.6, .62, .5, .35, seed=8, stem=.14); fr.location = (-9.5, -10.2, .6); fr.rotation_euler = [math.radians(a) for a in (6, -6, 8)]
    g = gobo_mat(); S = (-36, -26, 44)
    for i, (p, q, d) in enumerate((((26, 10, 0), (12.0, -5.0, 0), 40), ((-26, 46, 34), (-9, 46, 18), 44))): gobo_aim(p, q, S, d, g, i + 13)
    sun(S, 3.9, "#ffe6c8", .9)
    area((26, -22, 30), (0, 0, 3), 18, 3600, "#fff0e0", 22); area((-14, 24, 26), (0, 0, 4), 10, 2200, "#fff0dc", 12)
    glow_card((6, 26, 38), 15, 10, "#fff3df", 5.0, True, (-32, 0, 0))
    camera((-4, -57, 51), (arg("--tx", -.1), 2.6, arg("--tz", 6.0)), arg("--lens", 88.0), 18, (1, -3, 6))
    return dict(w=1600, h=1600, spp=44, exposure=.18)


if __name__ == "__main__": draw(dict(box=box_scene, parcel=parcel))
