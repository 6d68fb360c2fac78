import { asc, eq, isNull, sql } from "drizzle-orm";
import { isDrawn } from "../../domain/catalog/product-image.ts";
import { connectionTitles } from "../../domain/connections/connections.ts";
import { isSampleSender } from "../../domain/labels/label-settings.ts";
import { labelProviders } from "../../domain/labels/labels.ts";
import { shownBadges } from "../../domain/settings/badges.ts";
import { countryName } from "../../domain/shared/country.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { homeCountry } from "../../domain/shipping/served-countries.ts";
import { freeShippingNote } from "../../domain/shipping/shipping-policy.ts";
import { productImages, products } from "../catalog/tables.ts";
import { stock } from "../inventory/tables.ts";
import { issues } from "../issues/tables.ts";
import { keyMode, tryCarrierKey } from "../label-providers/open.ts";
import { labels } from "../labels/tables.ts";
import { orders } from "../orders/tables.ts";
import { readSettings } from "../settings/queries.ts";
import { settings } from "../settings/tables.ts";
import {
  type Check,
  type CheckContext,
  type CheckResult,
  keysLink,
  linkAlone,
  ok,
  problem,
  settingsLink,
  timeText,
  warning,
  warningToConfirm,
} from "./check.ts";
import { findStatementTime } from "./statements.ts";

const shippingLink = settingsLink("shipping", "shipping", "Shipping");
const contactLink = settingsLink("contact", "contact", "Contact details");
const productsLink = { to: "/admin/products", label: "Manage Products" };

export const shopChecks: Check[] = [
  { id: "address", group: "shop", title: "Public address", run: checkPublicUrl },
  { id: "contact", group: "shop", title: "Contact details", run: checkContact },
  { id: "seller", group: "shop", title: "Seller", run: checkSeller },
  { id: "products", group: "shop", title: "Products", run: checkProducts },
  { id: "pictures", group: "shop", title: "Pictures", run: checkPictures },
  { id: "stock", group: "shop", title: "Stock", run: checkStock },
  { id: "time_zone", group: "shop", title: "Time zone", run: checkTimeZone },
  { id: "shipping", group: "shop", title: "Shipping", run: checkShipping },
  { id: "live_rates", group: "shop", title: "Live rates", run: checkLiveRates },
  { id: "postage_abroad", group: "shop", title: "Postage abroad", run: checkPostageAbroad },
  { id: "tax", group: "shop", title: "Tax", run: checkTax },
  { id: "policies", group: "shop", title: "Returns", run: checkReturns },
  { id: "policies_read", group: "shop", title: "Policies", run: checkPoliciesRead },
  { id: "badges", group: "shop", title: "Badges", run: checkBadges },
  { id: "founder", group: "shop", title: "Founder’s photograph", run: checkFounder },
  { id: "attention", group: "shop", title: "Needs attention", run: checkIssues },
];

function checkPublicUrl({ config: { publicUrl, trustProxy } }: CheckContext): CheckResult {
  if (!publicUrl.startsWith("https:")) {
    return problem(
      `The shop’s address is ${publicUrl}, without https. Cards, cookies and links in emails are not safe.`,
      "Whoever runs the server puts a web server with a certificate in front of the shop, sets its https address (PUBLIC_URL) and starts the shop again.",
    );
  }
  return trustProxy.length === 0
    ? warning(
        `${publicUrl} is on https, but the shop cannot tell shoppers apart: it sees the web server in front of it instead. Limits then count all of them as one.`,
        "Whoever runs the server enters that web server’s address (TRUST_PROXY; on the same machine 127.0.0.1,::1) and starts the shop again.",
      )
    : ok(`${publicUrl} is on https.`);
}

async function checkProducts({ db }: CheckContext): Promise<CheckResult> {
  const publishedProducts = await db
    .select({ name: products.name, price: products.priceCents })
    .from(products)
    .where(eq(products.published, true));
  if (publishedProducts.length === 0)
    return problem("No product is published.", ...linkAlone("Publish a product", productsLink));
  const freeProduct = publishedProducts.find(({ price }) => price === 0);
  if (freeProduct)
    return problem(
      `${freeProduct.name} costs nothing: it cannot be ordered.`,
      ...linkAlone("Set its price", productsLink),
    );
  return ok(
    `${publishedProducts.length} ${publishedProducts.length === 1 ? "product is" : "products are"} on sale.`,
  );
}

