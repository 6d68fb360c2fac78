"""A hand sculpted in code: signed distances of bones, pads and creases, blended and turned into a mesh.

Right hand in its own coordinates, in cm: wrist at the origin, fingers towards +Y, palm towards +Z, thumb at +X.
A left hand is the mirror image (`mirror=True`)."""
import bpy, math
import numpy as np
from studio import finish, link, N, srgb


def v(*a): return np.array(a, np.float32)
def unit(a): return a / np.linalg.norm(a)


def smin(a, b, k):
    h = np.maximum(k - np.abs(a - b), 0) / k
    return np.minimum(a, b) - h * h * k * .25


def smax(a, b, k): return -smin(-a, -b, k)


class Field:
    """Signed distances on a grid of points."""
    def __init__(self, lo, hi, res):
        self.lo, self.res = np.array(lo, np.float32), res
        self.n = [int((h - l) / res) + 1 for l, h in zip(lo, hi)]
        ax = [np.arange(n, dtype=np.float32) * res + l for n, l in zip(self.n, lo)]
        self.x, self.y, self.z = np.meshgrid(*ax, indexing="ij", sparse=True)

    def rel(self, a): return self.x - a[0], self.y - a[1], self.z - a[2]

    def cone(self, a, b, ra, rb, flat=None):
        """Tapered capsule; `flat` = (direction, factor) presses it flat along a direction."""
        ba = b - a; px, py, pz = self.rel(a)
        t = np.clip((px * ba[0] + py * ba[1] + pz * ba[2]) / float(ba @ ba), 0, 1)
        qx, qy, qz = px - t * ba[0], py - t * ba[1], pz - t * ba[2]
        d2 = qx * qx + qy * qy + qz * qz
        if flat is not None:
            f, s = flat; h = qx * f[0] + qy * f[1] + qz * f[2]; d2 = d2 + h * h * (s * s - 1)
        return np.sqrt(d2) - (ra + (rb - ra) * t)

    def ball(self, c, r, s=(1, 1, 1)):
        px, py, pz = self.rel(c)
        return (np.sqrt((px / s[0]) ** 2 + (py / s[1]) ** 2 + (pz / s[2]) ** 2) - r) * min(s)

    def chain(self, pts, radii, k=.3, flat=None):
        d = None
        for a, b, ra, rb in zip(pts, pts[1:], radii, radii[1:]):
            c = self.cone(a, b, ra, rb, flat); d = c if d is None else smin(d, c, k)
        return d

    def mesh(self, d):
        """Surface nets: one vertex per cell that the surface crosses, at the mean of its crossings."""
        nx, ny, nz = d.shape; s = d < 0
        c = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        cut = lambda a, o: a[o[0]:nx - 1 + o[0], o[1]:ny - 1 + o[1], o[2]:nz - 1 + o[2]]
        m = sum(cut(s, o).astype(np.int8) for o in c); cells = np.argwhere((m > 0) & (m < 8))
        idx = np.full((nx - 1, ny - 1, nz - 1), -1, np.int32); idx[tuple(cells.T)] = np.arange(len(cells))
        val = np.stack([d[cells[:, 0] + o[0], cells[:, 1] + o[1], cells[:, 2] + o[2]] for o in c], 1)
        pos = np.zeros((len(cells), 3)); cnt = np.zeros(len(cells))
        for a in range(8):
            for b in range(a + 1, 8):
                oa, ob = np.array(c[a]), np.array(c[b])
                if np.abs(oa - ob).sum() != 1: continue
                x = (val[:, a] < 0) != (val[:, b] < 0)
                den = np.where(x, val[:, a] - val[:, b], 1); t = np.where(x, val[:, a] / den, 0)
                pos += np.where(x[:, None], oa + t[:, None] * (ob - oa), 0); cnt += x
        P = (cells + pos / cnt[:, None]) * self.res + self.lo
        faces = []
        for ax in range(3):
            sl0 = [slice(None)] * 3; sl1 = [slice(None)] * 3; sl0[ax] = slice(0, -1); sl1[ax] = slice(1, None)
            e = np.argwhere(s[tuple(sl0)] != s[tuple(sl1)]); u, w = [i for i in range(3) if i != ax]
            e = e[(e[:, u] > 0) & (e[:, w] > 0) & (e[:, u] < self.n[u] - 1) & (e[:, w] < self.n[w] - 1)]
            q = []
            for du, dw in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
                g = e.copy(); g[:, u] += du; g[:, w] += dw; q.append(idx[tuple(g.T)])
            q = np.stack(q, 1); flip = s[tuple(e.T)]
            if ax == 1: flip = ~flip
            q[flip] = q[flip][:, ::-1]; faces.append(q)
        return P, np.concatenate(faces)


