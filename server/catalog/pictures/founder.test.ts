import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { soon } from "../../../test/patience.ts";
import { openTestShop } from "../../../test/shop.ts";
import { pictureOriginals } from "../tables.ts";
import { purgePictures } from "./jobs.ts";

const path = "/api/admin/founder-picture";
const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

const jpeg = (width = 900, height = 1100) =>
  sharp({ create: { width, height, channels: 3, background: "#b5703a" } })
    .jpeg()
    .toBuffer();

async function upload(bytes: Buffer, browser = admin) {
  const form = new FormData();
  form.set("image", new File([new Uint8Array(bytes)], "me.jpg"));
  const result = await browser.fetch(path, { method: "POST", body: form });
  return { status: result.status, body: await result.json() };
}
const readPage = async (path: string) => (await shop.browser().fetch(path)).text();
const readOriginals = async () =>
  (await shop.database.db.select({ file: pictureOriginals.file }).from(pictureOriginals)).map(
    ({ file }) => file,
  );
const readFounderCheck = async () =>
  (await admin.get("/api/admin/go-live")).body.data.checks.find(({ id }: { id: string }) => id === "founder");

test("home page and story show the workshop until a photograph of the founder is uploaded", async () => {
  for (const path of ["/", "/story"]) expect(await readPage(path)).toContain("/images/founder-workshop-");
  expect(await readFounderCheck()).toMatchObject({
    state: "warning",
    link: { to: "/admin/settings/giving#founder" },
  });

  const { status, body } = await upload(await jpeg());
  expect(status).toBe(201);
  const { file } = body.data;
  const name = file.replace(".jpg", "");
  const founder = { name: "Ada Obi", caption: "At the press in spring" };
  await admin.fetch("/api/admin/settings", {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ founder }),
  });
  for (const path of ["/", "/story"]) {
    await expect.poll(() => readPage(path), soon).toContain(`/images/${name}-`);
    const html = await readPage(path);
    expect(html).toContain('alt="Ada Obi"');
    expect(html).toContain("At the press in spring");
    expect(html).not.toContain("/images/founder-workshop-");
  }
  const [pictureUrl = ""] = /\/images\/u-[^" ]+\.avif/.exec(await readPage("/")) ?? [];
  expect((await shop.browser().fetch(pictureUrl)).status).toBe(200);
  expect((await readFounderCheck()).state).toBe("ok");
  // The purge keeps the picture that the settings refer to, however old it is.
  shop.travel(30 * 24 * 60 * 60 * 1000);
  await purgePictures(shop.ctx);
  shop.travel(-30 * 24 * 60 * 60 * 1000);
  expect(await readOriginals()).toContain(file);

  const second = await upload(await jpeg(700, 900));
  await expect.poll(() => readPage("/"), soon).toContain(second.body.data.file.replace(".jpg", ""));
  expect((await admin.fetch(path, { method: "DELETE" })).status).toBe(200);
  await expect.poll(() => readPage("/story"), soon).toContain("/images/founder-workshop-");
  shop.travel(8 * 24 * 60 * 60 * 1000);
  await purgePictures(shop.ctx);
  shop.travel(-8 * 24 * 60 * 60 * 1000);
  const remaining = await readOriginals();
  expect([file, second.body.data.file].filter((name) => remaining.includes(name))).toEqual([]);
});

test("a file that is not a picture is refused with a reason, and a stranger's upload with 401", async () => {
  const refused = await upload(Buffer.from("not a picture"));
  expect([refused.status, refused.body.fields.image]).toEqual([422, expect.stringMatching(/\w+/)]);
  expect((await upload(await jpeg(), shop.browser())).status).toBe(401);
});
