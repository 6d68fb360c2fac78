#!/usr/bin/env python3
"""The carton's front and side and the print of the shipping box. Like brand.py, whose type and drawings it uses."""
import math, subprocess
from brand import *

BW, BH = 4.7, 12.3


def carton():
    G, F, cx = "#1E3226", "#fff", BW / 2; ink, foil = [], []
    art = ""
    for sgn in (-1, 1):
        for ox, an, L in ((1.9, -98, 6.0), (1.3, -68, 5.2), (2.2, -118, 4.4)):
            a = math.radians(an if sgn > 0 else -180 - an); art += frond(cx + sgn * ox, 12.0, L, a, 30, sgn * .55)
    ink.append(f'<path fill="none" stroke="{PAL["brass"]}" stroke-opacity=".34" stroke-width=".02" stroke-linecap="round" d="{art}"/>')
    foil.append(mark(cx, 2.0, 1.0, F))
    foil.append(SERIFB.text(BRAND, cx, 3.75, .46, .22, "middle", F))
    foil.append(f'<rect x="{cx - .4}" y="4.13" width=".8" height=".022" fill="{F}"/>')
    ink.append(SERIF.text("Pure", cx, 5.2, .86, -.005, "middle", PAL["cream"])); ink.append(SERIF.text("Batana Oil", cx, 6.02, .86, -.005, "middle", PAL["cream"]))
    ink.append(SANS.text("cold-pressed hair & skin oil", cx, 6.62, .265, .03, "middle", "#d9cfb9"))
    ink.append(SANSM.text("2 fl oz  /  60 ml", cx, 11.55, .27, .10, "middle", PAL["cream"]))
    foil.append(f'<rect x=".28" y=".28" width="{BW - .56}" height="{BH - .56}" fill="none" stroke="{F}" stroke-width=".022"/>')
    out("carton", BW, BH, f'<rect width="{BW}" height="{BH}" fill="{G}"/>' + "".join(ink), "".join(foil), 1400)
    side = [SANS.text(t, cx, 5.6 + i * .5, .28, .03, "middle", PAL["cream"]) for i, t in enumerate(("100 % batana oil", "Nothing added"))]
    out("carton_side", BW, BH, f'<rect width="{BW}" height="{BH}" fill="{G}"/>' + "".join(side), f'<rect x=".28" y=".28" width="{BW - .56}" height="{BH - .56}" fill="none" stroke="#fff" stroke-width=".022"/>' + mark(cx, 4.0, .8, "#fff"), 900)


def parcel():
    W, H = 24, 16; cx = W / 2
    body = mark(cx, 3.4, 3.9, PAL["green"]) + SERIFB.text(BRAND, cx, 10.2, 1.85, .2, "middle", PAL["green"]) + SANS.text("PURE BATANA OIL", cx, 11.9, .62, .32, "middle", PAL["green"])
    save(f"{HERE}/parcel_print.svg", svg(W, H, body)); subprocess.check_call(["rsvg-convert", "-w", "2400", f"{HERE}/parcel_print.svg", "-o", f"{BUILD}/parcel_print.png"])
    cw, ch = 9, 6
    card = f'<rect width="{cw}" height="{ch}" fill="#F6EFE2"/><rect x=".3" y=".3" width="{cw - .6}" height="{ch - .6}" fill="none" stroke="{PAL["brass"]}" stroke-width=".03"/>' + mark(cw / 2, .95, 1.0, PAL["amber"]) + SERIF.text("Thank you", cw / 2, 3.5, 1.15, -.005, "middle", PAL["green"]) + SANS.text("A few drops, warm hands.", cw / 2, 4.55, .38, .03, "middle", PAL["bark"])
    save(f"{HERE}/card.svg", svg(cw, ch, card)); subprocess.check_call(["rsvg-convert", "-w", "1400", f"{HERE}/card.svg", "-o", f"{BUILD}/card.png"])


def out(name, w, h, ink, foil, px):
    save(f"{HERE}/{name}.svg", svg(w, h, ink + foil.replace("#fff", PAL["brass"])))
    save(f"{HERE}/{name}_foil.svg", svg(w, h, f'<rect width="{w}" height="{h}" fill="#000"/>' + foil))
    for n in (name, name + "_foil"): subprocess.check_call(["rsvg-convert", "-w", str(px), f"{HERE}/{n}.svg", "-o", f"{BUILD}/{n}.png"])


if __name__ == "__main__": carton(); parcel()
