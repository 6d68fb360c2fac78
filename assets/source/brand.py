#!/usr/bin/env python3
"""Builds the brand SVGs and the bottle label (all type converted to outlines).

Needs: python3-fonttools, python3-brotli, librsvg (rsvg-convert) and two open
(SIL OFL) font packages from npm, installed in a folder given by $FONTS
(default: ./node_modules):
    npm i @fontsource-variable/fraunces @fontsource-variable/jost
Usage:  python3 brand.py        -> ../brand/*.svg, label.svg, label_foil.svg,
                                   build/label.png, build/label_foil.png
"""
import math, os, subprocess
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen

HERE = os.path.dirname(os.path.abspath(__file__))
FONTS = os.environ.get("FONTS", os.path.join(HERE, "node_modules"))
OUT = os.path.join(HERE, "..", "brand")
BUILD = os.path.join(HERE, "build")
os.makedirs(OUT, exist_ok=True); os.makedirs(BUILD, exist_ok=True)

BRAND = "PALMIRA"
PAL = dict(cream="#F4ECDD", paper="#F1E6D2", sand="#DFCDB1", green="#233629", moss="#5C6B4A",
           amber="#A9601F", honey="#D9974A", bark="#3A2417", clay="#B9532F", brass="#A98850")


class Face:
    def __init__(self, path, **axes):
        f = TTFont(os.path.join(FONTS, path))
        self.f = instancer.instantiateVariableFont(f, axes)
        self.gs = self.f.getGlyphSet(); self.cmap = self.f.getBestCmap()
        self.upm = self.f["head"].unitsPerEm; self.hmtx = self.f["hmtx"]
        self.pairs = []
        if "GPOS" in self.f:
            t = self.f["GPOS"].table
            idx = set()
            for fr in t.FeatureList.FeatureRecord:
                if fr.FeatureTag == "kern": idx.update(fr.Feature.LookupListIndex)
            for i in sorted(idx):
                for st in t.LookupList.Lookup[i].SubTable:
                    st = getattr(st, "ExtSubTable", st)
                    if st.LookupType == 2: self.pairs.append(st)

    def kern(self, a, b):
        for st in self.pairs:
            if a not in st.Coverage.glyphs: continue
            if st.Format == 1:
                for r in st.PairSet[st.Coverage.glyphs.index(a)].PairValueRecord:
                    if r.SecondGlyph == b: return (r.Value1.XAdvance if r.Value1 and hasattr(r.Value1, "XAdvance") else 0)
            else:
                c1 = st.ClassDef1.classDefs.get(a, 0); c2 = st.ClassDef2.classDefs.get(b, 0)
                v = st.Class1Record[c1].Class2Record[c2].Value1
                x = getattr(v, "XAdvance", 0) if v else 0
                if x: return x
        return 0

    def text(self, s, x, y, size, track=0.0, anchor="middle", fill="#000", extra=""):
        """track in em. Returns an SVG <path>."""
        k = size / self.upm; pen_x = 0; items = []; prev = None
        for ch in s:
            g = self.cmap[ord(ch)]
            if prev: pen_x += self.kern(prev, g) + track * self.upm
            items.append((g, pen_x)); pen_x += self.hmtx[g][0]; prev = g
        w = pen_x * k
        x0 = x - (w / 2 if anchor == "middle" else w if anchor == "end" else 0)
        nd = 2 if size > 4 else 4
        pen = SVGPathPen(self.gs, ntos=lambda v: ("%.*f" % (nd, v)).rstrip("0").rstrip("."))
        for g, gx in items:
            self.gs[g].draw(TransformPen(pen, (k, 0, 0, -k, x0 + gx * k, y)))
        self.last_w = w
        return f'<path fill="{fill}" {extra}d="{pen.getCommands()}"/>'


SERIF = Face("@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2", opsz=110, wght=360, SOFT=40, WONK=0)
SERIFB = Face("@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2", opsz=72, wght=430, SOFT=30, WONK=0)
ITAL = Face("@fontsource-variable/fraunces/files/fraunces-latin-full-italic.woff2", opsz=40, wght=380, SOFT=40, WONK=0)
SANS = Face("@fontsource-variable/jost/files/jost-latin-wght-normal.woff2", wght=440)
SANSM = Face("@fontsource-variable/jost/files/jost-latin-wght-normal.woff2", wght=520)


