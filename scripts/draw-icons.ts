import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

/**
 * Draws the icons in `public/` from `public/favicon.svg`, and the e-mails' logo. Run by hand when the mark changes, and commit
 * what it makes.
 */
const folder = join(import.meta.dirname, "../public");
const icon = readFileSync(join(folder, "favicon.svg"), "utf8");
/** Without the rounded corners, for systems that cut their own shape. */
const square = icon.replace(/ rx="\d+"/, "");
/** Everything that matters within the middle 80%: the rest may be cut off. */
const maskable = square
  .replace('viewBox="0 0 64 64"', 'viewBox="-8 -8 80 80"')
  .replace(/<rect width="64" height="64"/, '<rect x="-8" y="-8" width="80" height="80"');

await save("icon-192.png", icon, 192);
await save("icon-512.png", icon, 512);
await save("icon-maskable-512.png", maskable, 512);
await save("apple-touch-icon.png", square, 180);
writeFileSync(join(folder, "favicon.ico"), icoOf([await draw(icon, 16), await draw(icon, 32)], [16, 32]));

// On a ground of its own: mail programs that turn colors around for a dark screen leave pictures alone.
const logo = await sharp(join(folder, "../assets/brand/logo-light.svg"), { density: 400 })
  .resize({ height: 64 })
  .toBuffer();
await sharp({ create: { width: 480, height: 144, channels: 3, background: "#233629" } })
  .composite([{ input: logo }])
  .png({ compressionLevel: 9, palette: true })
  .toFile(join(folder, "email-logo.png"));

async function save(file: string, svg: string, size: number): Promise<void> {
  writeFileSync(join(folder, file), await draw(svg, size));
}

/** Drawn at four times the size: small pictures come out sharper. */
function draw(svg: string, size: number): Promise<Buffer> {
  const density = (72 * 4 * size) / 64;
  return sharp(Buffer.from(svg), { density }).resize(size, size).png({ compressionLevel: 9 }).toBuffer();
}

/** A Windows icon file that holds PNGs: a header, an entry for each, the pictures. */
function icoOf(pngs: Buffer[], sizes: number[]): Buffer {
  const header = Buffer.from([0, 0, 1, 0, pngs.length, 0]);
  let offset = header.length + 16 * pngs.length;
  const entries = pngs.map((png, index) => {
    const entry = Buffer.alloc(16);
    entry.set([sizes[index] ?? 0, sizes[index] ?? 0, 0, 0, 1, 0, 32, 0]);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...pngs]);
}