def to_object(name, P, F, mats, smooth=True):
    me = bpy.data.meshes.new(name); me.vertices.add(len(P)); me.vertices.foreach_set("co", P.astype(np.float32).ravel())
    me.loops.add(F.size); me.loops.foreach_set("vertex_index", F.astype(np.int32).ravel())
    me.polygons.add(len(F)); me.polygons.foreach_set("loop_start", np.arange(0, F.size, 4, dtype=np.int32)); me.polygons.foreach_set("loop_total", np.full(len(F), 4, np.int32))
    me.polygons.foreach_set("use_smooth", np.full(len(F), smooth)); me.update(calc_edges=True); me.validate()
    for m in (mats if isinstance(mats, (list, tuple)) else [mats]): me.materials.append(m)
    return link(bpy.data.objects.new(name, me))


FINGERS = {  # knuckle, lengths, radii at knuckle, middle joint, end joint, tip
    "index": ((2.75, 8.5), (4.35, 2.55, 2.0), (1.0, .91, .79, .63)),
    "middle": ((.80, 8.75), (4.75, 2.95, 2.1), (1.03, .93, .81, .65)),
    "ring": ((-1.15, 8.35), (4.4, 2.75, 2.1), (.98, .89, .77, .61)),
    "little": ((-2.85, 7.5), (3.5, 2.05, 1.85), (.87, .76, .66, .53)),
}


def fingers_pose(pose):
    """pose[finger] = (splay, flexion at knuckle, middle joint, end joint, roll) in degrees"""
    out = {}
    for name, ((mx, my), L, R) in FINGERS.items():
        splay, f1, f2, f3, roll = pose[name]
        mz = pose.get("lift", {}).get(name, 0)
        a = math.radians(-splay); f = v(math.sin(-a), math.cos(a), 0)
        ro = math.radians(roll); side = v(math.cos(a), math.sin(a), 0)
        n = unit(v(0, 0, 1) * math.cos(ro) + side * math.sin(ro)); th = 0; p = v(mx, my, mz); pts = [p]; dirs = []; pads = []
        for l, b in zip(L, (f1, f2, f3)):
            th += math.radians(b); d = f * math.cos(th) + n * math.sin(th); p = p + d * l; pts.append(p); dirs.append(d); pads.append(n * math.cos(th) - f * math.sin(th))
        out[name] = dict(pts=pts, R=R, dirs=dirs, pads=pads, f=f, n=n)
    return out


def groove(F, d, joint, along, pad, r, depth=.05, w=.07):
    """a crease across the palm side of a joint"""
    px, py, pz = F.rel(joint); t = px * along[0] + py * along[1] + pz * along[2]; h = px * pad[0] + py * pad[1] + pz * pad[2]
    rr = np.sqrt(px * px + py * py + pz * pz)
    return d + depth * np.exp(-(t / w) ** 2) * np.clip((h / r - .15) / .5, 0, 1) * (rr < r * 1.7)


def line_groove(F, d, pts, depth, w, zmin):
    """a crease of the palm along a line seen from above; it runs out at both ends"""
    best = None; amp = None; n = len(pts) - 1
    for i, (a, b) in enumerate(zip(pts, pts[1:])):
        ax, ay = a; bx, by = b; dx, dy = bx - ax, by - ay; px, py = F.x - ax, F.y - ay
        t = np.clip((px * dx + py * dy) / (dx * dx + dy * dy), 0, 1); dd = (px - t * dx) ** 2 + (py - t * dy) ** 2; u = (i + t) / n
        if best is None: best, amp = dd, u
        else: amp = np.where(dd < best, u, amp); best = np.minimum(best, dd)
    fade = np.clip(amp * 7, 0, 1) * np.clip((1 - amp) * 4, 0, 1)
    return d + (depth * fade * np.exp(-best / (w * w))) * (F.z > zmin)


