import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as v from "valibot";
import { easypost, shippo } from "./published-carriers.ts";

/**
 * A fault of a call. Before the purchase: a refusal (`refused`), a server error (`error`) or a lost connection (`gone`). After
 * the purchase: a lost connection (`cut`) or no response (`held`).
 */
type CarrierTrouble = "refused" | "error" | "gone" | "cut" | "held";

/** A label sold by a provider. `tracking`: its status in the provider's terms. `refund`: the result of a requested refund. */
type SoldLabel = {
  id: string;
  rate: string;
  number: string;
  isRefunded: boolean;
  refund?: "refunded" | "rejected";
  tracking: string;
};

export type FakeCarrier = {
  url: string;
  sold: SoldLabel[];
  /** Bodies of all requests that create shipments and read their rates. */
  shipmentRequests: unknown[];
  webhooks: string[];
  /** Faults of the next purchases, and of the next look-ups. */
  purchaseFaults: CarrierTrouble[];
  lookupFaults: CarrierTrouble[];
  /** Faults of the next requests for rates; `silent`: no response comes. */
  quoteFaults: (CarrierTrouble | "silent")[];
  /** Price in dollars of an additional service of EasyPost that has no delivery day; null if there is none. */
  datelessPrice: string | null;
  /** Whether no call gets a response. */
  isSilent: boolean;
  /** Number of calls. */
  calls: number;
  /** Whether the pictures of all labels are missing. */
  losesPictures: boolean;
  /** Whether every call is refused with 401. */
  refusesKey: boolean;
  /** Whether every refund is refused. */
  refundsNothing: boolean;
  /** Results of the next address checks: a corrected or an unknown address. */
  addresses: ("correct" | "unknown")[];
  close(): Promise<void>;
};

export const easypostKey = "EZTKtest0000000000000000";
export const shippoKey = "shippo_test_0000000000000000";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
const at = "2026-01-05T12:00:00Z";
const id = (start: string) => `${start}${randomBytes(12).toString("hex")}`;

type Call = { method: string; path: string; query: URLSearchParams; body: unknown };
/** A response, and the published schema that it must match. */
type FakeResponse = { status: number; schema: v.GenericSchema; body: unknown };

const ok = (schema: v.GenericSchema, body: unknown, status = 200): FakeResponse => ({ status, schema, body });