# ---------------------------------------------------------------- the mark
def leaflet(x0, y0, x1, y1, wid):
    """lens-shaped leaf from (x0,y0) to (x1,y1), slightly curved upward"""
    dx, dy = x1 - x0, y1 - y0; L = math.hypot(dx, dy); nx, ny = -dy / L, dx / L
    if ny > 0: nx, ny = -nx, -ny          # normal that points up
    mx, my = x0 + dx * .5, y0 + dy * .5
    a = (mx + nx * wid * 0.15, my + ny * wid * 0.15)
    b = (mx - nx * wid * 1.55, my - ny * wid * 1.55)
    return f"M{x0:.2f} {y0:.2f}Q{a[0]:.2f} {a[1]:.2f} {x1:.2f} {y1:.2f}Q{b[0]:.2f} {b[1]:.2f} {x0:.2f} {y0:.2f}Z"


def mark_path(simple=False):
    """drop with a palm sprig cut out; 100 x 100 box, evenodd"""
    d = "M50 2C53 14 84 43 84 65A34 33 0 0 1 16 65C16 43 47 14 50 2Z"
    if simple:
        d += "M48.2 97.9L48.6 40Q50 34 51.4 40L51.8 97.9Z"
        rows = [(84, 73, 26, 7.2), (67, 55, 19, 6.2)]
    else:
        d += "M48.9 97.9L49.3 30Q50 26 50.7 30L51.1 97.9Z"
        rows = [(88.5, 79.5, 25.5, 5.6), (77.5, 66.5, 26.5, 5.8), (66, 53.5, 22.5, 5.2), (54.5, 41.5, 16, 4.2)]
    g = 2.6 if not simple else 4
    for yb, yt, w, th in rows:
        d += leaflet(50 + g, yb, 50 + g + w - 2, yt, th) + leaflet(50 - g, yb, 50 - g - w + 2, yt, th)
    return d


def mark(x, y, s, fill, simple=False):
    k = s / 100
    return f'<path fill="{fill}" fill-rule="evenodd" transform="translate({x - s/2:.3f} {y:.3f}) scale({k:.5f})" d="{mark_path(simple)}"/>'


def svg(w, h, body, title=None, extra=""):
    t = f"<title>{title}</title>" if title else ""
    role = ' role="img"' if title else ""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"{role}{extra}>{t}{body}</svg>\n'


def save(path, s):
    with open(path, "w") as f: f.write(s)


def logos():
    for name, ink, mk in (("", PAL["green"], PAL["amber"]), ("-light", PAL["cream"], PAL["honey"])):
        word = SERIFB.text(BRAND, 0, 0, 74, .16, "start", ink)
        w = SERIFB.last_w
        # horizontal lockup
        W = 84 + 22 + w + 4
        body = mark(42, 4, 92, mk) + f'<g transform="translate(100 76)">{word}</g>'
        save(f"{OUT}/logo{name}.svg", svg(round(W), 100, body, "Palmira"))
        # wordmark only
        save(f"{OUT}/wordmark{name}.svg", svg(round(w + 8), 64, f'<g transform="translate(2 58)">{word}</g>', "Palmira"))
        save(f"{OUT}/mark{name}.svg", svg(100, 100, mark(50, 0, 100, mk), "Palmira"))
        # stacked lockup
        W2 = round(w + 8)
        sub = SANS.text("PURE BATANA OIL", W2 / 2, 226, 20, .34, "middle", ink)
        save(f"{OUT}/logo-stacked{name}.svg", svg(W2, 240, mark(W2/2, 0, 104, mk) + f'<g transform="translate(2 184)">{word}</g>' + sub, "Palmira — Pure Batana Oil"))
    fav = f'<rect width="64" height="64" rx="15" fill="{PAL["green"]}"/>' + mark(32, 7.5, 50, "#E3A65C", True)
    save(f"{OUT}/favicon.svg", svg(64, 64, fav))
    subprocess.check_call(["rsvg-convert", "-w", "32", "-h", "32", f"{OUT}/favicon.svg", "-o", f"{OUT}/favicon-32.png"])
    save(f"{BUILD}/touch.svg", svg(64, 64, fav.replace(' rx="15"', "")))
    subprocess.check_call(["rsvg-convert", "-w", "180", "-h", "180", f"{BUILD}/touch.svg", "-o", f"{OUT}/apple-touch-icon.png"])


