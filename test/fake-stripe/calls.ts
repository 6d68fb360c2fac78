import type { Account, FakeDomain } from "./account.ts";
import { newId } from "./collection.ts";
import { evidenceFields } from "./disputes.ts";
import type { FakeIntent } from "./objects.ts";
import { nestedParams, type Params, readInteger, readMetadata, readText, refuseUnknown } from "./params.ts";
import { StripeProblem } from "./problem.ts";

type Handler = (account: Account, id: string, params: Params) => object;

/** The API calls that the fake supports: method, path with `:id`, handler. */
const calls: readonly [method: string, path: string, handle: Handler][] = [
  ["POST", "/v1/payment_intents", createIntent],
  ["GET", "/v1/payment_intents", listIntents],
  [
    "GET",
    "/v1/payment_intents/:id",
    (account, id, params) => withCharge(account, account.intent(id), params, "latest_charge"),
  ],
  ["POST", "/v1/payment_intents/:id/cancel", cancelIntent],
  ["POST", "/v1/checkout/sessions", createSession],
  ["GET", "/v1/checkout/sessions", listSessions],
  ["GET", "/v1/checkout/sessions/:id", (account, id) => account.session(id)],
  ["POST", "/v1/checkout/sessions/:id/expire", expireSession],
  ["POST", "/v1/refunds", createRefund],
  ["GET", "/v1/refunds", listRefunds],
  ["GET", "/v1/events", listEvents],
  ["GET", "/v1/refunds/:id", (account, id) => account.refund(id)],
  ["GET", "/v1/disputes", listDisputes],
  ["GET", "/v1/disputes/:id", ({ disputes }, id) => disputes.dispute(id)],
  ["POST", "/v1/disputes/:id", updateDispute],
  ["POST", "/v1/disputes/:id/close", closeDispute],
  ["POST", "/v1/files", addFile],
  ["GET", "/v1/radar/early_fraud_warnings/:id", ({ disputes }, id) => disputes.fraudWarning(id)],
  ["GET", "/v1/reviews/:id", ({ disputes }, id) => disputes.review(id)],
  [
    "GET",
    "/v1/webhook_endpoints",
    ({ webhookEndpoints }) => ({
      object: "list",
      data: webhookEndpoints.map(({ secret: _, ...endpoint }) => endpoint),
      has_more: false,
    }),
  ],
  ["POST", "/v1/webhook_endpoints", createEndpoint],
  ["DELETE", "/v1/webhook_endpoints/:id", deleteEndpoint],
  [
    "GET",
    "/v1/payment_method_domains",
    ({ domains }, _id, { domain_name: name }) => ({
      object: "list",
      data: domains.filter((domain) => domain.domain_name === name),
      has_more: false,
    }),
  ],
  ["POST", "/v1/payment_method_domains", createDomain],
  [
    "POST",
    "/v1/payment_method_domains/:id",
    (account, id) => ({ ...findDomain(account, id), enabled: true }),
  ],
  ["POST", "/v1/payment_method_domains/:id/validate", validateDomain],
  ["GET", "/v1/account", ({ id }) => ({ id: id(), object: "account" })],
  ["GET", "/v1/balance_transactions", listBalance],
  ["GET", "/v1/balance", () => ({ object: "balance", available: [], pending: [], livemode: false })],
];

/** Throws StripeProblem. */
export function handleCall(account: Account, method: string, path: string, params: Params): object {
  for (const [knownMethod, pattern, handle] of calls) {
    const match = new RegExp(`^${pattern.replace(":id", "(?<id>[^/]+)")}$`).exec(path);
    if (method === knownMethod && match) return handle(account, match.groups?.id ?? "", params);
  }
  throw new StripeProblem(
    404,
    "invalid_request_error",
    null,
    `Unrecognized request URL (${method}: ${path})`,
    true,
  );
}

/** Stripe sends events to https only, and allows 16 endpoints. */
function createEndpoint({ webhookEndpoints, now, livemode }: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["url", "enabled_events", "api_version", "description", "metadata"]);
  const url = readText(params, "url");
  if (!url.startsWith("https://")) throw StripeProblem.invalid("url_invalid", "Invalid URL: not https");
  if (webhookEndpoints.length >= 16)
    throw StripeProblem.invalid(null, "You have reached the maximum of 16 webhook endpoints.");
  const endpoint = {
    id: newId("we"),
    object: "webhook_endpoint" as const,
    api_version: readText(params, "api_version"),
    created: now(),
    description: readText(params, "description"),
    enabled_events: Object.values(nestedParams(params, "enabled_events")).map(String),
    livemode,
    metadata: readMetadata(params),
    secret: newId("whsec"),
    status: "enabled" as const,
    url,
  };
  webhookEndpoints.push(endpoint);
  return endpoint;
}

