import { expect, test } from "vitest";
import { defaultPicture, imageVariants, imageWidths } from "./product-image.ts";

const manifest = {
  "hero.jpg": { width: 2000, height: 1600, hash: "aaaa1111" },
  "label.jpg": { width: 760, height: 950, hash: "bbbb2222" },
  [defaultPicture]: { width: 1600, height: 1600, hash: "cccc3333" },
};

test("a picture is offered in every width up to its original, the JPEG at 1080", () => {
  expect(imageVariants(manifest, "hero.jpg", "The bottle")).toEqual({
    url: "/images/hero-1080.aaaa1111.jpg",
    alt: "The bottle",
    width: 1080,
    height: 864,
    srcset: {
      avif: [192, 480, 768, 1080, 1600, 2000].map((w) => `/images/hero-${w}.aaaa1111.avif ${w}w`).join(", "),
      webp: [192, 480, 768, 1080, 1600, 2000].map((w) => `/images/hero-${w}.aaaa1111.webp ${w}w`).join(", "),
    },
  });
});

test("a picture is never enlarged", () => {
  expect(imageWidths(760)).toEqual([192, 480, 760]);
  expect(imageWidths(400)).toEqual([192, 400]);
  expect(imageWidths(2400)).toEqual([192, 480, 768, 1080, 1600, 2000]);
  expect(imageVariants(manifest, "label.jpg", "")).toMatchObject({ width: 760, height: 950 });
});

test("a picture whose file is unknown is replaced by the default picture, but keeps its own alt text", () => {
  expect(imageVariants(manifest, "gone.jpg", "Gift box")).toMatchObject({
    url: "/images/product-front-1080.cccc3333.jpg",
    alt: "Gift box",
  });
});

test("a manifest without the default picture is an error", () => {
  expect(() => imageVariants({}, "gone.jpg", "")).toThrow("product-front.jpg");
});
