"""The scenes. Run:  blender -b -P scenes.py -- <scene> [--pct 40] [--spp 48] [--raw]
Result: build/<scene>.png"""
import sys, os, math, random
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from studio import *


ARGS = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
def arg(key, default): return type(default)(ARGS[ARGS.index(key) + 1]) if key in ARGS else default


def T(x, y, z, rz=0): return Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(rz), 4, "Z")


def flag(loc, sx, sz, rz=0):
    """black card outside the frame: draws the dark edge lines of glass and metal"""
    k = N("flag"); d = k.n("ShaderNodeBsdfDiffuse"); k.set(d.inputs[0], (.004, .004, .004, 1)); k.done(d.outputs[0])
    o = plane("flag", sx, sz, loc, k.m, (90, 0, rz)); o.visible_camera = False; o.visible_shadow = False; o.visible_diffuse = False; return o


def front():
    reset(); world(srgb("#fff4e6"), .42); m = standard_mats()
    backdrop(plaster_mat("#f3e9d9", .02, .008), y=46, radius=26)
    make_bottle(T(0, 0, 0, 0), m)
    area((-26, -12, 15), (0, 0, 6), 9, 5200, "#fff2df", 30)         # left strip
    area((30, -6, 14), (0, 0, 6), 7, 2600, "#fff4e6", 30)           # right strip
    area((-24, -22, 36), (0, 0, 4), 11, 10500, "#fff0dc")            # key, above left
    area((0, 30, 34), (0, 40, 6), 50, 8000, "#fff6ea", 30, glossy=False)  # background
    flag((-9.5, 3, 7), 5, 22, 60); flag((10, 3, 7), 5, 22, -60)
    camera((0, -66, 9.0), (0, 0, 5.62), 150, 16, (0, -1.9, 4))
    return dict(w=1600, h=1600, spp=52, exposure=.55, look="High Contrast")


def hero():
    reset(); world(srgb("#ffeedd"), .34); m = standard_mats()
    wall = plaster_mat("#ddd0bb", .35, .05); plane("wall", 300, 200, (0, 17, 40), wall, (90, 0, 0))
    plane("floor", 300, 200, (0, 0, 0), plaster_mat("#d8c9b0", .2, .05))
    st = travertine_mat("#cdb898", "#a88c67", "#e2d2b6")
    box("slab", (12.5, 9.5, 2.3), (.8, .9, 1.15), st, .2, -14)
    rock("stone", (2.6, 2.0, 1.25), (8.9, -2.6, .9), travertine_mat("#cbb390", "#a78a63", "#e0cfb2", .8), 3, .2)
    rock("stone2", (1.15, .95, .62), (5.6, -6.2, .42), travertine_mat("#bca27b", "#937650", "#d9c5a4", .8), 5, .2)
    make_bottle(T(-.3, .2, 2.3, 5), m)
    g = gobo_mat()
    S = (-40, -34, 42)
    for i, (p, q, d) in enumerate((((21, 17, 22), (3.2, 17, 10.0), 34), ((24, 17, 9), (7.5, 17, 2.2), 40), ((-17, 17, 26), (-6.0, 17, 14.0), 50))):
        gobo_aim(p, q, S, d, g, i + 3)
    gobo_aim((-16, -9, 0), (-2.5, -6.5, 0), S, 40, g, 9)
    sun(S, 4.4, "#ffe5c6", .8)
    area((30, -20, 26), (0, 0, 6), 22, 2600, "#ffeede", 30)
    area((-13, 10, 10), (0, 0, 8), 5, 1100, "#fff0dc", 18)          # rim from behind left
    area((-22, -18, 12), (0, 0, 7), 5, 900, "#fff0dc", 24, diffuse=False)  # reflection strip
    flag((10.5, 2, 9), 5, 22, -60); glow_card((.2, 5.5, 7.5), 7, 12, "#ffd9a0", .7)
    camera((-6, -64, 15.5), (1.5, 0, 7.0), 108, 11, (0, -1.5, 7))
    return dict(w=2000, h=1600, spp=48, exposure=.16)


def dropper():
    reset(); world(srgb("#ffeedd"), .45); m = standard_mats((.85, 2.5, 7.0))
    o = backdrop(plaster_mat("#dacbb3", .25, .05), y=34, radius=12); o.location.z = -3.0
    m2 = glass_mats(); m2.update(label=m["label"], brass=m["brass"], rubber=m["rubber"])
    make_bottle(T(3.3, 11, -3.0, -2), m2, cap=False)
    make_dropper(T(-1.0, 0, 0, 0), m, zb=2.55, oil_top=5.75, drop_len=.98, drop_r=.38)
    g = gobo_mat()
    S = (-40, -30, 42)
    gobo_aim((18, 34, 16), (-4, 34, 6), S, 40, g, 4); gobo_aim((-14, 34, 20), (3, 34, 14), S, 40, g, 6)
    sun(S, 3.8, "#ffe5c6", .8)
    area((-12, -10, 8), (-1, 0, 4), 3.5, 800, "#fff2e0", 20)
    area((14, 6, 8), (-1, 0, 4), 5, 900, "#ffefd8", 20)
    area((-3, 18, 3), (-1, 0, 4), 10, 700, "#ffe9c8", 14)
    camera((-1.0, -30, 5.0), (.30, 0, 4.25), 152, 15, (-1, -.2, 2.5))
    return dict(w=1600, h=1600, spp=48, exposure=.24)