/** EasyPost's API on a free port of loopback. */
export async function startFakeEasyPost(): Promise<FakeCarrier> {
  const shipments = new Map<string, Record<string, unknown> & { rates: { id: string }[] }>();
  const refuse = (code: string, message: string, status = 422) =>
    ok(easypost.error, { error: { code, message, errors: [] } }, status);
  return start(
    `Basic ${Buffer.from(`${easypostKey}:`).toString("base64")}`,
    (fake, { method, path, body }) => {
      const { sent } = easypost;
      const shipmentResponse = (shipmentId: string) => {
        const sold = fake.sold.find((label) => label.id === shipmentId);
        return ok(easypost.shipment, {
          ...shipments.get(shipmentId),
          ...(sold && {
            tracking_code: sold.number,
            status: sold.tracking,
            refund_status: sold.isRefunded ? (sold.refund ?? "submitted") : null,
            selected_rate: shipments.get(shipmentId)?.rates.find((rate) => rate.id === sold.rate),
            postage_label: {
              object: "PostageLabel",
              id: id("pl_"),
              created_at: at,
              updated_at: at,
              label_size: "4x6",
              label_file_type: "image/png",
              label_resolution: 300,
              label_url: `${fake.url}/label.png`,
            },
          }),
        });
      };
      if (path === "/v2/shipments" && method === "GET")
        return ok(v.unknown(), { shipments: [], has_more: false });
      if (path === "/v2/webhooks" && method === "GET") {
        const webhooks = fake.webhooks.map((url) => ({
          id: "hook_1",
          object: "Webhook",
          mode: "test",
          url,
          disabled_at: null,
        }));
        return ok(easypost.webhooks, { webhooks });
      }
      if (path === "/v2/webhooks") {
        fake.webhooks.push(v.parse(sent.webhook, body).webhook.url);
        return ok(v.unknown(), {}, 201);
      }
      if (path === "/v2/addresses") {
        const { address } = v.parse(sent.address, body);
        const reaction = fake.addresses.shift();
        const isKnown = reaction !== "unknown";
        const error = {
          code: "E.ADDRESS.NOT_FOUND",
          field: "address",
          message: "Address not found",
          suggestion: null,
        };
        return ok(
          easypost.address,
          {
            id: id("adr_"),
            object: "Address",
            mode: "test",
            created_at: at,
            updated_at: at,
            company: null,
            email: null,
            residential: isKnown ? false : null,
            phone: null,
            ...address,
            street2: address.street2 ?? null,
            ...(reaction === "correct" && { street1: "417 MAIN ST", zip: "78701-4101" }),
            verifications: { delivery: { success: isKnown, errors: isKnown ? [] : [error], details: {} } },
          },
          201,
        );
      }
      if (path === "/v2/shipments") {
        const { shipment } = v.parse(sent.shipment, body);
        fake.shipmentRequests.push(shipment);
        const shipmentId = id("shp_");
        const rate = (service: string, price: string, days: number | null) => ({
          id: id("rate_"),
          object: "Rate",
          mode: "test",
          service,
          carrier: "USPS",
          rate: price,
          currency: "USD",
          created_at: at,
          updated_at: at,
          shipment_id: shipmentId,
          carrier_account_id: "ca_1",
          delivery_days: days,
          delivery_date: null,
          delivery_date_guaranteed: false,
          est_delivery_days: days,
        });
        shipments.set(shipmentId, {
          id: shipmentId,
          object: "Shipment",
          mode: "test",
          created_at: at,
          updated_at: at,
          reference: null,
          tracking_code: null,
          is_return: false,
          status: "unknown",
          refund_status: null,
          messages: [],
          rates: [
            rate("Express", "33.10", 1),
            rate("GroundAdvantage", "5.93", 3),
            rate("Priority", "6.90", 2),
            ...(fake.datelessPrice === null ? [] : [rate("ParcelSelect", fake.datelessPrice, null)]),
          ],
          selected_rate: null,
          postage_label: null,
        });
        return { ...shipmentResponse(shipmentId), status: 201 };
      }
      const [, , , shipmentId = "", action] = path.split("/");
      if (!shipments.has(shipmentId))
        return refuse("NOT_FOUND", "The requested resource could not be found.", 404);
      if (action === "buy") {
        const { rate } = v.parse(sent.buy, body);
        if (fake.sold.some((label) => label.id === shipmentId))
          return refuse("SHIPMENT.POSTAGE.EXISTS", "Postage already exists for this shipment.");
        fake.sold.push({
          id: shipmentId,
          rate: rate.id,
          number: newNumber(),
          isRefunded: false,
          tracking: "unknown",
        });
      }
      if (action === "refund") {
        const sold = fake.sold.find((label) => label.id === shipmentId);
        if (!sold || fake.refundsNothing)
          return refuse("SHIPMENT.REFUND.UNAVAILABLE", "Refund is not available.");
        sold.isRefunded = true;
      }
      return shipmentResponse(shipmentId);
    },
  );
}

const shippoRefunds = { pending: "REFUNDPENDING", refunded: "REFUNDED", rejected: "REFUNDREJECTED" };

