import { afterAll, describe, expect, test } from "vitest";
import { sectionPath } from "../../app/features/admin/settings/settings-pages.ts";
import type { GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { openTestShop } from "../../test/shop.ts";
import { passkeys, people } from "../people/tables.ts";

const shop = await openTestShop();
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

async function readCheck(id: string): Promise<GoLiveCheck | undefined> {
  const { checks } = (await owner.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
  return checks.find((check) => check.id === id);
}
const confirmCheck = (check: string, browser = owner) => browser.post("/api/admin/go-live/keep", { check });

describe("a go-live check of default settings", () => {
  test.each([
    ["shipping", "/admin/settings/shipping#shipping"],
    ["tax", "/admin/settings/tax#tax"],
    ["policies", "/admin/settings/returns#returns"],
    ["time_zone", "/admin/settings/shop#shop"],
  ])("(%s) links to its section, and can be confirmed, even by two concurrent calls", async (id, to) => {
    expect(await readCheck(id)).toMatchObject({ state: "warning", keep: "Keep as is", link: { to } });
    const settingsBefore = (await owner.get("/api/admin/settings")).body.data;
    const responses = await Promise.all([confirmCheck(id), confirmCheck(id)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readCheck(id)).toMatchObject({ state: "ok", keep: null, todo: null });
    const { revisions: _, ...settingsAfter } = (await owner.get("/api/admin/settings")).body.data;
    expect(settingsBefore).toMatchObject(settingsAfter);
  });

  test("is ok once the settings have been changed, and confirming it then changes nothing", async () => {
    await send(owner, "PATCH", "/api/admin/settings", { returns: { days: 45 } });
    await confirmCheck("policies");
    expect((await readCheck("policies"))?.detail).toBe("Returns are accepted for 45 days.");
  });
});

test("each check's link to the settings leads to an existing section", async () => {
  const { checks } = (await owner.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
  const links = checks.flatMap(({ link }) => (link?.to.startsWith("/admin/settings/") ? [link.to] : []));
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect(sectionPath(link.split("#")[1] ?? "")).toBe(link);
});

describe("a check that the owner confirms", () => {
  test("is a warning until confirmed, then shows the date; copies elsewhere must be confirmed again after a month", async () => {
    expect(await readCheck("policies_read")).toMatchObject({
      state: "warning",
      keep: "I have read the policies",
    });
    expect(await readCheck("offsite_backup")).toMatchObject({
      state: "warning",
      keep: "I keep copies elsewhere",
    });
    await confirmCheck("policies_read");
    await confirmCheck("offsite_backup");
    expect(await readCheck("policies_read")).toMatchObject({ state: "ok", keep: null });
    expect((await readCheck("offsite_backup"))?.detail).toMatch(
      /^You said on .* that copies are kept elsewhere\.$/,
    );
    shop.travel(31 * 24 * 60 * 60 * 1000);
    const laterBrowser = await adminBrowser(shop);
    const { checks } = (await laterBrowser.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
    const dueAgain = checks.find(({ id }) => id === "offsite_backup");
    expect(dueAgain).toMatchObject({ state: "warning", keep: "I keep copies elsewhere" });
    expect(dueAgain?.detail).toMatch(/Is that still so\?$/);
    shop.travel(-31 * 24 * 60 * 60 * 1000);
  });

  test("can be confirmed by the owner only; other checks cannot be confirmed", async () => {
    expect((await confirmCheck("tax", shop.browser())).status).toBe(401);
    expect((await confirmCheck("payments")).status).toBe(422);
  });
});

test("the checks warn of a missing seller, passkey, founder’s photograph and certificate of a badge", async () => {
  expect(await readCheck("founder")).toMatchObject({
    state: "warning",
    link: { to: "/admin/settings/giving#founder" },
    detail: expect.stringContaining("no photograph of the founder"),
  });
  expect(await readCheck("seller")).toMatchObject({
    state: "warning",
    link: { to: "/admin/settings/shop#seller" },
    detail: expect.stringContaining("name and address"),
  });
  await send(owner, "PATCH", "/api/admin/settings", {
    seller: { legalName: "Palmira LLC", address: "1 Main St\nAustin, TX 78701" },
  });
  expect((await readCheck("seller"))?.state).toBe("ok");

  expect((await readCheck("passkey"))?.state).toBe("warning");
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
  expect((await readCheck("passkey"))?.state).toBe("ok");

  const badgesCheck = await readCheck("badges");
  expect(badgesCheck).toMatchObject({
    state: "warning",
    link: { to: "/admin/settings/giving#certificates" },
  });
  expect(badgesCheck?.detail).toMatch(/“Fair Trade” and “Sustainable” are shown/);
  await send(owner, "PATCH", "/api/admin/settings", {
    certificates: [{ name: "Fair Trade", number: "FT-4711", link: null }],
    badges: { sustainable: { isShown: false } },
  });
  expect(await readCheck("badges")).toMatchObject({ state: "ok", detail: "Each badge has its certificate." });
});