async function checkPictures({ db }: CheckContext): Promise<CheckResult> {
  const files = sql<string[]>`array_remove(array_agg(${productImages.file}), null)`;
  const publishedProducts = await db
    .select({ name: products.name, files })
    .from(products)
    .leftJoin(productImages, eq(productImages.productId, products.id))
    .where(eq(products.published, true))
    .groupBy(products.id)
    .orderBy(asc(products.id));
  const withoutPicture = publishedProducts.find((product) => product.files.length === 0);
  if (withoutPicture)
    return warning(`${withoutPicture.name} has no picture.`, ...linkAlone("Add a picture", productsLink));
  const drawnProduct = publishedProducts.find((product) => product.files.every(isDrawn));
  return drawnProduct
    ? warning(
        `${drawnProduct.name} is shown only by the drawn pictures that came with the shop.`,
        ...linkAlone("Add photographs", productsLink),
      )
    : ok("Every product on sale has a photograph.");
}

async function checkStock({ db }: CheckContext): Promise<CheckResult> {
  const { lowStockAt } = (await readSettings(db)).owner;
  const free = sql<number>`coalesce(${stock.onHand} - ${stock.reserved}, 0)`.mapWith(Number);
  const [scarcestProduct] = await db
    .select({ name: products.name, free })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .where(eq(products.published, true))
    .orderBy(asc(free))
    .limit(1);
  if (!scarcestProduct)
    return warning("There is nothing to count.", ...linkAlone("Publish a product", productsLink));
  if (scarcestProduct.free <= 0) {
    return problem(
      `${scarcestProduct.name} is sold out.`,
      ...linkAlone("Enter what is in stock", productsLink),
    );
  }
  return scarcestProduct.free <= lowStockAt
    ? warning(
        `${scarcestProduct.name} runs low: ${scarcestProduct.free} left.`,
        ...linkAlone("Enter what has arrived", productsLink),
      )
    : ok(`At least ${scarcestProduct.free} of every product on sale are in stock.`);
}

async function checkTimeZone(context: CheckContext): Promise<CheckResult> {
  const { timeZone } = (await readSettings(context.db)).owner;
  const name = timeZone.replaceAll("_", " ");
  return (await isSet(context, "timeZone"))
    ? ok(`Days, charts, exports and the emails to you follow ${name}.`)
    : warningToConfirm(
        "Keep as is",
        `Nobody has chosen a time zone yet: days begin and end as in ${name}.`,
        ...linkAlone("Choose a time zone", settingsLink("shop", "shop", "Shop")),
      );
}

async function checkShipping(context: CheckContext): Promise<CheckResult> {
  const { shipping } = (await readSettings(context.db)).shop;
  const isServed = shipping.zones.some(({ options }) => options.length > 0);
  if (!isServed)
    return problem(
      "No way to ship is set: nobody can order.",
      ...linkAlone("Enter a way to ship", shippingLink),
    );
  const note = freeShippingNote(shipping);
  const sentence = note === null ? "There is no free shipping." : `Shoppers read “${note}”.`;
  return (await isSet(context, "shipping"))
    ? ok(sentence)
    : warningToConfirm(
        "Keep as is",
        `The shipping prices the shop came with apply. ${sentence}`,
        ...linkAlone("Check prices, countries and days", shippingLink),
      );
}

async function checkTax(context: CheckContext): Promise<CheckResult> {
  const { tax } = (await readSettings(context.db)).shop;
  if (tax.mode === "table")
    return ok(`${tax.rates.length} ${tax.rates.length === 1 ? "rate applies" : "rates apply"}.`);
  return (await isSet(context, "tax"))
    ? ok("No tax is charged, as you decided.")
    : warningToConfirm(
        "Keep as is",
        "No tax is charged, because nothing was decided yet.",
        ...linkAlone("Enter tax rates", settingsLink("tax", "tax", "Tax")),
      );
}

async function checkReturns(context: CheckContext): Promise<CheckResult> {
  const { days } = (await readSettings(context.db)).shop.returns;
  const sentence = days === 0 ? "Returns are not accepted." : `Returns are accepted for ${days} days.`;
  return (await isSet(context, "returns"))
    ? ok(sentence)
    : warningToConfirm(
        "Keep as is",
        `The rules the shop came with apply. ${sentence}`,
        ...linkAlone("Check the rules", settingsLink("returns", "returns", "Returns")),
      );
}