function deleteEndpoint({ webhookEndpoints }: Account, id: string): object {
  const index = webhookEndpoints.findIndex((endpoint) => endpoint.id === id);
  if (index < 0) throw StripeProblem.missing("webhook endpoint", id);
  webhookEndpoints.splice(index, 1);
  return { id, object: "webhook_endpoint", deleted: true };
}

function createDomain(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["domain_name", "enabled"]);
  const inactive = { status: "inactive", status_details: { error_message: "It does not answer." } };
  const domain = { id: newId("pmd"), object: "payment_method_domain", enabled: true, apple_pay: inactive };
  account.domains.push({ ...domain, domain_name: readText(params, "domain_name") });
  return findDomain(account, domain.id);
}

function validateDomain(account: Account, id: string): object {
  return Object.assign(findDomain(account, id), { apple_pay: { status: "active" } });
}

function findDomain({ domains }: Account, id: string): FakeDomain {
  const domain = domains.find((entry) => entry.id === id);
  if (!domain)
    throw new StripeProblem(404, "invalid_request_error", "resource_missing", "No such domain", true);
  return domain;
}

function createIntent(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["amount", "currency", "automatic_payment_methods", ...intentDetails]);
  const amount = readInteger(params, "amount");
  const currency = readCurrency(params);
  refuseTooSmall(amount);
  return account.addIntent({ amount, currency, ...readDetails(params) });
}

const intentDetails = ["description", "metadata", "receipt_email", "shipping", "statement_descriptor_suffix"];

/** An intent's parameters besides its amount, within Stripe's limits. */
function readDetails(params: Params) {
  const suffix = params.statement_descriptor_suffix;
  // Ten characters are left after the longest prefix that an account can have. A letter is required; some characters are refused.
  if (
    suffix !== undefined &&
    !/^(?=.*[A-Z])[^<>\\'"*]{1,10}$/i.test(readText(params, "statement_descriptor_suffix"))
  ) {
    throw StripeProblem.invalid(null, "The statement descriptor suffix is too long, or has no letter.");
  }
  if (
    params.receipt_email !== undefined &&
    !/^[\x21-\x7e]+@[a-z\d.-]+$/i.test(readText(params, "receipt_email"))
  ) {
    throw StripeProblem.invalid("email_invalid", `Invalid email address: ${params.receipt_email}`);
  }
  if (params.shipping !== undefined) {
    const shipping = nestedParams(params, "shipping");
    refuseUnknown(shipping, ["name", "address", "phone"]);
    readText(shipping, "name");
    const address = nestedParams(shipping, "address");
    refuseUnknown(address, ["line1", "line2", "city", "state", "postal_code", "country"]);
    readText(address, "line1");
    for (const name of Object.keys(address)) readText(address, name);
  }
  return {
    description: params.description === undefined ? null : readText(params, "description"),
    metadata: readMetadata(params),
    receipt_email: params.receipt_email === undefined ? null : readText(params, "receipt_email"),
    shipping: params.shipping === undefined ? null : nestedParams(params, "shipping"),
    statement_descriptor_suffix:
      suffix === undefined ? null : readText(params, "statement_descriptor_suffix"),
  };
}

function cancelIntent(account: Account, id: string, params: Params): object {
  refuseUnknown(params, ["cancellation_reason"]);
  account.cancel(account.intent(id));
  return account.intent(id);
}

/** Lists newest first, as Stripe does. */
function listIntents(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["created", "limit", "starting_after", "expand"]);
  const newest = [...account.intents.values()].reverse().filter(createdFilter(params));
  const expandedIntents = newest.map((intent) => withCharge(account, intent, params, "data.latest_charge"));
  return page(expandedIntents, params, "/v1/payment_intents");
}

function listSessions(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["created", "limit", "starting_after"]);
  const newest = [...account.sessions.values()].reverse().filter(createdFilter(params));
  return page(newest, params, "/v1/checkout/sessions");
}

/** Lists newest first. */
function listDisputes(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["created", "payment_intent", "limit", "starting_after"]);
  const { gte = "0", ...unknown } = nestedParams(params, "created");
  refuseUnknown(unknown, []);
  const intentId = params.payment_intent === undefined ? null : readText(params, "payment_intent");
  const newest = [...account.disputes.disputes.values()]
    .reverse()
    .filter(({ created }) => created >= Number(gte))
    .filter(({ payment_intent }) => intentId === null || payment_intent === intentId);
  return page(newest, params, "/v1/disputes");
}