def curve(pts, n=8):
    P = [np.array(p, float) for p in pts]; P = [2 * P[0] - P[1]] + P + [2 * P[-1] - P[-2]]; out = []
    for i in range(1, len(P) - 2):
        a, b, c, e = P[i - 1:i + 3]
        for j in range(n):
            t = j / n; out.append(tuple(.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - e) * t * t + (3 * b - a - 3 * c + e) * t ** 3)))
    return out + [tuple(P[-2])]


OPEN = dict(  # an open, slightly hollowed hand
    index=(-4, 20, 16, 10, 4), middle=(-1, 23, 18, 11, 2), ring=(3, 26, 20, 12, -3), little=(9, 28, 22, 14, -10),
    lift=dict(index=.15, middle=-.05, ring=.0, little=.25), cup=.035,
    thumb=((2.3, 1.7, .5), (4.9, 4.9, 1.5), (6.15, 7.9, 2.3), (6.5, 10.3, 3.0)), thumb_pad=(-.75, -.05, .66))


HOLD = dict(  # a bottle lies in it; the thumb steadies it
    index=(0, 10, 15, 10, 7), middle=(0, 9, 13, 9, 2), ring=(3, 11, 16, 11, -6), little=(8, 18, 24, 16, -20),
    lift=dict(index=.25, middle=-.05, ring=.0, little=.35), cup=.045,
    thumb=((2.3, 1.7, .5), (4.4, 4.9, 1.75), (4.0, 8.0, 3.0), (3.0, 10.15, 3.9)), thumb_pad=(-.9, -.15, .2))