async function checkContact({ db }: CheckContext): Promise<CheckResult> {
  const { email, location } = (await readSettings(db)).shop.contact;
  if (email === null) {
    return problem(
      "Shoppers find no email address on the contact page.",
      ...linkAlone("Enter an email address", contactLink),
    );
  }
  return location === null
    ? warning("Shoppers do not learn where the shop is.", ...linkAlone("Enter the location", contactLink))
    : ok(`Shoppers find ${email} and ${location}.`);
}

async function checkSeller({ db }: CheckContext): Promise<CheckResult> {
  const { legalName, address } = (await readSettings(db)).shop.seller;
  const missingFields = [...(legalName === null ? ["name"] : []), ...(address === null ? ["address"] : [])];
  return missingFields.length === 0
    ? ok(`${legalName} sells, as emails, receipts and invoices say.`)
    : warning(
        `Shoppers do not learn who sells: the seller’s ${missingFields.join(" and ")} ${missingFields.length === 1 ? "is" : "are"} missing. Until then, no invoices can be issued.`,
        ...linkAlone("Enter the seller", settingsLink("shop", "seller", "Seller")),
      );
}

/** Whether the owner has confirmed having read the policies, which the shop cannot judge. */
async function checkPoliciesRead({ db }: CheckContext): Promise<CheckResult> {
  const at = await findStatementTime(db, "policies_read");
  return at
    ? ok(`You said on ${await timeText({ db }, at)} that you have read the policies.`)
    : warningToConfirm(
        "I have read the policies",
        "The policies on shipping, returns, privacy and terms are the ones that the shop came with, or yours. They bind you.",
        "Read each as shoppers see it, and correct what does not apply to your shop.",
        { to: "/admin/content", label: "Read the policies" },
      );
}

async function checkBadges({ db }: CheckContext): Promise<CheckResult> {
  const { badges, certificates } = (await readSettings(db)).shop;
  const badgesShown = shownBadges(badges, certificates);
  const withoutProof = badgesShown.filter(({ certificate }) => certificate === null).map(({ name }) => name);
  if (withoutProof.length === 0) {
    return ok(badgesShown.length === 0 ? "No badges are shown." : "Each badge has its certificate.");
  }
  return warning(
    `${withoutProof.map((name) => `“${name}”`).join(" and ")} ${withoutProof.length === 1 ? "is" : "are"} shown as your own statement, without proof.`,
    "Enter the certificate’s number or link, change what you mean by it, or hide it.",
    settingsLink("giving", "certificates", "Change the badges"),
  );
}

async function checkFounder({ db }: CheckContext): Promise<CheckResult> {
  const { founderPicture } = (await readSettings(db)).shop;
  return founderPicture === null
    ? warning(
        "The story shows the place where the oil is made: there is no photograph of the founder.",
        "Shoppers like to see who they buy from. Add a photograph, and a name if you like.",
        settingsLink("giving", "founder", "Add a photograph"),
      )
    : ok("The home page and the story show your photograph.");
}

async function checkIssues({ db }: CheckContext): Promise<CheckResult> {
  const openCount = await db.$count(issues, isNull(issues.resolvedAt));
  return openCount === 0
    ? ok("Nothing is waiting for you.")
    : warning(
        `${openCount} ${openCount === 1 ? "issue waits" : "issues wait"} for you.`,
        ...linkAlone("See what needs attention", { to: "/admin#attention" }),
      );
}

/** Whether the owner has saved this group, changed or not. */
async function isSet({ db }: CheckContext, key: string): Promise<boolean> {
  return (await db.$count(settings, eq(settings.key, key))) > 0;
}

const carrierLink = { ...keysLink, to: `${keysLink.to}#easypost` };
const orSwitchOff = "Or switch live rates off under Shipping.";