function updateDispute({ disputes }: Account, id: string, params: Params): object {
  refuseUnknown(params, ["evidence", "submit", "metadata"]);
  const dispute = disputes.dispute(id);
  const evidence = nestedParams(params, "evidence");
  refuseUnknown(evidence, evidenceFields);
  const evidenceTexts = Object.keys(evidence).map((name) => [name, readText(evidence, name)]);
  disputes.update(dispute, Object.fromEntries(evidenceTexts), params.submit === "true");
  return dispute;
}

/** The owner accepts the dispute. */
function closeDispute({ disputes }: Account, id: string): object {
  const dispute = disputes.dispute(id);
  if (dispute.status !== "needs_response") {
    throw StripeProblem.refused(null, "This dispute is already closed, or cannot be closed.");
  }
  disputes.close(dispute, "lost");
  return dispute;
}

/** The form was parsed by the server (server.ts). */
function addFile({ disputes }: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["purpose", "file"]);
  if (readText(params, "purpose") !== "dispute_evidence")
    throw StripeProblem.invalid(null, "Invalid purpose");
  const file = nestedParams(params, "file");
  return disputes.addFile({
    filename: readText(file, "name"),
    size: readInteger(file, "size"),
    type: readText(file, "type"),
  });
}

/** The intent, with its charge instead of the charge's id if the call expands it. */
function withCharge<T extends FakeIntent>(account: Account, intent: T, params: Params, name: string): T {
  const isRequested = Object.values(nestedParams(params, "expand")).includes(name);
  return isRequested && intent.status === "succeeded"
    ? { ...intent, latest_charge: account.chargeObject(intent) }
    : intent;
}

const sessionParams = [
  "mode",
  "line_items",
  "adaptive_pricing",
  "customer_email",
  "client_reference_id",
  "metadata",
  "payment_intent_data",
  "success_url",
  "cancel_url",
  "expires_at",
];

function createSession(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, sessionParams);
  if (readText(params, "mode") !== "payment") throw StripeProblem.invalid(null, "Invalid mode");
  const lines = Object.values(nestedParams(params, "line_items")).map(parseLine);
  const currency = lines[0]?.currency;
  if (currency === undefined) throw StripeProblem.invalid("parameter_missing", "Missing line_items.");
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  refuseTooSmall(amount);
  return account.addSession(
    {
      amount_total: amount,
      currency,
      customer_email: params.customer_email === undefined ? null : readText(params, "customer_email"),
      expires_at: readExpiry(params),
      metadata: readMetadata(params),
      success_url: readText(params, "success_url"),
    },
    readSessionIntent(params),
  );
}

function readSessionIntent(params: Params) {
  const data = nestedParams(params, "payment_intent_data");
  refuseUnknown(data, intentDetails);
  return readDetails(data);
}

function parseLine(line: string | Params): { amount: number; currency: string } {
  if (typeof line === "string") throw StripeProblem.invalid(null, "Invalid object");
  refuseUnknown(line, ["price_data", "quantity"]);
  const price = nestedParams(line, "price_data");
  readText(nestedParams(price, "product_data"), "name");
  const unitAmount = readInteger(price, "unit_amount");
  if (unitAmount < 0) throw StripeProblem.invalid(null, "This value must be greater than or equal to 0.");
  return { amount: unitAmount * readInteger(line, "quantity"), currency: readCurrency(price) };
}

function readExpiry(params: Params): number {
  const now = Date.now() / 1000;
  if (params.expires_at === undefined) return Math.floor(now) + 24 * 3600;
  const expiresAt = readInteger(params, "expires_at");
  if (expiresAt < now + 30 * 60 || expiresAt > now + 24 * 3600) {
    throw StripeProblem.invalid(null, "`expires_at` must be between 30 minutes and 24 hours from now.");
  }
  return expiresAt;
}

function expireSession(account: Account, id: string): object {
  account.expireSession(account.session(id));
  return account.session(id);
}

function createRefund(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["payment_intent", "amount", "metadata", "reason"]);
  const intent = account.intent(readText(params, "payment_intent"));
  return account.addRefund(intent, readInteger(params, "amount"), readMetadata(params));
}

function listRefunds(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["payment_intent", "created", "limit", "starting_after"]);
  const intentId = params.payment_intent === undefined ? null : readText(params, "payment_intent");
  if (intentId !== null) account.intent(intentId);
  const newest = [...account.refunds.values()]
    .reverse()
    .filter(createdFilter(params))
    .filter(({ payment_intent }) => intentId === null || payment_intent === intentId);
  return page(newest, params, "/v1/refunds");
}

