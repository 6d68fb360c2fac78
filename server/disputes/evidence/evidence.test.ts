import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../../test/admin.ts";
import { order } from "../../../test/checkout.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import type { TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { orders } from "../../orders/tables.ts";
import { draftEvidence } from "./draft.ts";
import { findDispute } from "./read.ts";
import { sendEvidence } from "./send.ts";

const dayMs = 24 * 60 * 60 * 1000;
const parcel = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };

let shop: StripeShop;
let owner: TestBrowser;
let staff: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop({ OWNER_EMAIL: "owner@palmira.example" });
  owner = await adminBrowser(shop);
  const person = { name: "Sam", email: "sam@palmira.example", role: "staff" };
  const { body } = await owner.post("/api/admin/people", person);
  staff = shop.browser();
  const token = new URL(body.data.link).searchParams.get("token");
  expect((await staff.post("/api/admin/invitation", { token })).status).toBe(200);
});
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

type DisputedOrder = { orderId: string; intentId: string; disputeId: string; path: string };

async function deliverEventsFrom(action: () => void): Promise<void> {
  const from = shop.stripe.events.length;
  action();
  await shop.send(...shop.stripe.events.slice(from));
  await shop.jobsDone();
}

/** Places and ships an order whose buyer then disputes the payment. */
async function createDisputedOrder(
  disputeFields: Parameters<StripeShop["stripe"]["dispute"]>[1] = {},
  changes: Parameters<typeof order>[1] = {},
): Promise<DisputedOrder> {
  const { body } = await order(shop.browser(), changes);
  const { orderId, paymentIntentId: intentId } = body;
  await deliverEventsFrom(() => void shop.stripe.pay(intentId));
  const shipResponse = await owner.post(`/api/admin/orders/${orderId}/ship`, parcel);
  expect(shipResponse.status).toBe(200);
  await deliverEventsFrom(() => void shop.stripe.dispute(intentId, disputeFields));
  const disputeId = shop.stripe.findDispute(intentId).id;
  return { orderId, intentId, disputeId, path: `/api/admin/disputes/${disputeId}` };
}

async function createDraft(...args: Parameters<typeof createDisputedOrder>) {
  const disputedOrder = await createDisputedOrder(...args);
  const { status, body } = await owner.post(`${disputedOrder.path}/evidence`);
  expect(status).toBe(200);
  return { ...disputedOrder, evidence: body.data.evidence };
}

async function readDispute({ path }: DisputedOrder) {
  return (await owner.get(path)).body.data;
}

async function upload(
  browser: TestBrowser,
  { path }: DisputedOrder,
  {
    slot,
    bytes,
    name = "proof.pdf",
  }: { slot: string; bytes: string | Uint8Array<ArrayBuffer>; name?: string },
) {
  const form = new FormData();
  form.set("slot", slot);
  form.set("file", new File([bytes], name));
  const response = await browser.fetch(`${path}/files`, { method: "POST", body: form });
  return { status: response.status, body: await response.json() };
}

const countAnswers = ({ disputeId }: DisputedOrder) =>
  shop.stripe.requests.filter(({ method, path }) => method === "POST" && path === `/v1/disputes/${disputeId}`)
    .length;

const readNotes = async ({ orderId }: DisputedOrder): Promise<(string | null)[]> =>
  (await owner.get(`/api/admin/orders/${orderId}`)).body.data.events.map(
    ({ note }: { note: string | null }) => note,
  );