def lying():
    reset(); world(srgb("#ffeedd"), .42); m = standard_mats()
    plane("floor", 200, 200, (0, 0, 0), travertine_mat("#e2d5bf", "#cbb698", "#efe5d5", .9, .285))
    al = math.radians(-22); ax, ay = math.sin(al), math.cos(al)
    M = Matrix(((ay, 0, ax, 0), (-ax, 0, ay, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
    M = Matrix.Translation((-.55, -4.3, R + .034)) @ M
    make_bottle(M, m, plane=((0, 0, R + 1.0), (0, 0, 1)))
    om = oil_pool_mat(0.0, (1.5, 4.0, 12.0))
    field_pool("pool", [(3.7, -4.9, 1.75), (5.3, -3.6, 1.65), (6.0, -1.6, 1.05), (2.4, -6.5, .95), (6.5, .1, .55), (4.9, -5.6, 1.0)], 0.0, .40, om, .045, 1.15, 2, .03)
    for i, (x, y, r) in enumerate(((1.1, -7.5, .26), (6.6, 1.75, .34), (.35, -8.1, .15), (7.55, -1.0, .20), (5.6, 2.7, .17), (7.2, -5.9, .36), (6.1, -7.0, .18), (3.9, 1.2, .22))):
        field_pool("d%d" % i, [(x, y, r * .95)], 0.0, r * .5, om, .018, r * .95, i)
    g = gobo_mat()
    S = (-30, 20, 44)
    for i, (p, q, d) in enumerate((((17, 12, 0), (1.5, 3.2, 0), 34), ((20, 1, 0), (8.0, -3.5, 0), 38), ((-17, -12, 0), (-5.0, -10.5, 0), 36))):
        gobo_aim(p, q, S, d, g, i + 13)
    sun(S, 4.0, "#ffe8cc", .8)
    area((16, 26, 26), (3, -2, 0), 12, 3000, "#fff2e0", 12)
    area((-16, -14, 24), (0, 0, 0), 14, 1300, "#fff2e0", 14)
    glow_card((10, 25, 38), 17, 11, "#fff3df", 7.5, True, (-32, 0, 0))
    camera((1.0, -33, 50), (1.35, -.55, .6), 132, 22, (0, -1, 2.5))
    return dict(w=1600, h=1600, spp=48, exposure=.20)


def fruits():
    reset(); world(srgb("#f3e6d0"), .30); m = standard_mats()
    backdrop(plaster_mat("#2d4236", .3, .06), y=24, radius=10)
    disc("board", 8.6, 1.1, (1.2, .6, 0), wood_mat(), .16)
    b = 1.1
    make_bottle(T(-1.7, .6, b, -6), m)
    fm = fruit_mats(); rnd = random.Random(4)
    pos = [(3.0, 1.6, 1.0), (4.9, 2.4, 1.05), (4.7, .3, .95), (2.6, -1.0, .9), (6.4, .9, .95), (4.2, -2.2, .9), (6.0, -1.3, .92), (1.6, 3.4, 1.0), (3.3, 3.8, 1.0)]
    for i, (x, y, s) in enumerate(pos):
        make_fruit((x, y, b + .93 * s), (rnd.uniform(70, 105), rnd.uniform(-15, 15), rnd.uniform(0, 360)), fm, s, i)
    for i, (x, y, z, s) in enumerate(((4.0, 1.3, 2.45, .98), (3.2, 2.9, 2.5, 1.0), (5.5, 1.5, 2.45, .9))):
        make_fruit((x, y, b + z), (rnd.uniform(40, 110), rnd.uniform(-30, 30), rnd.uniform(0, 360)), fm, s, 20 + i)
    make_fruit((1.2, -3.5, b + 1.0), (-46, 20, 26), fm, 1.0, 31, True)
    make_fruit((3.2, -4.3, b + .86), (-58, -38, -14), fm, .95, 37, True)
    make_fruit((8.3, -6.9, .84), (88, 0, 60), fm, .92, 33)
    lm = leaf_mat()
    for i, (loc, rot, ln) in enumerate((((-12, 4, 1.0), (18, -32, 26), 26), ((12, 8, 1), (-14, -48, 152), 26), ((-3, 12, 0), (10, -62, 60), 24))):
        o = make_frond("frond%d" % i, lm, ln, 30, 9.5, 1.15, .8, .45, seed=i + 21); o.location = loc; o.rotation_euler = [math.radians(a) for a in rot]
    sun((-40, -34, 44), 3.6, "#ffe0b6", 1.2)
    area((-20, -14, 16), (0, 0, 6), 6, 2200, "#fff0dc", 26)
    area((20, 12, 18), (0, 0, 6), 8, 2600, "#fff0dc", 22)
    area((-7, 9, 8), (-1.7, 0, 5), 5, 1500, "#ffe2b4", 11); glow_card((-1.7, 6, 6.5), 7, 12, "#ffcf8a", 1.0)
    camera((0, -64, 17.5), (1.4, 0, 5.6), 112, 12, (-1, -1.5, 5))
    return dict(w=1600, h=1600, spp=48, exposure=.38)


def draw(scenes):
    """renders the scene that the command line names"""
    name = ARGS[0]; p = scenes[name](); os.makedirs(BUILD, exist_ok=True); spp = arg("--spp", p.pop("spp"))
    crop = [float(x) for x in arg("--crop", "").split(",")] if "--crop" in ARGS else None
    render(os.path.join(BUILD, arg("--out", name) + ".png"), spp=spp, pct=arg("--pct", 100), crop=crop, denoise="--raw" not in ARGS, rad=arg("--rad", 6), **p)


if __name__ == "__main__" and os.path.basename(__file__) == "scenes.py":
    draw(dict(front=front, hero=hero, dropper=dropper, lying=lying, fruits=fruits))