def build_hand(pose=OPEN, res=.09, forearm=9, mirror=False):
    """Returns (field, distances, nails' distances, pose) of the hand."""
    g = fingers_pose(pose); T = [v(*p) for p in pose["thumb"]]; TR = (1.2, .99, .93, .72); tp = unit(v(*pose["thumb_pad"]))
    allp = np.array([p for f in g.values() for p in f["pts"]] + T)
    lo = np.minimum(allp.min(0) - 1.4, (-5.2, -forearm, -2.6)); hi = np.maximum(allp.max(0) + 1.4, (5.4, 9, 3.4))
    F = Field(lo, hi, res)
    cup = pose.get("cup", .03); z0 = F.z; F.z = F.z - cup * np.minimum(np.abs(F.x), 5) ** 2 * np.clip((9.3 - F.y) / 4.5, 0, 1) * np.clip((F.y - 0) / 3, 0, 1)
    palm = None
    for (name, cx, r0) in (("index", 1.55, 1.2), ("middle", .5, 1.25), ("ring", -.6, 1.2), ("little", -1.5, 1.15)):
        f = g[name]; c = F.cone(v(cx, 1.0, 0), f["pts"][0], r0, f["R"][0] + (.12 if name != "little" else .02)); palm = c if palm is None else smin(palm, c, .9)
    # pads below the fingers, and the webs between them
    names = list(g)
    for a, b in zip(names, names[1:]):
        A, B = g[a], g[b]; c = (A["pts"][0] + A["dirs"][0] * 1.25 + B["pts"][0] + B["dirs"][0] * 1.25) / 2 + (A["pads"][0] + B["pads"][0]) * .10
        palm = smin(palm, F.ball(c, .72, (1.0, 1.1, .85)), .7)
    palm = smin(palm, F.cone(v(-2.0, 1.3, .55), v(-3.05, 5.2, .55), 1.3, 1.12), .9)      # edge of the hand
    palm = smin(palm, F.cone(v(1.9, 1.3, .55), T[1] + v(-.85, -.7, -.1), 1.35, 1.36), 1.2)  # ball of the thumb
    palm = smin(palm, F.cone(v(3.9, 5.2, .5), g["index"]["pts"][0] + v(.1, -.4, 0), .62, .8), 1.5)  # web of the thumb
    palm = smax(palm, -F.ball(v(.05, 5.0, 4.3), 3.35, (.95, 1.25, 1)), 1.1)              # hollow
    F.z = z0
    fl = forearm + 3
    arm = smin(F.cone(v(1.15, 1.0, 0), v(1.0, -2.2, 0), 1.66, 1.62), F.cone(v(-1.15, 1.0, 0), v(-1.0, -2.2, 0), 1.66, 1.62), 1.2)
    arm2 = smin(F.cone(v(1.0, -2.2, 0), v(1.7, -fl, -.2), 1.62, 2.5), F.cone(v(-1.0, -2.2, 0), v(-1.5, -fl, -.2), 1.62, 2.4), 1.4)
    arm = smin(arm, arm2, 1.0); palm = smin(palm, arm, 1.3)
    # thumb
    th = F.chain(T, TR, .35); d12 = unit(T[3] - T[2])
    th = smin(th, F.cone(T[2] + d12 * .55 + tp * .22, T[3] - d12 * .25 + tp * .16, .80, .64), .35)
    nail = F.cone(T[3] - d12 * .95 - tp * .6, T[3] + d12 * .28 - tp * .47, .50, .42)
    hand = smin(palm, th, .55)
    # fingers: soft into the palm, sharp against each other
    fd = None
    for name, f in g.items():
        p, R, di, pa = f["pts"], f["R"], f["dirs"], f["pads"]
        d = F.chain(p, R, .25)
        for i, (lo_, hi_) in enumerate(((.34, .74), (.25, .75), (.20, .85))):
            a, b = p[i], p[i + 1]; ra = R[i] + (R[i + 1] - R[i]) * .5
            d = smin(d, F.cone(a + (b - a) * lo_ + pa[i] * ra * .24, a + (b - a) * hi_ + pa[i] * ra * .20, ra * .88, ra * .84), .25)
        d = groove(F, d, p[1] + pa[1] * .1, unit(di[0] + di[1]), unit(pa[0] + pa[1]), R[1], .07, .075)
        d = groove(F, d, p[1] + pa[1] * .1 - di[0] * .26, unit(di[0] + di[1]), unit(pa[0] + pa[1]), R[1], .03, .05)
        d = groove(F, d, p[2] + pa[2] * .1, unit(di[1] + di[2]), unit(pa[1] + pa[2]), R[2], .06, .065)
        f["d"] = d; base = p[0] + di[0] * (1.95 if name != "little" else 1.6)
        fd = d if fd is None else smin(fd, d, .10)
    hand = smin(hand, fd, .42)
    for name, f in g.items():
        base = f["pts"][0] + f["dirs"][0] * (2.0 if name != "little" else 1.65)
        hand = groove(F, hand, base, f["dirs"][0], f["pads"][0], f["R"][0], .07, .085)
    hand = groove(F, hand, T[2], unit(T[3] - T[1]), tp, .93, .07, .075); hand = groove(F, hand, T[1] + (T[2] - T[1]) * .22, unit(T[2] - T[1]), tp, 1.05, .05, .075)
    L = lambda pts, dp, w: line_groove(F, hand, curve(pts), dp, w, -.2)
    hand = L([(-3.9, 6.1), (-2.2, 6.35), (-.4, 7.0), (.9, 8.0), (1.5, 8.8)], .12, .085)
    hand = L([(3.5, 6.7), (2.0, 6.3), (.3, 5.7), (-1.4, 4.8), (-2.5, 4.0)], .11, .085)
    hand = L([(3.6, 6.75), (2.3, 6.0), (1.2, 4.6), (.75, 3.0), (.85, 1.5), (1.0, .9)], .12, .095)
    hand = L([(-.3, 1.2), (-.1, 3.0), (.15, 5.0), (.2, 6.6)], .045, .07)
    hand = L([(-2.4, .55), (0, .75), (2.3, .6)], .06, .09); hand = L([(-2.3, .1), (0, .25), (2.2, .1)], .035, .07)
    nails = smax(nail, hand - .028, .05); nails = smax(nails, -(hand + .06), .02)
    for name, f in g.items():
        p, di, pa, R = f["pts"][3], f["dirs"][2], f["pads"][2], f["R"][3]
        nl = F.cone(p - di * R * 1.3 - pa * R * .95, p + di * R * .5 - pa * R * .85, R * .74, R * .66)
        nl = smax(smax(nl, f["d"] - .028, .05), -(f["d"] + .06), .02); nails = np.minimum(nails, nl)
    return F, hand, nails, g