describe("the draft of an answer to a dispute", () => {
  test("has the order's facts, receipt, messages and policy, and leaves unknown fields empty", async () => {
    const email = "writer@example.com";
    const message = { name: "Ada", email, subject: "order", message: "It came, thank you!" };
    expect((await shop.browser().post("/api/contact", message)).status).toBe(201);
    const disputedOrder = await createDisputedOrder({ reason: "product_not_received" }, { email });
    expect(await readDispute(disputedOrder)).toMatchObject({ evidence: null, problem: null });

    const { body } = await staff.post(`${disputedOrder.path}/evidence`);
    const { evidence } = body.data;
    expect(evidence).toMatchObject({ status: "draft", revision: 1, sentAt: null, failure: null });
    expect(evidence.texts).toMatchObject({
      customerEmailAddress: email,
      customerPurchaseIp: "",
      billingAddress: "",
      shippingCarrier: "UPS",
      shippingTrackingNumber: parcel.trackingNumber,
      duplicateChargeExplanation: "",
    });
    expect(evidence.texts.productDescription).toContain("Batana Oil");
    expect(evidence.texts.uncategorizedText).toContain("It was shipped on");
    expect(evidence.files.map(({ slot }: { slot: string }) => slot).sort()).toEqual([
      "customerCommunication",
      "receipt",
      "refundPolicy",
    ]);
    for (const { id, size } of evidence.files) {
      const file = await owner.fetch(`${disputedOrder.path}/files/${id}`);
      expect(file.headers.get("content-type")).toBe("application/pdf");
      const bytes = Buffer.from(await file.arrayBuffer());
      expect([bytes.subarray(0, 5).toString(), bytes.length]).toEqual(["%PDF-", size]);
    }
    // A second call returns the same draft.
    expect((await owner.post(`${disputedOrder.path}/evidence`)).body.data.evidence).toEqual(evidence);
  });

  test("contains no secret tokens of links that were pasted into texts", async () => {
    const disputedOrder = await createDisputedOrder();
    const dispute = await findDispute(shop.database.db, disputedOrder.disputeId);
    if (!dispute) throw new Error("no dispute");
    const link = `https://shop.example/orders/${disputedOrder.orderId}?token=1.t4x9ab.${"Ab-_9".repeat(8)}xyz`;
    await shop.database.db
      .update(orders)
      .set({ customerName: `Ada ${link}` })
      .where(eq(orders.id, disputedOrder.orderId));
    const { texts } = (await draftEvidence(shop.ctx, dispute)) ?? {};
    expect(texts?.customerName).toContain("?token=removed");
    expect(JSON.stringify(texts)).not.toContain("Ab-_9");
  });

  test("about an alleged duplicate charge names the customer’s other order", async () => {
    const email = "twice@example.com";
    const first = await order(shop.browser(), { email });
    await deliverEventsFrom(() => void shop.stripe.pay(first.body.paymentIntentId));
    const { evidence } = await createDraft({ reason: "duplicate" }, { email });
    expect(evidence.texts.duplicateChargeId).toBe(first.body.paymentIntentId);
    expect(evidence.texts.duplicateChargeExplanation).toContain(`order #${first.body.orderNumber}`);
  });

  test("is saved; an edit of an older revision is refused, and the response has the current one", async () => {
    const disputedOrder = await createDraft();
    const { texts, revision } = disputedOrder.evidence;
    const staffTexts = { ...texts, uncategorizedText: "Mine" };
    expect(
      (await send(staff, "PUT", `${disputedOrder.path}/evidence`, { revision, texts: staffTexts })).status,
    ).toBe(200);
    const ownerTexts = { ...texts, uncategorizedText: "Theirs" };
    const refused = await send(owner, "PUT", `${disputedOrder.path}/evidence`, {
      revision,
      texts: ownerTexts,
    });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: "invalid_state", current: { evidence: { revision: 2, texts: staffTexts } } },
    });
    const tooLong = { ...texts, shippingCarrier: "x".repeat(201) };
    const invalid = await send(owner, "PUT", `${disputedOrder.path}/evidence`, {
      revision: 2,
      texts: tooLong,
    });
    expect(invalid).toMatchObject({
      status: 422,
      body: { fields: { "texts.shippingCarrier": "Use at most 200 characters" } },
    });
    // A page that shows an older revision can neither delete nor send it.
    expect((await send(owner, "DELETE", `${disputedOrder.path}/evidence`, { revision })).status).toBe(409);
    expect((await owner.post(`${disputedOrder.path}/send`, { revision })).status).toBe(409);
    expect((await send(owner, "DELETE", `${disputedOrder.path}/evidence`, { revision: 2 })).status).toBe(200);
    expect((await readDispute(disputedOrder)).evidence).toBe(null);
  });

  test("accepts one file per kind of proof, of the right type and within the banks' size limit", async () => {
    const disputedOrder = await createDraft();
    const wrongType = await upload(owner, disputedOrder, {
      slot: "shippingDocumentation",
      bytes: "PK word",
      name: "a.pdf",
    });
    expect(wrongType.body.fields.file).toContain("not a PDF, JPEG or PNG");
    expect((await upload(owner, disputedOrder, { slot: "selfie", bytes: "%PDF-1.4" })).status).toBe(422);
    const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
    const photo = { slot: "shippingDocumentation", bytes: jpeg, name: 'to "door".png' };
    const added = await upload(staff, disputedOrder, photo);
    const [file] = added.body.data.evidence.files.filter(({ slot }: { slot: string }) => slot === photo.slot);
    expect(file).toMatchObject({ name: "to _door_.jpg", type: "image/jpeg", origin: "upload", size: 4 });
    const large = Buffer.alloc(4_490_000, "%PDF-");
    const tooLarge = await upload(owner, disputedOrder, { slot: "shippingDocumentation", bytes: large });
    expect(tooLarge.body.fields.file).toContain("4.5 MB");
    expect((await readDispute(disputedOrder)).evidence.files).toContainEqual(file);
    expect((await send(owner, "DELETE", `${disputedOrder.path}/files/${file.id}`)).status).toBe(200);
    expect((await owner.fetch(`${disputedOrder.path}/files/${file.id}`)).status).toBe(404);
  });
});

