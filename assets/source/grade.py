#!/usr/bin/env python3
"""Final grade and export: build/*.png -> ../images/*.jpg (needs python3-pil, python3-numpy)
A light touch only: saturation, a small tone curve, a whisper of film grain."""
import os, sys
import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__)); B = os.path.join(HERE, "build"); OUT = os.path.join(HERE, "..", "images"); os.makedirs(OUT, exist_ok=True)
# source, output, saturation, contrast, gain(rgb), grain, sharpen
JOBS = [
    ("hero", "hero-bottle-on-stone", .88, .10, (1.0, .995, 1.0), .009, .5),
    ("front", "product-front", .97, .06, (1.008, 1.0, .990), .005, .5),
    ("dropper", "dropper-oil-drop", .92, .08, (1.0, .995, 1.0), .008, .5),
    ("lying", "bottle-oil-pool", .92, .08, (1.0, .995, 1.0), .008, .5),
    ("fruits", "bottle-palm-fruit", .95, .06, (1.0, .995, .99), .008, .5),
    ("palm", "oil-in-palm", .93, .08, (1.0, .995, 1.0), .008, .5),
    ("inhand", "bottle-in-hand", .93, .08, (1.0, .995, 1.0), .008, .5),
    ("hair", "oil-drops-on-hair", .95, .08, (1.0, .995, 1.0), .008, .5),
    ("box", "bottle-and-box", .92, .08, (1.0, .995, 1.0), .008, .5),
    ("parcel", "open-parcel", .93, .08, (1.0, .995, 1.0), .008, .5),
    ("letter", "letter", .92, .08, (1.0, .995, 1.0), .008, .5),
    ("answers", "answers", .92, .08, (1.0, .995, 1.0), .008, .5),
]
# crop, of, left, top, right, bottom
CROPS = [
    ("product-label", "product-front", 420, 440, 1180, 1390),
    ("palm-fruit-close", "bottle-palm-fruit", 718, 690, 1518, 1490),
    ("hair-drops-close", "oil-drops-on-hair", 420, 560, 1220, 1560),
    ("oil-in-palm-close", "oil-in-palm", 430, 355, 1150, 1255),
]
BYTES = 480_000


def save(im, name, q):
    while True:
        o = os.path.join(OUT, name + ".jpg"); im.save(o, quality=q, subsampling=0 if q > 89 else 1, optimize=True, progressive=True)
        if os.path.getsize(o) < BYTES or q <= 78: break
        q -= 1
    print(name, im.size, "q", q, os.path.getsize(o) // 1024, "kB")


only = sys.argv[1:]
for src, dst, sat, con, gain, grain, sharp in JOBS:
    if only and src not in only: continue
    p = os.path.join(B, src + ".png")
    if not os.path.exists(p): continue
    a = np.asarray(Image.open(p).convert("RGB")).astype(np.float32) / 255
    if sharp:          # isolated bright specks: brighter than every pixel of the ring two steps away
        l = a @ np.array([.2126, .7152, .0722], np.float32); P = np.pad(l, 2, "edge"); Q = np.pad(a, ((2, 2), (2, 2), (0, 0)), "edge"); h, w = l.shape
        ring = [(dy, dx) for dy in range(-2, 3) for dx in range(-2, 3) if max(abs(dy), abs(dx)) == 2]
        mx = np.max([P[2 + dy:2 + dy + h, 2 + dx:2 + dx + w] for dy, dx in ring], 0); av = np.mean([Q[2 + dy:2 + dy + h, 2 + dx:2 + dx + w] for dy, dx in ring], 0)
        m = l > mx + .07; a = np.where(m[..., None], av, a).astype(np.float32); print(src, "specks removed:", int(m.sum()))
    a = a * np.array(gain, np.float32)
    l = (a @ np.array([.2126, .7152, .0722], np.float32))[..., None]; a = l + (a - l) * sat
    s = a * a * (3 - 2 * a); a = a + (s - a) * con
    if sharp:
        k = np.pad(a, ((1, 1), (1, 1), (0, 0)), "edge"); bl = (k[:-2, 1:-1] + k[2:, 1:-1] + k[1:-1, :-2] + k[1:-1, 2:] + 4 * a) / 8; a = a + np.clip((a - bl) * sharp, -.05, .05)
    if grain:
        r = np.random.RandomState(1).normal(0, 1, a.shape[:2]).astype(np.float32); k = np.pad(r, 1, "wrap"); r = (k[:-2, 1:-1] + k[2:, 1:-1] + k[1:-1, :-2] + k[1:-1, 2:] + 2 * r) / 2.9
        a = a + (r * grain)[..., None] * (1 - .55 * np.abs(2 * l - 1))
    im = Image.fromarray((np.clip(a, 0, 1) * 255 + .5).astype(np.uint8)); save(im, dst, 88)
    for name, of, *edges in CROPS:
        if of == dst: save(im.crop(edges), name, 88)
