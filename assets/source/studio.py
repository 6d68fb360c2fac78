"""Procedural product studio for Blender 3.4+ (Cycles). 1 Blender unit = 1 cm.
Everything is modelled in code; the only image used is the label (see brand.py)."""
import bpy, bmesh, math, os, random
import numpy as np
from mathutils import Vector, Matrix, noise

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "build")


def srgb(h):
    h = h.lstrip("#"); c = [int(h[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple((x / 12.92 if x <= .04045 else ((x + .055) / 1.055) ** 2.4) for x in c) + (1.0,)


# ------------------------------------------------------------------ scene
def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    s = bpy.context.scene
    s.render.engine = "CYCLES"
    c = s.cycles
    c.device = "CPU"; c.use_denoising = False
    c.max_bounces = 14; c.transmission_bounces = 14; c.transparent_max_bounces = 16
    c.glossy_bounces = 6; c.diffuse_bounces = 3
    c.caustics_reflective = False; c.caustics_refractive = False
    c.sample_clamp_indirect = 4.0; c.blur_glossy = 0.4
    c.use_adaptive_sampling = True; c.adaptive_threshold = 0.045; c.adaptive_min_samples = 4
    s.render.threads_mode = "FIXED"; s.render.threads = int(os.environ.get("THREADS", "1"))
    s.render.use_persistent_data = True
    s.view_settings.view_transform = "Filmic" if hasattr(s, "view_settings") else "Standard"
    s.view_settings.look = "Medium High Contrast"
    w = bpy.data.worlds.new("w"); s.world = w; w.use_nodes = True
    return s


def world(color, strength):
    b = bpy.context.scene.world.node_tree.nodes["Background"]
    b.inputs[0].default_value = color; b.inputs[1].default_value = strength


def link(o):
    bpy.context.collection.objects.link(o); return o


def look_at(o, target):
    o.rotation_euler = (Vector(target) - o.location).to_track_quat("-Z", "Y").to_euler()


def camera(loc, target, lens=90, fstop=None, focus=None, shift=(0, 0)):
    c = bpy.data.cameras.new("cam"); o = link(bpy.data.objects.new("cam", c))
    o.location = loc; look_at(o, target); c.lens = lens; c.clip_end = 3000; c.clip_start = .5
    c.shift_x, c.shift_y = shift
    if fstop:
        c.dof.use_dof = True; c.dof.aperture_fstop = fstop / 100     # cm scale
        c.dof.focus_distance = (Vector(focus or target) - o.location).dot(o.matrix_basis.to_3x3() @ Vector((0, 0, -1)))
        c.dof.aperture_blades = 9
    bpy.context.scene.camera = o
    return o


def area(loc, target, size, power, color="#ffffff", size_y=None, cam=False, glossy=True, diffuse=True, spread=180):
    l = bpy.data.lights.new("area", "AREA"); l.energy = power; l.color = srgb(color)[:3]
    l.shape = "RECTANGLE"; l.size = size; l.size_y = size_y or size; l.spread = math.radians(spread)
    o = link(bpy.data.objects.new("area", l)); o.location = loc; look_at(o, target)
    o.visible_camera = cam; o.visible_glossy = glossy; o.visible_diffuse = diffuse
    return o


def sun(direction_from, strength, color="#ffffff", angle=.8):
    l = bpy.data.lights.new("sun", "SUN"); l.energy = strength; l.color = srgb(color)[:3]; l.angle = math.radians(angle)
    o = link(bpy.data.objects.new("sun", l)); o.location = direction_from; look_at(o, (0, 0, 0)); return o


# ------------------------------------------------------------------ node helpers
class N:
    def __init__(self, name):
        self.m = bpy.data.materials.new(name); self.m.use_nodes = True
        self.t = self.m.node_tree; self.t.nodes.clear()
        self.out = self.t.nodes.new("ShaderNodeOutputMaterial")

    def n(self, typ, **kw):
        nd = self.t.nodes.new(typ)
        for k, v in kw.items():
            if k.startswith("i_"):
                key = k[2:]; key = int(key) if key.isdigit() else key.replace("_", " ")
                self.set(nd.inputs[key], v)
            else: setattr(nd, k, v)
        return nd

    def set(self, sock, v):
        if isinstance(v, bpy.types.NodeSocket): self.t.links.new(v, sock)
        elif isinstance(v, bpy.types.Node): self.t.links.new(v.outputs[0], sock)
        else: sock.default_value = v

    def math(self, op, a, b=None, clamp=False):
        nd = self.n("ShaderNodeMath", operation=op, use_clamp=clamp); self.set(nd.inputs[0], a)
        if b is not None: self.set(nd.inputs[1], b)
        return nd.outputs[0]

    def mix(self, f, a, b, blend="MIX"):
        nd = self.n("ShaderNodeMixRGB", blend_type=blend); self.set(nd.inputs[0], f); self.set(nd.inputs[1], a); self.set(nd.inputs[2], b)
        return nd.outputs[0]

    def ramp(self, f, stops, interp="LINEAR"):
        nd = self.n("ShaderNodeValToRGB"); self.set(nd.inputs[0], f); e = nd.color_ramp.elements; nd.color_ramp.interpolation = interp
        while len(e) < len(stops): e.new(.5)
        for el, (p, c) in zip(e, stops): el.position = p; el.color = c if len(c) == 4 else tuple(c) + (1,)
        return nd.outputs[0]

    def expabs(self, sigma, length):
        """colour exp(-sigma * length)"""
        ch = [self.math("POWER", math.exp(-s), length) for s in sigma]
        nd = self.n("ShaderNodeCombineRGB")
        for i in range(3): self.set(nd.inputs[i], ch[i])
        return nd.outputs[0]

    def coords(self, scale=(1, 1, 1), kind="Object", rot=(0, 0, 0)):
        tc = self.n("ShaderNodeTexCoord"); mp = self.n("ShaderNodeMapping")
        self.t.links.new(tc.outputs[kind], mp.inputs[0]); mp.inputs["Scale"].default_value = scale; mp.inputs["Rotation"].default_value = rot
        return mp.outputs[0]

    def noise(self, vec, scale, detail=6, rough=.55, dist=0):
        nd = self.n("ShaderNodeTexNoise"); self.set(nd.inputs["Vector"], vec)
        nd.inputs["Scale"].default_value = scale; nd.inputs["Detail"].default_value = detail; nd.inputs["Roughness"].default_value = rough; nd.inputs["Distortion"].default_value = dist
        return nd.outputs[0]

    def voronoi(self, vec, scale, feature="F1"):
        nd = self.n("ShaderNodeTexVoronoi", feature=feature); self.set(nd.inputs["Vector"], vec); nd.inputs["Scale"].default_value = scale
        return nd.outputs["Distance"]

    def bump(self, h, strength=.3, dist=.05, normal=None):
        nd = self.n("ShaderNodeBump"); self.set(nd.inputs["Height"], h); nd.inputs["Strength"].default_value = strength; nd.inputs["Distance"].default_value = dist
        if normal is not None: self.set(nd.inputs["Normal"], normal)
        return nd.outputs[0]

    def principled(self, color, rough=.5, metallic=0.0, spec=.5, normal=None, **kw):
        p = self.n("ShaderNodeBsdfPrincipled")
        self.set(p.inputs["Base Color"], color); self.set(p.inputs["Roughness"], rough); self.set(p.inputs["Metallic"], metallic); self.set(p.inputs["Specular"], spec)
        if normal is not None: self.set(p.inputs["Normal"], normal)
        for k, v in kw.items(): self.set(p.inputs[k.replace("_", " ")], v)
        return p.outputs[0]

    def done(self, shader):
        self.t.links.new(shader, self.out.inputs[0]); return self.m


# ------------------------------------------------------------------ glass & oil
SG = (1.15, 3.1, 8.5)        # amber glass absorption per cm
SL = (.24, .44, 1.1)         # batana oil absorption per cm
NG, NL = 1.52, 1.47


def dielectric(name, ior, back=None, front=None, shadow=(1, 1, 1, 1), rough=0.0):
    """Glass interface. back/front = absorption of the medium behind/in front of the
    normal, applied over the length of the ray that arrives (noise-free Beer-Lambert)."""
    k = N(name)
    lp = k.n("ShaderNodeLightPath"); geo = k.n("ShaderNodeNewGeometry"); L = k.math("MINIMUM", lp.outputs["Ray Length"], 30.0)
    W = (1, 1, 1, 1)
    cf = k.expabs(front, L) if front else W
    cb = k.expabs(back, L) if back else W
    col = k.mix(geo.outputs["Backfacing"], cf, cb)
    g = k.n("ShaderNodeBsdfGlass", distribution="SHARP" if rough == 0 else "GGX"); k.set(g.inputs["Color"], col); g.inputs["IOR"].default_value = ior; g.inputs["Roughness"].default_value = rough
    t = k.n("ShaderNodeBsdfTransparent"); k.set(t.inputs[0], shadow)
    f = k.math("MAXIMUM", lp.outputs["Is Shadow Ray"], lp.outputs["Is Diffuse Ray"])
    mx = k.n("ShaderNodeMixShader"); k.set(mx.inputs[0], f); k.set(mx.inputs[1], g.outputs[0]); k.set(mx.inputs[2], t.outputs[0])
    return k.done(mx.outputs[0])


def glass_mats(SL=SL):
    d = {}
    d["glass"] = dielectric("amber_glass", NG, back=SG, shadow=(.60, .45, .19, 1))
    d["glass_in"] = dielectric("amber_glass_in", NG, back=SG, shadow=(1, 1, 1, 1))
    d["wet"] = dielectric("amber_wet", NG / NL, back=SG, front=SL, shadow=(.84, .70, .38, 1))
    d["oil"] = dielectric("oil_air", NL, back=SL, shadow=(1, 1, 1, 1))
    C = (.02, .03, .035)
    d["cglass"] = dielectric("clear_glass", NG, back=C, shadow=(.95, .95, .94, 1))
    d["cwet"] = dielectric("clear_wet", NG / NL, back=C, front=SL, shadow=(.9, .72, .5, 1))
    d["cwet_out"] = dielectric("clear_wet_out", NG / NL, back=C, front=SL, shadow=(1, 1, 1, 1))
    return d


# ------------------------------------------------------------------ geometry helpers
def arc(cx, cz, rx, rz, a0, a1, n):
    return [(cx + rx * math.cos(math.radians(a0 + (a1 - a0) * i / n)), cz + rz * math.sin(math.radians(a0 + (a1 - a0) * i / n))) for i in range(n + 1)]


def dense(p, step=.25):
    """subdivide long straight segments so that bisecting and shading behave"""
    out = [p[0]]
    for a, b in zip(p, p[1:]):
        d = math.dist(a, b); n = max(1, int(d / step))
        if d < 1e-6: continue
        out += [(a[0] + (b[0] - a[0]) * i / n, a[1] + (b[1] - a[1]) * i / n) for i in range(1, n + 1)]
    return out


def revolve(bm, prof, seg=144, closed_poles=True):
    """revolve (r,z) profile around Z; returns list of rings of faces (one per segment)"""
    rings = []
    for r, z in prof:
        if r < 1e-5: rings.append([bm.verts.new((0, 0, z))])
        else: rings.append([bm.verts.new((r * math.cos(2 * math.pi * i / seg), r * math.sin(2 * math.pi * i / seg), z)) for i in range(seg)])
    out = []
    for A, B in zip(rings, rings[1:]):
        fs = []
        for i in range(seg):
            j = (i + 1) % seg
            if len(A) == 1 and len(B) == 1: continue
            if len(A) == 1: f = (A[0], B[j], B[i])
            elif len(B) == 1: f = (A[i], A[j], B[0])
            else: f = (A[i], A[j], B[j], B[i])
            fs.append(bm.faces.new(f))
        out.append(fs)
    return out


def finish(bm, name, mats, smooth=True, autosmooth=None):
    me = bpy.data.meshes.new(name)
    for f in bm.faces: f.smooth = smooth
    bm.to_mesh(me); bm.free()
    for m in (mats if isinstance(mats, (list, tuple)) else [mats]): me.materials.append(m)
    if autosmooth: me.use_auto_smooth = True; me.auto_smooth_angle = math.radians(autosmooth)
    return link(bpy.data.objects.new(name, me))


def rev_obj(name, prof, mat, seg=128, autosmooth=None):
    bm = bmesh.new(); revolve(bm, prof, seg); bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    return finish(bm, name, mat, autosmooth=autosmooth)


# ------------------------------------------------------------------ the bottle
R = 1.93


def bottle_profile(thread=False):
    outer = [(0, .16)] + arc(0, -4.0, 4.16, 4.16, 90, 71.5, 10)[1:]          # punt
    outer += [(1.42, .02)] + arc(R - .36, .36, .36, .36, -90, 0, 12)
    outer += [(R, 5.80)]
    outer += arc(R - 1.0, 5.82, 1.0, 1.12, 0, 76, 26)
    outer += [(1.06, 7.03), (.99, 7.12), (.955, 7.24), (.95, 7.4)]
    if thread:
        for z in (7.72, 8.06, 8.40): outer += [(.95, z - .13), (.97, z - .10), (1.02, z - .04), (1.03, z), (1.02, z + .04), (.97, z + .10), (.95, z + .13)]
    outer += [(.95, 8.70)] + arc(.87, 8.70, .08, .08, 0, 90, 5)
    t = .17
    inner = arc(.76, 8.70, .06, .08, 90, 180, 4) + [(.70, 7.4), (.71, 7.22), (.76, 7.06), (.86, 6.92)]
    inner += arc(R - 1.0, 5.82, 1.0 - t, 1.12 - t, 76, 0, 26)
    inner += [(R - t, .78)] + arc(R - t - .42, .78, .42, .40, 0, -90, 12) + [(.6, .41), (0, .44)]
    return dense(outer), dense(inner)


def make_bottle(M, mats, level=6.55, plane=None, cap=True, fill=True):
    """Amber bottle standing at the origin, label towards -Y, then moved by matrix M.
    plane: (co, no) of the oil surface in world space for a bottle that is not upright."""
    root = link(bpy.data.objects.new("bottle_root", None)); root.matrix_world = M
    outer, inner = bottle_profile(not cap)
    bm = bmesh.new(); prof = outer + inner
    rings = revolve(bm, prof, 160)
    ninn = len(outer)
    for k, fs in enumerate(rings):
        for f in fs: f.material_index = 0 if k < ninn else 1
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    if plane: co, no = M.inverted() @ Vector(plane[0]), (M.to_3x3().inverted() @ Vector(plane[1])).normalized()
    else: co, no = Vector((0, 0, level)), Vector((0, 0, 1))
    objs = []
    if fill:
        innerf = [f for f in bm.faces if f.material_index == 1]
        geom = innerf + list({e for f in innerf for e in f.edges}) + list({v for f in innerf for v in f.verts})
        res = bmesh.ops.bisect_plane(bm, geom=geom, plane_co=co, plane_no=no, dist=1e-5)
        cut = [g for g in res["geom_cut"] if isinstance(g, bmesh.types.BMVert)]
        for f in bm.faces:
            if f.material_index == 1 and (f.calc_center_median() - co).dot(no) < 0: f.material_index = 2
        # oil surface
        c = sum((v.co for v in cut), Vector()) / len(cut)
        ax = no.orthogonal().normalized(); ay = no.cross(ax)
        pts = sorted((v.co.copy() for v in cut), key=lambda p: math.atan2((p - c).dot(ay), (p - c).dot(ax)))
        b2 = bmesh.new(); vs = [b2.verts.new(p) for p in pts]; vc = b2.verts.new(c)
        for i in range(len(vs)):
            if (pts[i] - pts[i - 1]).length > 1e-5: b2.faces.new((vc, vs[i - 1], vs[i]))
        b2.normal_update()
        for f in b2.faces:
            if f.normal.dot(no) < 0: f.normal_flip()
        objs.append(finish(b2, "oil_surface", mats["oil"], smooth=False))
    objs.append(finish(bm, "glass", [mats["glass"], mats["glass_in"], mats["wet"]]))
    objs.append(make_label(mats["label"]))
    if cap: objs += make_cap(mats, co, no, wet=fill)
    for o in objs: o.parent = root
    return root


def make_label(mat):
    LW, LH, z0, n = 10.9, 4.7, .62, 180
    rr = R + .014; half = LW / rr / 2
    bm = bmesh.new(); uv = bm.loops.layers.uv.new("UVMap")
    cols = []
    for i in range(n + 1):
        a = -math.pi / 2 - half + 2 * half * i / n
        cols.append([bm.verts.new((rr * math.cos(a), rr * math.sin(a), z0 + LH * j / 8)) for j in range(9)])
    for i in range(n):
        for j in range(8):
            f = bm.faces.new((cols[i][j], cols[i + 1][j], cols[i + 1][j + 1], cols[i][j + 1]))
            for l, (u, v) in zip(f.loops, ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))): l[uv].uv = (u / n, v / 8)
    o = finish(bm, "label", mat)
    s = o.modifiers.new("thick", "SOLIDIFY"); s.thickness = .018; s.offset = 1
    return o


def label_mat():
    k = N("label"); uvn = k.n("ShaderNodeUVMap", uv_map="UVMap")
    def tex(f, cs):
        t = k.n("ShaderNodeTexImage", interpolation="Cubic", extension="EXTEND"); t.image = bpy.data.images.load(os.path.join(BUILD, f)); t.image.colorspace_settings.name = cs
        k.t.links.new(uvn.outputs[0], t.inputs[0]); return t.outputs[0]
    col = tex("label.png", "sRGB"); foil = tex("label_foil.png", "Non-Color")
    v = k.coords((1, 1, 1)); fib = k.noise(v, 60, 4, .6); fine = k.noise(v, 14, 3)
    col = k.mix(.05, col, k.ramp(fib, [(.35, (.55, .48, .36, 1)), (.65, (1, 1, 1, 1))]), "MULTIPLY")
    col = k.mix(foil, col, srgb("#C9A25C"))
    h = k.math("ADD", k.math("MULTIPLY", fib, .8), k.math("MULTIPLY", fine, .5))
    nb = k.bump(h, .16, .012)
    r = k.math("SUBTRACT", .72, k.math("MULTIPLY", foil, .42))
    return k.done(k.principled(col, r, k.math("MULTIPLY", foil, .95), .2, nb))


def brass_mat():
    k = N("brass"); v = k.coords((1, 1, 60)); b = k.noise(v, 3, 3)
    return k.done(k.principled(srgb("#B5966A"), k.math("ADD", .25, k.math("MULTIPLY", b, .10)), 1.0, .5, k.bump(b, .03, .01)))


def rubber_mat():
    k = N("rubber"); v = k.coords(); b = k.noise(v, 45, 3)
    return k.done(k.principled(srgb("#15130f"), .43, 0, .42, k.bump(b, .05, .01)))


def pipette_profile(zt, zb):
    """glass pipette hanging from zt down to tip zb; (outer going down, inner going up)"""
    o = [(.34, zt)] + smooth_prof([(.34, zb + 1.42), (.34, zb + 1.3), (.332, zb + 1.15), (.30, zb + .92), (.25, zb + .70), (.21, zb + .45), (.188, zb + .2), (.178, zb + .03), (.165, zb)], 6)
    i = smooth_prof([(.085, zb), (.078, zb + .03), (.088, zb + .25), (.115, zb + .48), (.155, zb + .72), (.20, zb + .95), (.226, zb + 1.17), (.23, zb + 1.32), (.23, zb + 1.42)], 6) + [(.23, zt)]
    return o, i


def smooth_prof(p, n=6):
    """Catmull-Rom through the points"""
    P = [Vector(x) for x in p]; P = [P[0] * 2 - P[1]] + P + [P[-1] * 2 - P[-2]]; out = []
    for i in range(1, len(P) - 2):
        a, b, c, d = P[i - 1:i + 3]
        for j in range(n):
            t = j / n
            q = .5 * ((2 * b) + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3); out.append((max(q.x, 0), q.y))
    return out + [tuple(P[-2])]


def make_collar_bulb(mats):
    z = 7.36
    col = [(.90, z)] + arc(1.10, z + .06, .06, .06, -180 + 90, 0, 5)
    col = [(.97, z + .02), (1.08, z)] + arc(1.09, z + .07, .07, .07, -90, 0, 6) + [(1.16, z + .07), (1.16, z + 1.42)] + arc(1.06, z + 1.42, .10, .10, 0, 90, 7) + [(.80, z + 1.52), (.80, z + 1.3)]
    o1 = rev_obj("collar", dense(col, .2), mats["brass"], 160, autosmooth=50)
    b0 = z + 1.48
    bulb = [(.80, b0 - .1), (.80, b0 + .10)] + arc(.73, b0 + .10, .07, .07, 0, 90, 5) + [(.70, b0 + .175), (.645, b0 + .22)]
    bulb += smooth_prof([(.625, b0 + .32), (.63, b0 + .8), (.64, b0 + 1.3), (.62, b0 + 1.8), (.585, b0 + 2.15)], 5)
    bulb += arc(0, b0 + 2.18, .582, .52, 4, 90, 16)
    o2 = rev_obj("bulb", bulb, mats["rubber"], 128, autosmooth=60)
    return [o1, o2]


def make_cap(mats, co, no, wet=True):
    objs = make_collar_bulb(mats)
    o, i = pipette_profile(8.8, .95)
    bm = bmesh.new(); revolve(bm, dense(o) + dense(i), 48); bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    if wet:
        bmesh.ops.bisect_plane(bm, geom=bm.verts[:] + bm.edges[:] + bm.faces[:], plane_co=co, plane_no=no, dist=1e-5)
        for f in bm.faces:
            f.material_index = 1 if (f.calc_center_median() - co).dot(no) < 0 else 0
    objs.append(finish(bm, "pipette", [mats["cglass"], mats["cwet_out"]]))
    return objs


def make_dropper(M, mats, zb=.0, oil_top=3.6, drop=True, drop_len=.78, drop_r=.27):
    """Free dropper (collar, bulb, pipette with oil, hanging drop); in bottle coordinates, tip at zb."""
    root = link(bpy.data.objects.new("dropper_root", None)); root.matrix_world = M
    objs = make_collar_bulb(mats)
    o, i = pipette_profile(8.8, zb)
    po, pi = dense(o, .2), dense(i, .2)
    bm = bmesh.new(); rings = revolve(bm, po + pi, 96)
    for k, fs in enumerate(rings):
        for f in fs:
            z = f.calc_center_median().z
            f.material_index = 0 if k < len(po) - 1 else (1 if z < oil_top else 0)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    objs.append(finish(bm, "pipette", [mats["cglass"], mats["cwet"]]))
    b2 = bmesh.new()     # oil meniscus inside the tube
    revolve(b2, [(.23, oil_top + .06), (.2, oil_top + .015), (.13, oil_top - .02), (0, oil_top - .03)], 64)
    for f in b2.faces:
        f.normal_update()
        if f.normal.z < 0: f.normal_flip()
    objs.append(finish(b2, "meniscus", mats["oil"]))
    if drop:
        L, r = drop_len, drop_r
        pr = smooth_prof([(.166, zb + .002), (.158, zb - L * .07), (.166, zb - L * .18), (.205, zb - L * .32), (r * .80, zb - L * .49), (r, zb - L * .69), (r * .91, zb - L * .86), (r * .55, zb - L * .97), (0, zb - L)], 8)
        b3 = bmesh.new(); revolve(b3, pr, 96); b3.normal_update()
        for f in b3.faces:
            c = f.calc_center_median()
            if f.normal.dot(Vector((c.x, c.y, (c.z - (zb - L * .6)) * .6))) < 0: f.normal_flip()
        objs.append(finish(b3, "drop", mats["oil"]))
    for ob in objs: ob.parent = root
    return root


def standard_mats(SL=SL):
    m = glass_mats(SL); m["label"] = label_mat(); m["brass"] = brass_mat(); m["rubber"] = rubber_mat(); return m


# ------------------------------------------------------------------ palm frond
def make_frond(name, mat, length=30, n=34, leaf=11, width=1.1, curve=.9, droop=.5, seed=1, fold=.35, stem=.28, spread=(70, 22)):
    """Pinnate palm frond along +X, face up (+Z), bending down."""
    rnd = random.Random(seed); bm = bmesh.new(); uv = bm.loops.layers.uv.new("UVMap")
    S = 60; pts = []; p = Vector((0, 0, 0)); a = .30
    for i in range(S + 1):
        t = i / S; ang = a - curve * t ** 1.5
        pts.append((p.copy(), Vector((math.cos(ang), .06 * math.sin(3 * t), math.sin(ang))).normalized())); p = p + pts[-1][1] * length / S
    # stem
    prev = None
    for i, (q, d) in enumerate(pts):
        t = i / S; r = stem * (1 - .9 * t) + .03; up = Vector((0, 0, 1)); sd = d.cross(up).normalized(); up2 = sd.cross(d)
        ring = [bm.verts.new(q + sd * math.cos(b) * r + up2 * math.sin(b) * r * .7) for b in [k * math.pi / 4 for k in range(8)]]
        if prev:
            for k in range(8):
                f = bm.faces.new((prev[k], prev[(k + 1) % 8], ring[(k + 1) % 8], ring[k])); f.material_index = 1
        prev = ring
    for i in range(n):
        t = .12 + .87 * (i + .5 * rnd.random()) / n
        idx = min(S, int(t * S)); q, d = pts[idx]
        env = (math.sin(math.pi * min(1, (t * .82 + .18))) ** .55)
        for s in (-1, 1):
            L = leaf * env * rnd.uniform(.9, 1.06) * (1 if t < .9 else .8); w = width * (.75 + .35 * env) * rnd.uniform(.85, 1.1)
            up = Vector((0, 0, 1)); sd = d.cross(up).normalized() * -s; upn = sd.cross(d) * s
            if upn.z < 0: upn = -upn
            ang = math.radians(spread[0] + (spread[1] - spread[0]) * t + rnd.uniform(-5, 5))
            dir0 = (d * math.cos(ang) + sd * math.sin(ang) + upn * rnd.uniform(.05, .28)).normalized()
            seg = 12; prevr = None; pos = q.copy(); dr = droop * rnd.uniform(.7, 1.3)
            for k in range(seg + 1):
                u = k / seg
                dd = (dir0 + Vector((0, 0, -1)) * dr * u * u + d * .12 * u).normalized()
                wd = w * .5 * (min(1, u * 5 + .25)) * (1 - u ** 2.6) ** .8 + .008
                lat = dd.cross(upn).normalized(); nn = lat.cross(dd).normalized()
                row = [bm.verts.new(pos + lat * wd + nn * wd * fold), bm.verts.new(pos), bm.verts.new(pos - lat * wd + nn * wd * fold)]
                if prevr:
                    for m in range(2):
                        f = bm.faces.new((prevr[m], prevr[m + 1], row[m + 1], row[m]))
                        for l, (uu, vv) in zip(f.loops, ((m / 2, (k - 1) / seg), ((m + 1) / 2, (k - 1) / seg), ((m + 1) / 2, u), (m / 2, u))): l[uv].uv = (uu, vv)
                prevr = row; pos = pos + dd * L / seg
    return finish(bm, name, [mat, mat], autosmooth=30)


def leaf_mat(c1="#2f4a2c", c2="#50692f", trans=.35):
    k = N("leaf"); uvn = k.n("ShaderNodeUVMap", uv_map="UVMap"); sp = k.n("ShaderNodeSeparateXYZ"); k.t.links.new(uvn.outputs[0], sp.inputs[0])
    v = k.coords(); big = k.noise(v, .35, 3); sm = k.noise(v, 4, 5)
    col = k.mix(k.math("ADD", k.math("MULTIPLY", big, .8), k.math("MULTIPLY", sm, .25), True), srgb(c1), srgb(c2))
    w = k.n("ShaderNodeTexWave", wave_type="BANDS", bands_direction="X"); mp = k.n("ShaderNodeMapping"); k.t.links.new(uvn.outputs[0], mp.inputs[0]); mp.inputs["Scale"].default_value = (4, .02, 1)
    k.t.links.new(mp.outputs[0], w.inputs[0]); w.inputs["Scale"].default_value = 1.2
    tip = k.math("POWER", sp.outputs[1], 9.0); col = k.mix(k.math("MULTIPLY", tip, .6), col, srgb("#9a8246"))
    nb = k.bump(w.outputs[1], .25, .04)
    p = k.principled(col, .42, 0, .45, nb)
    t = k.n("ShaderNodeBsdfTranslucent"); k.set(t.inputs[0], k.mix(.5, col, srgb("#8ea63a"))); mx = k.n("ShaderNodeMixShader"); mx.inputs[0].default_value = trans
    k.set(mx.inputs[1], p); k.set(mx.inputs[2], t.outputs[0])
    return k.done(mx.outputs[0])


def gobo_mat():
    k = N("gobo"); d = k.n("ShaderNodeBsdfDiffuse"); k.set(d.inputs[0], (.02, .03, .02, 1)); return k.done(d.outputs[0])


def as_gobo(o):
    o.visible_camera = o.visible_glossy = o.visible_transmission = o.visible_diffuse = False; return o


def gobo_aim(base, tip, sun_from, dist, mat, seed=1, leaf=.44, width=.026, n=22, curve=.35):
    """hang an unseen palm frond in the sun so that its shadow runs from base to tip"""
    s = Vector(sun_from).normalized(); b = Vector(base) + s * dist; d = Vector(tip) - Vector(base); d = d - s * d.dot(s); L = d.length; d.normalize()
    y = s.cross(d); o = as_gobo(make_frond("gobo", mat, L * 1.06, n, L * leaf, L * width, curve, .25, seed=seed, fold=.15, stem=L * .009))
    o.matrix_world = Matrix(((d.x, y.x, s.x, b.x), (d.y, y.y, s.y, b.y), (d.z, y.z, s.z, b.z), (0, 0, 0, 1))); return o


# ------------------------------------------------------------------ props & sets
def plaster_mat(hexcol, bump=.25, var=.06, scale=.18):
    k = N("plaster"); v = k.coords(); n1 = k.noise(v, scale, 6, .6, .4); n2 = k.noise(v, scale * 14, 6, .65); n3 = k.noise(v, scale * 90, 3)
    c = srgb(hexcol); d = tuple(x * (1 - var * 3) for x in c[:3]) + (1,); l = tuple(min(1, x * (1 + var)) for x in c[:3]) + (1,)
    col = k.mix(k.ramp(n1, [(.3, (0, 0, 0)), (.72, (1, 1, 1))]), d, l)
    h = k.math("ADD", k.math("MULTIPLY", n1, 1.2), k.math("ADD", k.math("MULTIPLY", n2, .5), k.math("MULTIPLY", n3, .12)))
    return k.done(k.principled(col, .88, 0, .2, k.bump(h, bump, .35)))


def travertine_mat(base="#d9c7aa", dark="#b99d78", light="#efe4d0", sc=1.0, pits=.335):
    k = N("travertine"); v = k.coords((.28 * sc, .28 * sc, 1.6 * sc)); vi = k.coords((sc, sc, sc))
    warp = k.noise(vi, .5, 5, .6); mixv = k.n("ShaderNodeMixRGB"); k.set(mixv.inputs[0], .22); k.set(mixv.inputs[1], v)
    nn = k.n("ShaderNodeTexNoise"); k.set(nn.inputs["Vector"], vi); nn.inputs["Scale"].default_value = .55; k.t.links.new(nn.outputs[1], mixv.inputs[2])
    lay = k.noise(mixv.outputs[0], 2.3, 9, .62, .3); fine = k.noise(vi, 9, 8, .7)
    col = k.ramp(lay, [(.28, srgb(dark)), (.45, srgb(base)), (.58, srgb(light)), (.74, srgb(base))])
    col = k.mix(.25, col, k.ramp(fine, [(.3, srgb(dark)), (.7, srgb(light))]), "MULTIPLY")
    pv = k.coords((.9 * sc, .9 * sc, 2.6 * sc)); pn = k.noise(pv, 2.6, 4, .5, .3)
    pit = k.ramp(k.math("MULTIPLY", pn, 1.0), [(pits, (0, 0, 0)), (pits + .04, (1, 1, 1))])
    col = k.mix(pit, k.mix(.55, col, srgb("#8a6f4e")), col)
    h = k.math("ADD", pit, k.math("MULTIPLY", fine, .22))
    h = k.math("ADD", h, k.math("MULTIPLY", lay, .35))
    return k.done(k.principled(col, .62, 0, .35, k.bump(h, .55, .09)))


def box(name, size, loc, mat, bevel=.12, rot=0, seg=4):
    bm = bmesh.new(); bmesh.ops.create_cube(bm, size=1); bmesh.ops.scale(bm, vec=size, verts=bm.verts)
    bmesh.ops.bevel(bm, geom=bm.edges[:], offset=bevel, segments=seg, profile=.6, affect="EDGES")
    o = finish(bm, name, mat, autosmooth=35); o.location = loc; o.rotation_euler[2] = math.radians(rot); return o


def disc(name, r, h, loc, mat, bevel=.15):
    p = [(0, 0), (r - bevel, 0)] + arc(r - bevel, bevel, bevel, bevel, -90, 0, 6) + arc(r - bevel, h - bevel, bevel, bevel, 0, 90, 6) + [(0, h)]
    o = rev_obj(name, p, mat, 160, autosmooth=40); o.location = loc; return o


def rock(name, size, loc, mat, seed=0, rough=.16, flat=.0, rot=0):
    bm = bmesh.new(); bmesh.ops.create_icosphere(bm, subdivisions=6, radius=1)
    o3 = Vector((seed * 7.3, seed * 3.1, seed * 1.7))
    for v in bm.verts:
        d = v.co.normalized(); q = d * .9 + o3
        f = 1 + rough * (noise.fractal(q, .9, 2.1, 5) * 1.0) + rough * .5 * noise.noise(q * .7)
        v.co = d * f
        if flat and v.co.z > flat: v.co.z = flat + (v.co.z - flat) * .10
        v.co = Vector((v.co.x * size[0], v.co.y * size[1], v.co.z * size[2]))
    o = finish(bm, name, mat); o.location = loc; o.rotation_euler[2] = math.radians(rot); return o


def backdrop(mat, y=30, width=260, depth=120, radius=14, height=160):
    """seamless sweep: floor z=0 curving into a wall at y"""
    prof = [(-depth, 0)] + [(y - radius + radius * math.sin(math.radians(a)), radius - radius * math.cos(math.radians(a))) for a in range(0, 91, 5)] + [(y, height)]
    bm = bmesh.new(); L = [bm.verts.new((-width / 2, a, b)) for a, b in prof]; Rr = [bm.verts.new((width / 2, a, b)) for a, b in prof]
    for i in range(len(prof) - 1): bm.faces.new((L[i], Rr[i], Rr[i + 1], L[i + 1]))
    return finish(bm, "sweep", mat)


def plane(name, sx, sy, loc, mat, rot=(0, 0, 0)):
    bm = bmesh.new(); bmesh.ops.create_grid(bm, x_segments=1, y_segments=1, size=.5); bmesh.ops.scale(bm, vec=(sx, sy, 1), verts=bm.verts)
    o = finish(bm, name, mat, smooth=False); o.location = loc; o.rotation_euler = [math.radians(a) for a in rot]; return o


def glow_card(loc, sx, sz, color, strength, glossy=False, rot=(90, 0, 0)):
    """soft warm card seen only through the glass (never directly, no light cast on the set)"""
    k = N("glow"); v = k.coords(kind="Generated"); g = k.n("ShaderNodeTexGradient", gradient_type="SPHERICAL"); mp = k.n("ShaderNodeMapping"); k.t.links.new(v, mp.inputs[0])
    mp.inputs["Location"].default_value = (-1, -1, 0); mp.inputs["Scale"].default_value = (2, 2, 0); k.t.links.new(mp.outputs[0], g.inputs[0])
    e = k.n("ShaderNodeEmission"); e.inputs[0].default_value = srgb(color); k.set(e.inputs[1], k.math("MULTIPLY", k.math("POWER", g.outputs[1], .7), strength)); k.done(e.outputs[0])
    o = plane("glow", sx, sz, loc, k.m, rot); o.visible_camera = o.visible_diffuse = o.visible_shadow = False
    o.visible_glossy = glossy; o.visible_transmission = not glossy; return o


# ------------------------------------------------------------------ palm fruit
def fruit_mats():
    k = N("fruit"); v = k.coords(kind="Object"); sp = k.n("ShaderNodeSeparateXYZ"); k.t.links.new(v, sp.inputs[0])
    oi = k.n("ShaderNodeObjectInfo"); n = k.noise(v, 1.6, 5, .6); f2 = k.noise(v, 12, 6, .7)
    z = k.math("ADD", sp.outputs[2], k.math("MULTIPLY", k.math("SUBTRACT", n, .5), 1.1))
    z = k.math("ADD", z, k.math("MULTIPLY", k.math("SUBTRACT", oi.outputs["Random"], .5), .7))
    t = k.math("DIVIDE", k.math("ADD", z, 1.4), 2.85)
    col = k.ramp(t, [(.02, srgb("#e9b35a")), (.18, srgb("#dd7a22")), (.42, srgb("#c9481a")), (.66, srgb("#a82d14")), (.84, srgb("#55160d")), (.97, srgb("#1d0d09"))])
    col = k.mix(.14, col, k.ramp(f2, [(.35, (.35, .2, .1, 1)), (.6, (1, 1, 1, 1))]), "MULTIPLY")
    r = k.math("ADD", .24, k.math("MULTIPLY", f2, .18))
    a = k.done(k.principled(col, r, 0, .5, k.bump(k.math("ADD", n, k.math("MULTIPLY", f2, .16)), .22, .12), Subsurface=.06, Subsurface_Radius=(.3, .1, .04), Subsurface_Color=srgb("#e06a20")))
    k = N("fruit_cut"); v = k.coords(kind="Object"); sp = k.n("ShaderNodeSeparateXYZ"); k.t.links.new(v, sp.inputs[0])
    x = k.math("DIVIDE", sp.outputs[0], 1.0); z = k.math("DIVIDE", k.math("ADD", sp.outputs[2], .08), 1.32)
    d = k.math("SQRT", k.math("ADD", k.math("POWER", k.math("ABSOLUTE", x), 2.0), k.math("POWER", k.math("ABSOLUTE", z), 2.0)))
    nz = k.noise(v, 3.5, 4); fb = k.noise(k.coords((14, 14, 2.5)), 1.6, 5, .6)
    d2 = k.math("ADD", d, k.math("MULTIPLY", k.math("SUBTRACT", nz, .5), .07))
    col = k.ramp(d2, [(.0, srgb("#f3ead6")), (.30, srgb("#eadcc0")), (.345, srgb("#5a3520")), (.36, srgb("#2a160d")), (.50, srgb("#38200f")), (.53, srgb("#e39a3c")), (.80, srgb("#e8892a")), (.93, srgb("#c9561b")), (1.0, srgb("#a5331a"))])
    col = k.mix(.28, col, k.ramp(fb, [(.35, (.62, .36, .16, 1)), (.62, (1, 1, 1, 1))]), "MULTIPLY")
    b = k.done(k.principled(col, .38, 0, .5, k.bump(k.math("ADD", fb, d2), .25, .05)))
    return a, b


def make_fruit(loc, rot, mats, s=1.0, seed=0, half=False):
    p = smooth_prof([(0, -1.25), (.30, -1.20), (.56, -1.02), (.80, -.62), (.92, -.10), (.90, .38), (.77, .84), (.50, 1.22), (.25, 1.44), (.09, 1.58), (0, 1.63)], 5)
    bm = bmesh.new(); revolve(bm, p, 72); bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-5)
    off = Vector((seed * 3.7, seed * 9.1, 0))
    for v in bm.verts:
        f = 1 + .075 * noise.noise(v.co * .8 + off) + .02 * noise.noise(v.co * 3 + off)
        v.co = Vector((v.co.x * f, v.co.y * f, v.co.z * (1 + .03 * noise.noise(v.co + off))))
    if half:
        r = bmesh.ops.bisect_plane(bm, geom=bm.verts[:] + bm.edges[:] + bm.faces[:], plane_co=(0, 0, 0), plane_no=(0, -1, 0), clear_outer=True)
        ed = [g for g in r["geom_cut"] if isinstance(g, bmesh.types.BMEdge)]
        fs = bmesh.ops.contextual_create(bm, geom=ed)["faces"]
        for f in fs: f.material_index = 1
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    o = finish(bm, "fruit", list(mats), autosmooth=50); o.location = loc; o.rotation_euler = [math.radians(a) for a in rot]; o.scale = (s, s, s)
    return o