describe("sending the answer to a dispute", () => {
  test("uploads the files, answers the dispute once even if requested repeatedly, and shows the answer", async () => {
    const disputedOrder = await createDraft({ reason: "fraudulent" });
    const { revision } = disputedOrder.evidence;
    const responses = await Promise.all(
      [1, 2, 3].map(() => owner.post(`${disputedOrder.path}/send`, { revision })),
    );
    expect(responses.map(({ status }) => status).sort()).toContain(200);
    await deliverEventsFrom(() => {});
    const after = await readDispute(disputedOrder);
    expect(after).toMatchObject({
      dispute: { status: "under_review" },
      evidence: { status: "sent", failure: null },
      problem: "It was answered: the bank decides.",
    });
    expect(countAnswers(disputedOrder)).toBe(1);
    const { evidence, evidence_details: details } = shop.stripe.findDispute(disputedOrder.intentId);
    expect(details.submission_count).toBe(1);
    expect(evidence).toMatchObject({
      shipping_tracking_number: parcel.trackingNumber,
      receipt: expect.stringMatching(/^file_/),
      refund_policy: expect.stringMatching(/^file_/),
    });
    expect(evidence).not.toHaveProperty("billing_address");
    expect((await readNotes(disputedOrder)).filter((note) => note?.startsWith("Evidence sent"))).toEqual([
      "Evidence sent to the bank ($35.90)",
    ]);
    // Sent evidence cannot be changed.
    const { texts } = after.evidence;
    const lateEdit = { revision: after.evidence.revision, texts: { ...texts, uncategorizedText: "More" } };
    expect((await send(owner, "PUT", `${disputedOrder.path}/evidence`, lateEdit)).status).toBe(409);
    expect((await upload(owner, disputedOrder, { slot: "receipt", bytes: "%PDF-1.4" })).status).toBe(409);
    await deliverEventsFrom(() => void shop.stripe.closeDispute(disputedOrder.disputeId, "won"));
    expect((await readDispute(disputedOrder)).dispute.status).toBe("won");
  });

  test.each([
    ["a lost response", "lose"],
    ["an error after the answer was accepted", "fail-after-work"],
  ] as const)("submits it only once even after %s", async (_title, how) => {
    const disputedOrder = await createDraft();
    const path = `/v1/disputes/${disputedOrder.disputeId}`;
    shop.stripe.failNext({ path, method: "POST", how, times: 2 });
    const { revision } = disputedOrder.evidence;
    const { status, body } = await shop.withoutJobs(() =>
      owner.post(`${disputedOrder.path}/send`, { revision }),
    );
    expect([status, body.data.evidence.status]).toEqual([202, "sending"]);
    shop.stripe.endTrouble();
    await shop.retryNow();
    await shop.jobsDone();
    expect((await readDispute(disputedOrder)).evidence.status).toBe("sent");
    expect(shop.stripe.findDispute(disputedOrder.intentId).evidence_details.submission_count).toBe(1);
  });

  test("keeps the draft, with the reason, if the provider refuses it; the owner is notified if a retry was refused", async () => {
    const disputedOrder = await createDraft();
    const { revision } = disputedOrder.evidence;
    shop.stripe.failNext({ path: "/v1/files", how: 403 });
    const forbidden = await owner.post(`${disputedOrder.path}/send`, { revision });
    expect(forbidden).toMatchObject({ status: 409, body: { current: { evidence: { status: "draft" } } } });
    expect(forbidden.body.message).toContain("Stripe key may not answer disputes");
    expect((await readDispute(disputedOrder)).evidence.failure).toBe(forbidden.body.message);

    shop.stripe.failNext({ path: "/v1/disputes", method: "GET", how: 500, times: 4 });
    expect((await owner.post(`${disputedOrder.path}/send`, { revision })).status).toBe(202);
    shop.stripe.endTrouble();
    shop.stripe.failNext({ path: `/v1/disputes/${disputedOrder.disputeId}`, method: "POST", how: 400 });
    await shop.retryNow();
    await shop.jobsDone();
    await shop.retryNow();
    await shop.jobsDone();
    const { attention } = (await owner.get(`/api/admin/orders/${disputedOrder.orderId}`)).body.data;
    expect(attention.map(({ kind }: { kind: string }) => kind)).toContain("evidence_refused");
    expect((await owner.post(`${disputedOrder.path}/send`, { revision })).status).toBe(200);
  });

  test("is allowed only to the owner, and requires the access code for amounts above the owner’s limit", async () => {
    const disputedOrder = await createDraft();
    const { revision } = disputedOrder.evidence;
    const paths = [`${disputedOrder.path}/send`, `${disputedOrder.path}/accept`] as const;
    for (const path of paths) expect((await staff.post(path, { revision, amount: 3590 })).status).toBe(403);
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 1000 });
    shop.travel(20 * 60_000);
    for (const path of paths) {
      const { status, body } = await owner.post(path, { revision, amount: 3590 });
      expect([status, body.error]).toEqual([403, "confirmation_required"]);
    }
    shop.travel(-20 * 60_000);
    expect((await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null })).status).toBe(200);
    expect(countAnswers(disputedOrder)).toBe(0);
  });

  test("is refused after the deadline or the end of the dispute", async () => {
    const dueBy = Math.floor(Date.now() / 1000) + 600;
    const overdue = await createDraft({ dueBy });
    shop.travel(1_200_000);
    const refused = await owner.post(`${overdue.path}/send`, { revision: overdue.evidence.revision });
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("deadline") } });
    shop.travel(-1_200_000);
    await deliverEventsFrom(() => void shop.stripe.closeDispute(overdue.disputeId, "lost"));
    const afterEnd = await owner.post(`${overdue.path}/send`, { revision: overdue.evidence.revision });
    expect(afterEnd).toMatchObject({ status: 409, body: { message: expect.stringContaining("is over") } });
  });

  test("is refused if the dispute was answered in the provider’s dashboard in the meantime", async () => {
    const disputedOrder = await createDraft();
    shop.stripe.answerDispute(disputedOrder.disputeId);
    const { status, body } = await owner.post(`${disputedOrder.path}/send`, {
      revision: disputedOrder.evidence.revision,
    });
    expect([status, body.message]).toEqual([409, expect.stringContaining("dashboard")]);
    expect((await readDispute(disputedOrder)).dispute.status).toBe("under_review");
    expect(countAnswers(disputedOrder)).toBe(0);
  });

  test("can answer an inquiry, and then the dispute that follows it", async () => {
    const disputedOrder = await createDraft({ isInquiry: true });
    const { revision } = disputedOrder.evidence;
    expect((await owner.post(`${disputedOrder.path}/send`, { revision })).status).toBe(200);
    await deliverEventsFrom(() => void shop.stripe.escalateInquiry(disputedOrder.disputeId));
    expect(await readDispute(disputedOrder)).toMatchObject({
      problem: null,
      evidence: { status: "draft", revision },
    });
    expect((await owner.post(`${disputedOrder.path}/send`, { revision })).status).toBe(200);
    expect(shop.stripe.findDispute(disputedOrder.intentId).evidence_details.submission_count).toBe(2);
  });
});