/** Shippo's API on a free port of loopback. */
export async function startFakeShippo(): Promise<FakeCarrier> {
  const refuse = (detail: string, status = 400) => ok(shippo.refusal, { detail }, status);
  const owner = { object_created: at, object_updated: at, object_owner: "owner@example.com", test: true };
  return start(`ShippoToken ${shippoKey}`, (fake, { method, path, query, body }) => {
    const { sent } = shippo;
    const toTransaction = ({ id: object_id, rate, number, isRefunded, refund, tracking }: SoldLabel) => ({
      ...owner,
      object_id,
      rate,
      object_state: "VALID",
      status: isRefunded ? shippoRefunds[refund ?? "pending"] : "SUCCESS",
      label_file_type: "PNG",
      label_url: `${fake.url}/label.png`,
      tracking_number: number,
      tracking_status: tracking,
      messages: [],
    });
    if (path === "/transactions" && method === "GET") {
      const results = fake.sold.filter(({ rate }) => rate === query.get("rate")).map(toTransaction);
      return ok(shippo.transactions, { next: null, previous: null, results });
    }
    if (path === "/webhooks" && method === "GET") {
      const facts = { object_id: "hook", event: "track_updated", active: true, is_test: true };
      const results = fake.webhooks.map((url) => ({ ...facts, url }));
      return ok(shippo.webhooks, { count: results.length, results });
    }
    if (path === "/webhooks") {
      fake.webhooks.push(v.parse(sent.webhook, body).url);
      return ok(v.unknown(), {}, 201);
    }
    if (path === "/addresses") {
      const { validate: _, ...address } = v.parse(sent.address, body);
      const reaction = fake.addresses.shift();
      const isKnown = reaction !== "unknown";
      const message = {
        source: "Shippo Address Validator",
        code: "Unknown Street",
        type: "address_error",
        text: "The street could not be found",
      };
      return ok(
        shippo.address,
        {
          ...owner,
          object_id: id(""),
          is_complete: true,
          ...address,
          street2: address.street2 ?? "",
          phone: "",
          ...(reaction === "correct" && { street1: "417 Main St", zip: "78701-4101" }),
          validation_results: { is_valid: isKnown, messages: isKnown ? [] : [message] },
        },
        201,
      );
    }
    if (path === "/shipments") {
      fake.shipmentRequests.push(v.parse(sent.shipment, body));
      const shipment = id("");
      const rate = (provider: string, name: string, amount: string, days: number) => ({
        object_id: id(""),
        object_created: at,
        object_owner: owner.object_owner,
        test: true,
        shipment,
        carrier_account: "ca",
        amount,
        currency: "USD",
        amount_local: amount,
        currency_local: "USD",
        provider,
        attributes: [],
        servicelevel: { name, token: name.toLowerCase() },
        estimated_days: days,
      });
      return ok(
        shippo.shipment,
        {
          ...owner,
          object_id: shipment,
          metadata: "",
          status: "SUCCESS",
          carrier_accounts: [],
          messages: [],
          rates: [rate("UPS", "Ground", "9.15", 3), rate("USPS", "Ground Advantage", "5.81", 3)],
        },
        201,
      );
    }
    if (path === "/transactions") {
      const { rate } = v.parse(sent.transaction, body);
      const sold = { id: id(""), rate, number: newNumber(), isRefunded: false, tracking: "UNKNOWN" };
      fake.sold.push(sold);
      return ok(shippo.transaction, toTransaction(sold), 201);
    }
    if (path === "/refunds") {
      const { transaction } = v.parse(sent.refund, body);
      const sold = fake.sold.find((label) => label.id === transaction);
      if (!sold || fake.refundsNothing) return refuse("Refund is not available for this label.");
      sold.isRefunded = true;
      return ok(shippo.refund, { ...owner, object_id: id(""), transaction, status: "PENDING" }, 201);
    }
    return refuse("Not found.", 404);
  });
}

let labelCount = 0;
/** A USPS tracking number of 22 digits. */
function newNumber(): string {
  labelCount += 1;
  return `9400100110${String(labelCount).padStart(12, "0")}`;
}

async function start(
  authorization: string,
  handle: (fake: FakeCarrier, call: Call) => FakeResponse,
): Promise<FakeCarrier> {
  const server = createServer((request, response) => {
    result(request, response).catch((error: unknown) => {
      // The request or the response does not match the carrier's published API.
      console.error(error);
      response.writeHead(500).end("{}");
    });
  });
  const fake: FakeCarrier = {
    url: "",
    sold: [],
    shipmentRequests: [],
    webhooks: [],
    purchaseFaults: [],
    lookupFaults: [],
    quoteFaults: [],
    datelessPrice: null,
    isSilent: false,
    calls: 0,
    losesPictures: false,
    refusesKey: false,
    refundsNothing: false,
    addresses: [],
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function result(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "", "http://carrier.test");
    const { method = "GET", headers } = request;
    fake.calls += 1;
    if (fake.isSilent) return;
    if (path === "/label.png" && fake.losesPictures) return void response.writeHead(404).end();
    if (path === "/label.png") return void response.writeHead(200, { "Content-Type": "image/png" }).end(png);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (headers.authorization !== authorization || fake.refusesKey)
      return void send(401, { error: { code: "APIKEY.INACTIVE" } });
    const isPurchase = method === "POST" && (path.endsWith("/buy") || path === "/transactions");
    const isKeyTrial = query.has("page_size") || query.has("results");
    const isLookup =
      method === "GET" && (path.startsWith("/v2/shipments/") || query.has("rate") || isKeyTrial);
    const isQuote = method === "POST" && /^(\/v2)?\/shipments$/.test(path);
    const faults = isPurchase
      ? fake.purchaseFaults
      : isLookup
        ? fake.lookupFaults
        : isQuote
          ? fake.quoteFaults
          : [];
    const trouble = faults.shift();
    if (trouble === "silent") return;
    if (trouble === "gone") return void request.socket.destroy();
    if (trouble === "refused")
      return void send(422, {
        error: { code: "SHIPMENT.POSTAGE.FAILURE", message: "Another call is open." },
      });
    if (trouble === "error")
      return void send(503, { error: { code: "SERVICE.UNAVAILABLE", message: "Try again" } });
    const call = { method, path, query, body: text === "" ? null : JSON.parse(text) };
    const { status, schema, body } = handle(fake, call);
    // Throws if the response does not match the carrier's published API.
    v.parse(schema, body);
    if (trouble === "held") return;
    if (trouble === "cut") request.socket.destroy();
    else send(status, body);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