def wood_mat(c1="#8a5a34", c2="#5f3a1f", c3="#a9774a"):
    k = N("wood"); big = k.noise(k.coords((.05, .5, .5)), 1.5, 3, .5, 1.2)
    ring = k.math("FRACT", k.math("MULTIPLY", big, 9.0)); ring = k.math("ABSOLUTE", k.math("SUBTRACT", k.math("MULTIPLY", ring, 2.0), 1.0))
    f = k.noise(k.coords((.22, 9, 9)), 2.4, 6, .65); fb = k.noise(k.coords((.1, 2.2, 2.2)), 1.4, 5, .6)
    t = k.math("ADD", k.math("MULTIPLY", ring, .22), k.math("ADD", k.math("MULTIPLY", f, .40), k.math("MULTIPLY", fb, .50)))
    col = k.ramp(t, [(.32, srgb(c2)), (.56, srgb(c1)), (.82, srgb(c3))])
    return k.done(k.principled(col, k.math("ADD", .40, k.math("MULTIPLY", f, .25)), 0, .4, k.bump(f, .18, .03)))


# ------------------------------------------------------------------ oil pools
def oil_pool_mat(z0, k_abs=(.55, 2.3, 7.5)):
    # the reflection stays white; only the light that passes through the oil is tinted (depth = height above the floor)
    k = N("oil_pool"); lp = k.n("ShaderNodeLightPath"); geo = k.n("ShaderNodeNewGeometry"); sp = k.n("ShaderNodeSeparateXYZ"); k.t.links.new(geo.outputs["Position"], sp.inputs[0])
    h = k.math("MAXIMUM", k.math("SUBTRACT", sp.outputs[2], z0), 0.0); T = k.expabs(k_abs, h)
    rf = k.n("ShaderNodeBsdfRefraction", distribution="SHARP"); k.set(rf.inputs["Color"], k.mix(geo.outputs["Backfacing"], T, (1, 1, 1, 1))); rf.inputs["IOR"].default_value = NL
    gl = k.n("ShaderNodeBsdfGlossy", distribution="SHARP"); fr = k.n("ShaderNodeFresnel"); fr.inputs["IOR"].default_value = NL
    g = k.n("ShaderNodeMixShader"); k.set(g.inputs[0], fr.outputs[0]); k.set(g.inputs[1], rf.outputs[0]); k.set(g.inputs[2], gl.outputs[0])
    t = k.n("ShaderNodeBsdfTransparent"); k.set(t.inputs[0], T)
    f = k.math("MAXIMUM", lp.outputs["Is Shadow Ray"], lp.outputs["Is Diffuse Ray"])
    mx = k.n("ShaderNodeMixShader"); k.set(mx.inputs[0], f); k.set(mx.inputs[1], g.outputs[0]); k.set(mx.inputs[2], t.outputs[0])
    return k.done(mx.outputs[0])


