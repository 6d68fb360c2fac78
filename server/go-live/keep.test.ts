import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sectionAddress } from "../../app/features/admin/settings/settings-pages.ts";
import type { GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { passkeys, people } from "../people/tables.ts";

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

async function look(id: string): Promise<GoLiveCheck | undefined> {
  const { checks } = (await owner.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
  return checks.find((check) => check.id === id);
}
const keep = (check: string, browser = owner) => browser.post("/api/admin/go-live/keep", { check });

describe("a check of default settings", () => {
  test.each([
    ["shipping", "/admin/settings/shipping#shipping"],
    ["tax", "/admin/settings/tax#tax"],
    ["policies", "/admin/settings/returns#returns"],
    ["time_zone", "/admin/settings/shop#shop"],
  ])("(%s) links to its section, and is confirmed by one press, or two at once", async (id, to) => {
    expect(await look(id)).toMatchObject({ state: "warning", keep: "Keep as is", link: { to } });
    const settingsBefore = (await owner.get("/api/admin/settings")).body.data;
    const answers = await Promise.all([keep(id), keep(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await look(id)).toMatchObject({ state: "ok", keep: null, todo: null });
    const { revisions: _, ...kept } = (await owner.get("/api/admin/settings")).body.data;
    expect(settingsBefore).toMatchObject(kept);
  });

  test("is ok once the settings were changed, and confirming it then changes nothing", async () => {
    await send(owner, "PATCH", "/api/admin/settings", { returns: { days: 45 } });
    await keep("policies");
    expect((await look("policies"))?.detail).toBe("Returns are accepted for 45 days.");
  });
});

test("each link to the settings leads to an existing section", async () => {
  const { checks } = (await owner.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
  const places = checks.flatMap(({ link }) => (link?.to.startsWith("/admin/settings/") ? [link.to] : []));
  expect(places.length).toBeGreaterThan(5);
  for (const place of places) expect(sectionAddress(place.split("#")[1] ?? "")).toBe(place);
});

describe("a statement of the owner", () => {
  test("is a warning until confirmed and shows its date; the one about copies elsewhere is due again after a month", async () => {
    expect(await look("policies_read")).toMatchObject({ state: "warning", keep: "I have read the policies" });
    expect(await look("offsite_backup")).toMatchObject({ state: "warning", keep: "I keep copies elsewhere" });
    await keep("policies_read");
    await keep("offsite_backup");
    expect(await look("policies_read")).toMatchObject({ state: "ok", keep: null });
    expect((await look("offsite_backup"))?.detail).toMatch(
      /^You said on .* that copies are kept elsewhere\.$/,
    );
    shop.travel(31 * 24 * 60 * 60 * 1000);
    const later = await adminBrowser(shop);
    const { checks } = (await later.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
    const again = checks.find(({ id }) => id === "offsite_backup");
    expect(again).toMatchObject({ state: "warning", keep: "I keep copies elsewhere" });
    expect(again?.detail).toMatch(/Is that still so\?$/);
    shop.travel(-31 * 24 * 60 * 60 * 1000);
  });

  test("can be written only by the owner, and only about known checks", async () => {
    expect((await keep("tax", shop.browser())).status).toBe(401);
    expect((await keep("payments")).status).toBe(422);
  });
});

test("the check warns of a missing seller, passkey, founder’s photograph and certificate of a badge", async () => {
  expect(await look("founder")).toMatchObject({
    state: "warning",
    link: { to: "/admin/settings/giving#founder" },
    detail: expect.stringContaining("no photograph of the founder"),
  });
  expect(await look("seller")).toMatchObject({
    state: "warning",
    link: { to: "/admin/settings/shop#seller" },
    detail: expect.stringContaining("name and address"),
  });
  await send(owner, "PATCH", "/api/admin/settings", {
    seller: { legalName: "Palmira LLC", address: "1 Main St\nAustin, TX 78701" },
  });
  expect((await look("seller"))?.state).toBe("ok");

  expect((await look("passkey"))?.state).toBe("warning");
  const [person] = await shop.database.db
    .insert(people)
    .values({ name: "Ada", email: "ada@palmira.example", role: "owner", createdAt: new Date() })
    .returning();
  await shop.database.db.insert(passkeys).values({
    personId: person?.id ?? "",
    name: "Phone",
    credentialId: "key-1",
    publicKey: Buffer.from("key"),
    counter: 0,
    transports: [],
    isSynced: false,
    createdAt: new Date(),
  });
  expect((await look("passkey"))?.state).toBe("ok");

  const both = await look("badges");
  expect(both).toMatchObject({ state: "warning", link: { to: "/admin/settings/giving#certificates" } });
  expect(both?.detail).toMatch(/“Fair Trade” and “Sustainable” are shown/);
  await send(owner, "PATCH", "/api/admin/settings", {
    certificates: [{ name: "Fair Trade", number: "FT-4711", link: null }],
    badges: { sustainable: { isShown: false } },
  });
  expect(await look("badges")).toMatchObject({ state: "ok", detail: "Each badge has its certificate." });
});