describe("accepting a dispute", () => {
  test("books the loss once, and is refused if the amount is not the confirmed one", async () => {
    const disputedOrder = await createDisputedOrder();
    expect((await owner.post(`${disputedOrder.path}/accept`, { amount: 3591 })).status).toBe(409);
    shop.stripe.failNext({ path: `/v1/disputes/${disputedOrder.disputeId}/close`, how: "lose", times: 2 });
    const responses = await Promise.all(
      [1, 2].map(() => owner.post(`${disputedOrder.path}/accept`, { amount: 3590 })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await readDispute(disputedOrder)).dispute).toMatchObject({ status: "lost", chargedBack: 3590 });
    const notes = await readNotes(disputedOrder);
    expect(notes.filter((note) => note?.includes("accepted"))).toHaveLength(1);
    await deliverEventsFrom(() => {});
  });

  test("is refused for an inquiry, and while the provider is unavailable", async () => {
    const inquiry = await createDisputedOrder({ isInquiry: true });
    const response = await owner.post(`${inquiry.path}/accept`, { amount: 3590 });
    expect(response.body.message).toContain("Refund the order");
    const disputedOrder = await createDisputedOrder();
    shop.stripe.failNext({ path: "/v1/disputes", how: 503, times: 8 });
    const unavailable = await owner.post(`${disputedOrder.path}/accept`, { amount: 3590 });
    expect([unavailable.status, unavailable.body.error]).toEqual([502, "provider_unavailable"]);
    expect((await readDispute(disputedOrder)).dispute.status).toBe("needs_response");
  });
});