def field_pool(name, blobs, z0, H, mat, res=.06, edge=.9, seed=0, wob=.05):
    """oil pool as a height field; blobs = (x, y, r) merged smoothly. The rim meets the floor with a rounded edge."""
    xs = [b[0] for b in blobs]; ys = [b[1] for b in blobs]; rm = max(b[2] for b in blobs) * 1.6
    X = np.arange(min(xs) - rm, max(xs) + rm, res); Y = np.arange(min(ys) - rm, max(ys) + rm, res)
    gx, gy = np.meshgrid(X, Y); k = 2.2; acc = np.zeros_like(gx)
    for bx, by, br in blobs: acc += np.exp(-k * (np.hypot(gx - bx, gy - by) - br))
    sd = np.log(acc) / k                                  # >0 inside
    for j in range(sd.shape[0]):
        for i in range(0, sd.shape[1]): sd[j, i] += wob * noise.noise(Vector((gx[j, i] * .45 + seed, gy[j, i] * .45, .3)))
    hh = H * np.sqrt(np.clip(1 - np.exp(-2.4 * np.maximum(sd, 0) / edge), 0, 1))
    hh = np.where(sd <= 0, sd * 1.2, hh)                  # dives below the floor outside
    bm = bmesh.new(); vs = {}
    keep = sd > -.18
    for j in range(gx.shape[0]):
        for i in range(gx.shape[1]):
            if keep[j, i]: vs[j, i] = bm.verts.new((gx[j, i], gy[j, i], z0 + hh[j, i]))
    for j in range(gx.shape[0] - 1):
        for i in range(gx.shape[1] - 1):
            q = [(j, i), (j, i + 1), (j + 1, i + 1), (j + 1, i)]
            if all(a in vs for a in q): bm.faces.new([vs[a] for a in q])
    return finish(bm, name, mat)