# ---------------------------------------------------------------- the label
def frond(cx, cy, length, ang, n=22, side=1.0, sw=0.012):
    """line-engraved palm frond; returns path d"""
    d = ""; pts = []
    for i in range(n + 1):
        t = i / n; a = ang + 0.75 * t * t * side
        if i == 0: x, y = cx, cy
        else: x, y = x + math.cos(a) * length / n, y + math.sin(a) * length / n
        pts.append((x, y, a))
    d += "M" + "L".join(f"{p[0]:.3f} {p[1]:.3f}" for p in pts)
    for i in range(2, n + 1):
        x, y, a = pts[i]; t = i / n
        L = length * (0.12 + .25 * math.sin(math.pi * min(1, t * .93 + .05)) ** .8) * (1 - .55 * t ** 3)
        for s in (-1, 1):
            b = a + s * (1.02 - .55 * t); c = b - s * .30
            mx, my = x + math.cos(b) * L * .55, y + math.sin(b) * L * .55
            ex, ey = mx + math.cos(c) * L * .5, my + math.sin(c) * L * .5 + .06 * L
            d += f"M{x:.3f} {y:.3f}Q{mx:.3f} {my:.3f} {ex:.3f} {ey:.3f}"
    return d


LW, LH = 10.9, 4.7     # cm; the label wraps around the bottle, front panel centred


def label():
    G, A, B = "#172A1F", PAL["amber"], "#25140A"; cx = LW / 2
    ink = []; foil = []
    # quiet line-engraved fronds either side of the front panel
    art = ""
    for sgn in (-1, 1):
        bx = cx + sgn * 2.55
        for (ox, ang, L) in ((0, -101, 3.2), (.4, -62, 2.75)):
            an = math.radians(ang if sgn > 0 else -180 - ang)
            art += frond(bx + sgn * ox * .3, 4.55, L, an, 24, sgn * (1 if ang > -90 else .25) * .8)
    ink.append(f'<path fill="none" stroke="{PAL["brass"]}" stroke-opacity=".42" stroke-width=".017" stroke-linecap="round" d="{art}" clip-path="url(#c)"/>')
    # top: mark + brand
    foil.append(mark(cx, .40, .56, "#fff"))
    ink.append(SERIFB.text(BRAND, cx, 1.34, .295, .22, "middle", G))
    foil.append(f'<rect x="{cx-.30}" y="1.555" width=".6" height=".018" fill="#fff"/>')
    # product name
    ink.append(SERIF.text("Pure", cx, 2.17, .60, -.005, "middle", B))
    ink.append(SERIF.text("Batana Oil", cx, 2.74, .60, -.005, "middle", B))
    ink.append(SANS.text("cold-pressed hair & skin oil", cx, 3.155, .212, .03, "middle", G))
    # bottom band
    ink.append(f'<rect x="0" y="3.86" width="{LW}" height=".84" fill="{G}"/>')
    ink.append(SANSM.text("2 FL OZ  /  60 ML".replace("ML", "ml").replace("FL OZ", "fl oz"), cx, 4.355, .235, .10, "middle", PAL["cream"]))
    # foil hairlines
    foil.append(f'<rect x="0" y=".13" width="{LW}" height=".03" fill="#fff"/><rect x="0" y="3.80" width="{LW}" height=".03" fill="#fff"/>')
    # side panels
    tx = cx - 4.35
    for i, t in enumerate(("100 % batana oil", "Elaeis oleifera", "Nothing added")):
        ink.append((ITAL if i == 1 else SANS).text(t, tx, 1.3 + i * .34, .2, .03, "middle", G))
    tx = cx + 4.35
    for i, t in enumerate(("Warm a few drops", "between the palms.", "Massage into hair,", "scalp or skin.")):
        ink.append(SANS.text(t, tx, 1.25 + i * .32, .19, .03, "middle", G))
    paper = f'<rect width="{LW}" height="{LH}" fill="{PAL["paper"]}"/>'
    clip = f'<clipPath id="c"><rect x="0" y=".25" width="{LW}" height="3.5"/></clipPath>'
    flat = "".join(foil).replace("#fff", PAL["brass"])
    save(f"{HERE}/label.svg", svg(LW, LH, clip + paper + "".join(ink) + flat))
    save(f"{HERE}/label_foil.svg", svg(LW, LH, f'<rect width="{LW}" height="{LH}" fill="#000"/>' + "".join(foil)))
    for n in ("label", "label_foil"):
        subprocess.check_call(["rsvg-convert", "-w", "4905", "-h", "2115", f"{HERE}/{n}.svg", "-o", f"{BUILD}/{n}.png"])


if __name__ == "__main__": logos(); label()