test("the owner is reminded three days and one day before the deadline, once each, with a link to the dispute's page", async () => {
  const disputedOrder = await createDisputedOrder({ dueBy: Math.floor((Date.now() + 10 * dayMs) / 1000) });
  const countReminders = async () => {
    const [job] = shop.cron.filter(({ task }) => task.job.name === "remind_of_disputes");
    await job?.task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
    await shop.jobsDone();
    return keptMail(shop, "owner@palmira.example", "attention").filter((text) =>
      text.includes("has to be answered by"),
    ).length;
  };
  const counts = [await countReminders()];
  for (const days of [7.5, 0, 2, 0]) {
    shop.travel(days * dayMs);
    counts.push(await countReminders());
  }
  shop.travel(-9.5 * dayMs);
  const [before = 0] = counts;
  expect(counts.map((count) => count - before)).toEqual([0, 1, 1, 2, 2]);
  const [last = ""] = keptMail(shop, "owner@palmira.example", "attention").slice(-1);
  expect(last).toContain(`/admin/disputes/${disputedOrder.disputeId}`);
  expect(last).toContain("Nothing has been drafted");
});

test("a repeated job sends no second answer, and no draft is made from an order whose data was erased", async () => {
  const disputedOrder = await createDraft();
  await owner.post(`${disputedOrder.path}/send`, { revision: disputedOrder.evidence.revision });
  await sendEvidence(shop.ctx, disputedOrder.disputeId);
  expect(countAnswers(disputedOrder)).toBe(1);
  const dispute = await findDispute(shop.database.db, disputedOrder.disputeId);
  await shop.database.pool.query("update orders set erased_at = now() where id = $1", [
    disputedOrder.orderId,
  ]);
  expect(dispute && (await draftEvidence(shop.ctx, dispute))).toBe(null);
  await shop.database.pool.query("update orders set erased_at = null where id = $1", [disputedOrder.orderId]);
});