# ------------------------------------------------------------------ rendering + denoising
def _box(a, r):
    """box filter of radius r over the first two axes"""
    for ax in (0, 1):
        p = np.concatenate([np.repeat(a.take([0], ax), r + 1, ax), a, np.repeat(a.take([-1], ax), r, ax)], ax)
        c = np.cumsum(p, axis=ax, dtype=np.float64); n = a.shape[ax]
        a = ((c.take(range(2 * r + 1, 2 * r + 1 + n), ax) - c.take(range(0, n), ax)) / (2 * r + 1)).astype(np.float32)
    return a


def nlm_dual(A, B, rad=6, patch=2, k=.55):
    """dual-buffer non-local means (after Rousselle et al. 2012): weights from one half-buffer filter the other"""
    A = np.maximum(A, 0); B = np.maximum(B, 0)
    m = np.maximum((A + B) * .5, 1e-4); lim = np.minimum(A, B) * 3 + .25        # tame fireflies present in one half only
    A = np.minimum(A, lim); B = np.minimum(B, lim)
    tm = lambda x: np.log1p(4 * x)
    a, b = tm(A), tm(B)
    var = _box(((a - b) ** 2).mean(2, keepdims=True), 4) / 2 + 1e-6             # per-half variance estimate
    sa = np.zeros_like(a); sb = np.zeros_like(a); wa = np.zeros_like(var); wb = np.zeros_like(var)
    H, W = a.shape[:2]
    for dy in range(-rad, rad + 1):
        for dx in range(-rad, rad + 1):
            y0, y1, x0, x1 = max(0, dy), min(H, H + dy), max(0, dx), min(W, W + dx)
            s = (slice(y0, y1), slice(x0, x1)); q = (slice(y0 - dy, y1 - dy), slice(x0 - dx, x1 - dx))
            for src, tgt, S, Wt in ((a, B, sb, wb), (b, A, sa, wa)):
                vq = var[q]; vs = var[s]
                d = ((src[s] - src[q]) ** 2).mean(2, keepdims=True) - (vs + np.minimum(vs, vq))
                d = d / (1e-6 + k * k * (vs + vq))
                w = np.exp(-np.maximum(_box(d, patch), 0))
                S[s] += w * tgt[q]; Wt[s] += w
    return (sa / wa + sb / wb) * .5