/** Without a carrier's response, checkout silently shows the entered prices. */
async function checkLiveRates({ db, config }: CheckContext): Promise<CheckResult> {
  const { shop, owner } = await readSettings(db);
  const zones = shop.shipping.zones.filter(({ liveRates }) => liveRates);
  if (zones.length === 0) return ok("Off: the shipping prices that you entered apply.");
  const onText = `Live rates are on for ${list.format(zones.flatMap(({ countries }) => countryNames(countries)))}`;
  const ownPricesText = "Real orders are charged the shipping prices that you entered.";
  const keys = labelProviders.flatMap((name) => {
    const apiKey = config.labelKeys[name];
    return apiKey === null ? [] : [{ name, apiKey, mode: keyMode(name, apiKey) }];
  });
  if (keys.length === 0)
    return warning(
      `${onText}, but no carrier’s key is entered. ${ownPricesText}`,
      `Enter a key of EasyPost or Shippo under Keys and connections. ${orSwitchOff}`,
      carrierLink,
    );
  for (const { name, apiKey } of keys) {
    const trial = await tryCarrierKey(name, apiKey, config.apiBases[name]);
    if (trial.ok) continue;
    const detail = `${onText}, but ${connectionTitles[name]} gives no prices: ${trial.message}.`;
    const link = { ...keysLink, to: `${keysLink.to}#${name}` };
    if (trial.isUnreachable)
      return warning(detail, `Reload this page in a few minutes to try again. ${ownPricesText}`, link);
    return problem(detail, `Check the key under Keys and connections. ${orSwitchOff}`, link);
  }
  if (!keys.some(({ mode }) => mode === "live"))
    return warning(
      `${onText}, but only a test key of a carrier is entered. ${ownPricesText}`,
      `Before you sell, enter a live key under Keys and connections. ${orSwitchOff}`,
      carrierLink,
    );
  if (isSampleSender(owner.labels.sender))
    return warning(
      `${onText}, but the sender of parcels is still the sample. ${ownPricesText}`,
      `Enter your address under Labels. ${orSwitchOff}`,
      settingsLink("labels", "labels", "Labels"),
    );
  return ok(`${onText}, and the carrier accepts the key.`);
}

const postageDays = 90;

/**
 * Warns of countries whose labels cost more than their buyers paid for shipping. Only labels bought with real money count, except
 * labels of returns, replacements and exchanges, whose buyers pay no shipping.
 */
async function checkPostageAbroad({ db, now }: CheckContext): Promise<CheckResult> {
  const since = new Date(now().getTime() - postageDays * 24 * 60 * 60 * 1000);
  const { rows } = await db.execute<{ country: string; orders: number; cost: number; earned: number }>(sql`
    with postage as (
      select l.order_id, sum(l.amount_cents) as cents from ${labels} l
      where l.bought_at >= ${since} and l.mode = 'live' and l.return_id is null
        and (l.voided_at is null or l.refund_rejected_at is not null)
      group by l.order_id
    )
    select o.shipping ->> 'country' as country, count(*)::int as orders, sum(postage.cents)::int as cost,
      sum(o.shipping_cents)::int as earned
    from postage join ${orders} o on o.id = postage.order_id
    where o.shipping ->> 'country' <> ${homeCountry} and o.replaces_id is null and o.credit_cents = 0
    group by 1 order by sum(postage.cents) - sum(o.shipping_cents) desc`);
  const period = `in the last ${postageDays} days`;
  if (rows.length === 0) return ok(`No labels were bought for parcels abroad ${period}.`);
  const losses = rows.filter(({ cost, earned }) => cost > earned);
  const [worstLoss] = losses;
  if (!worstLoss) return ok(`What buyers paid for shipping abroad covered its labels ${period}.`);
  const { country, orders: count, cost, earned } = worstLoss;
  const otherLosses = losses.length === 1 ? "" : ` Other countries with a loss: ${losses.length - 1}.`;
  return warning(
    `Labels to ${countryName(country) ?? country} cost ${formatCents(cost)} ${period}, but buyers paid only ${formatCents(earned)} for shipping (${count} ${count === 1 ? "order" : "orders"}).${otherLosses}`,
    ...linkAlone("Raise the shipping price", shippingLink),
  );
}

const list = new Intl.ListFormat("en-US");

function countryNames(countries: readonly string[] | "*"): string[] {
  if (countries === "*") return ["all other countries"];
  const names = countries.map((code) => countryName(code) ?? code);
  return names.length > 3 ? [`${names.length} countries`] : names;
}