def skin_mat(base="#a8714b", pale="#c79472", flush="#a8583c", dark="#8a5836", sss=.16, name="skin"):
    k = N(name); vec = k.coords(); at = k.n("ShaderNodeAttribute", attribute_name="tone"); sp = k.n("ShaderNodeSeparateXYZ"); k.t.links.new(at.outputs["Vector"], sp.inputs[0])
    big = k.noise(vec, .9, 4, .6); mid = k.noise(vec, 4.5, 5, .65)
    col = k.mix(k.ramp(sp.outputs[0], [(.0, (0, 0, 0)), (1, (1, 1, 1))]), srgb(base), srgb(pale))
    col = k.mix(k.math("MULTIPLY", sp.outputs[1], .75), col, srgb(flush))
    col = k.mix(k.math("MULTIPLY", k.math("SUBTRACT", big, .45), .7, True), col, srgb(dark))
    col = k.mix(.10, col, k.ramp(mid, [(.35, (.55, .3, .2, 1)), (.65, (1, 1, 1, 1))]), "MULTIPLY")
    cell = k.voronoi(k.coords((1, 1, 1)), 13); lines = k.noise(k.coords((3, 14, 8)), 1.6, 4, .6, .6); pore = k.noise(vec, 34, 3)
    h = k.math("ADD", k.math("MULTIPLY", cell, .5), k.math("ADD", k.math("MULTIPLY", lines, .8), k.math("MULTIPLY", pore, .3)))
    rough = k.math("ADD", .44, k.math("MULTIPLY", k.math("SUBTRACT", mid, .5), .16)); rough = k.math("SUBTRACT", rough, k.math("MULTIPLY", sp.outputs[2], .26))
    return k.done(k.principled(col, rough, 0, .42, k.bump(h, .26, .035), Subsurface=sss, Subsurface_Radius=(.42, .16, .08), Subsurface_Color=k.mix(.5, col, srgb("#b8552e"))))


def nail_mat(c="#c99a82"):
    k = N("nail"); return k.done(k.principled(srgb(c), .26, 0, .5, Subsurface=.15, Subsurface_Radius=(.2, .08, .05), Subsurface_Color=srgb("#c06a4c"), Clearcoat=.25))


def make_hand(mats, pose=OPEN, res=.09, forearm=9, mirror=False, wet=None):
    """mats = (skin, nail). `wet(P)` gives 0..1 where the skin shines with oil."""
    F, d, nails, g = build_hand(pose, res, forearm)
    P, Q = F.mesh(d); s = np.array([-1, 1, 1]) if mirror else np.array([1, 1, 1])
    # tone: x pale (palm side), y flush (tips and pads), z wet
    tips = [f["pts"][3] + f["pads"][2] * .3 for f in g.values()] + [v(*pose["thumb"][3])]
    flush = np.zeros(len(P))
    for t in tips: flush = np.maximum(flush, np.exp(-(np.linalg.norm(P - t, axis=1) / 1.0) ** 2) * .75)
    for c, r in (((3.2, 3.6, 1.6), 1.8), ((-2.9, 3.4, 1.4), 1.6), ((1.7, 9.6, 1.0), .8), ((-.2, 9.7, .9), .8), ((-2.0, 9.0, .9), .8)): flush = np.maximum(flush, np.exp(-(np.linalg.norm(P - v(*c), axis=1) / r) ** 2) * .5)
    ix = np.clip(np.rint((P - F.lo) / F.res).astype(int), 1, np.array(F.n) - 2)
    at = lambda o: d[ix[:, 0] + o[0], ix[:, 1] + o[1], ix[:, 2] + o[2]]
    nz = at((0, 0, 1)) - at((0, 0, -1)); nn = np.sqrt((at((1, 0, 0)) - at((-1, 0, 0))) ** 2 + (at((0, 1, 0)) - at((0, -1, 0))) ** 2 + nz ** 2) + 1e-6
    pale = np.clip(nz / nn * 1.1 + .35, 0, 1) * np.clip((P[:, 1] + 1.5) / 2.5, .25, 1)
    w = wet(P) if wet else np.zeros(len(P))
    if mirror: Q = Q[:, ::-1]
    o = to_object("hand", P * s, Q, mats[0]); a = o.data.attributes.new("tone", "FLOAT_VECTOR", "POINT"); a.data.foreach_set("vector", np.stack([pale, flush, w], 1).astype(np.float32).ravel())
    Pn, Qn = F.mesh(nails)
    if mirror: Qn = Qn[:, ::-1]
    n = to_object("nails", Pn * s, Qn, mats[1]); n.parent = o
    return o, F, d, g