def render(path_png, w, h, spp, pct=100, crop=None, exposure=0.0, denoise=True, look="Medium High Contrast", gamma=1.0, k=.55, rad=6):
    s = bpy.context.scene; r = s.render
    r.resolution_x, r.resolution_y, r.resolution_percentage = w, h, pct
    s.view_settings.look = look; s.view_settings.exposure = exposure; s.view_settings.gamma = gamma
    if crop: r.use_border = r.use_crop_to_border = True; r.border_min_x, r.border_max_x, r.border_min_y, r.border_max_y = crop
    tmp = os.path.splitext(path_png)[0]; bufs = []
    W, H = int(w * pct / 100), int(h * pct / 100)
    for seed in ((1, 2) if denoise else (1,)):
        s.cycles.seed = seed; s.cycles.samples = max(8, spp // (2 if denoise else 1))
        r.image_settings.file_format = "OPEN_EXR"; r.image_settings.color_depth = "32"; r.image_settings.color_mode = "RGB"
        r.filepath = f"{tmp}_{seed}.exr"; bpy.ops.render.render(write_still=True)
        im = bpy.data.images.load(r.filepath); W, H = im.size
        buf = np.empty(W * H * im.channels, np.float32); im.pixels.foreach_get(buf); bufs.append(buf.reshape(H, W, im.channels)[:, :, :3])
        os.remove(r.filepath)
    img = nlm_dual(bufs[0], bufs[1], rad=rad, k=k) if denoise else bufs[0]
    out = bpy.data.images.new("out", W, H, float_buffer=True, alpha=False)
    px = np.ones((H, W, 4), np.float32); px[:, :, :3] = img; out.pixels.foreach_set(px.ravel())
    r.image_settings.file_format = "PNG"; r.image_settings.color_depth = "8"; r.image_settings.color_mode = "RGB"; r.image_settings.compression = 60
    out.save_render(path_png, scene=s)