/** Charges with their fees, refunds, disputes and payouts, newest first, each with its source. */
function listBalance(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["created", "expand", "limit", "starting_after"]);
  const transaction = (
    id: string,
    created: number,
    details: { amount: number; fee?: number; reporting_category: string; source: object; currency?: string },
  ) => ({
    id,
    object: "balance_transaction",
    created,
    currency: "usd",
    fee: 0,
    description: null,
    type: "x",
    ...details,
  });
  const charges = [...account.intents.values()]
    .filter(({ status }) => status === "succeeded")
    .map(({ id, created, amount_received: amount, currency }) => {
      const source = { id: id.replace("pi", "ch"), object: "charge", payment_intent: id };
      const fee = Math.round(amount * 0.029) + 30;
      return transaction(`txn_${id}`, created, {
        amount,
        fee,
        currency,
        reporting_category: "charge",
        source,
      });
    });
  const refunds = [...account.refunds.values()]
    .filter(({ status }) => status === "succeeded")
    .map((refund) =>
      transaction(`txn_${refund.id}`, refund.created, {
        amount: -refund.amount,
        currency: refund.currency,
        reporting_category: "refund",
        source: refund,
      }),
    );
  const disputes = [...account.disputes.disputes.values()].flatMap((dispute) =>
    dispute.balance_transactions.map((balanceTransaction) => ({
      ...balanceTransaction,
      description: null,
      source: dispute,
    })),
  );
  const payouts = account.payouts.map((payout) =>
    transaction(`txn_${payout.id}`, payout.created, {
      amount: -payout.amount,
      reporting_category: "payout",
      source: { ...payout, object: "payout" },
    }),
  );
  const newest = [...charges, ...refunds, ...disputes, ...payouts].sort(
    (a, b) => b.created - a.created || b.id.localeCompare(a.id),
  );
  return page(newest.filter(createdFilter(params)), params, "/v1/balance_transactions");
}

const eventRetentionSeconds = 30 * 24 * 60 * 60;

/** Lists the events of the last 30 days, newest first. */
function listEvents(account: Account, _id: string, params: Params): object {
  refuseUnknown(params, ["created", "types", "limit", "starting_after", "ending_before"]);
  const types = Object.values(nestedParams(params, "types"));
  if (types.length > 20) throw StripeProblem.invalid(null, "Up to 20 types can be given");
  const newest = [...account.events]
    .reverse()
    .filter(({ created }) => created > account.now() - eventRetentionSeconds)
    .filter(({ type }) => types.length === 0 || types.includes(type));
  return page(newest, params, "/v1/events", createdFilter(params));
}

/** The filter for `created[gte]` and `created[lt]`. */
function createdFilter(params: Params): (object: { created: number }) => boolean {
  const { gte = "0", lt = "Infinity", ...unknown } = nestedParams(params, "created");
  refuseUnknown(unknown, []);
  return ({ created }) => created >= Number(gte) && created < Number(lt);
}

/** One page of the matching `items`. Any item's id may be used as a cursor. */
function page<T extends { id: string }>(
  items: T[],
  params: Params,
  url: string,
  isWanted: (item: T) => boolean = () => true,
): object {
  const limit = params.limit === undefined ? 10 : readInteger(params, "limit");
  if (limit < 1 || limit > 100) throw StripeProblem.invalid("parameter_invalid_integer", "Invalid limit");
  const cursorIndex = (name: string) => {
    const index = items.findIndex(({ id }) => id === params[name]);
    if (index === -1) throw StripeProblem.missing("object", readText(params, name));
    return index;
  };
  if (params.ending_before !== undefined) {
    const newer = items.slice(0, cursorIndex("ending_before")).filter(isWanted);
    return { object: "list", url, data: newer.slice(-limit), has_more: newer.length > limit };
  }
  const from = params.starting_after === undefined ? 0 : cursorIndex("starting_after") + 1;
  const remainingItems = items.slice(from).filter(isWanted);
  return {
    object: "list",
    url,
    data: remainingItems.slice(0, limit),
    has_more: remainingItems.length > limit,
  };
}

function readCurrency(params: Params): string {
  const currency = readText(params, "currency");
  if (!/^[a-z]{3}$/.test(currency)) throw StripeProblem.invalid(null, `Invalid currency: ${currency}`);
  return currency;
}

function refuseTooSmall(amount: number): void {
  if (amount < 50) throw StripeProblem.invalid("amount_too_small", "Amount must be at least $0.50 usd");
}
