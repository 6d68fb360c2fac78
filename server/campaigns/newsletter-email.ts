import * as v from "valibot";
import type { NewsletterText } from "../../domain/campaigns/campaign.ts";
import type { Product } from "../../domain/catalog/product.ts";
import { type Block, fillPlaceholders, type Run } from "../../domain/content/blocks.ts";
import { discountSentence, discountState } from "../../domain/discounts/discount-terms.ts";
import type { WelcomeOffer } from "../../domain/newsletter/newsletter.ts";
import type { Email, RenderedEmail, Sender } from "../../domain/outbox/email.ts";
import { isVisible } from "../../domain/shared/required-text.ts";
import type { ShopContext } from "../context.ts";
import { randomCode } from "../discounts/personal-codes.ts";
import { lookUpDiscount } from "../discounts/queries.ts";
import { type Mail, mailContext, renderWith } from "../outbox/compose.ts";
import { unsubscribeUrl } from "../outbox/optouts.ts";
import { readNewsletterBody } from "./newsletter-body.ts";
import { findCampaign } from "./queries.ts";

type NewsletterEmail = { email: Extract<Email, { kind: "newsletter" }>; sender: Sender };
/** Field -> why the newsletter cannot be sent. */
type NewsletterProblems = Record<string, string>;

/**
 * The newsletter as it would be sent now, and the problems that prevent sending. `unsubscribe`: URL of its unsubscribe link;
 * `ownCode`: the personal code that it shows.
 */
async function composeNewsletter(
  ctx: ShopContext,
  text: NewsletterText,
  { unsubscribe, ownCode, isTest = false }: { unsubscribe: string; ownCode: string; isTest?: boolean },
): Promise<NewsletterEmail & { problems: NewsletterProblems; offer: Offer | null }> {
  const { publicUrl } = ctx.config;
  const hasCode = text.code !== null;
  const problems: NewsletterProblems = {};
  const { subject, preheader, heading, body, buttonLabel, buttonUrl } = text;
  if (!isVisible(subject)) problems.subject = "Please write a subject";
  const isFact = (name: string) => hasCode && name === "code";
  const content = await readNewsletterBody(ctx.db, { body, publicUrl, isFact });
  if (!isVisible(body)) problems.body = "Please write something";
  else if (!hasCode && /\{\{\s*code\s*\}\}/.test(body))
    problems.body = "Choose a discount code below, or remove {{code}}";
  else if (content.problems.length > 0) problems.body = content.problems.slice(0, 5).join("\n");
  if (buttonLabel !== "" && buttonUrl === "") problems.buttonUrl = "Please enter the button’s link";
  if (buttonUrl !== "" && buttonLabel === "") problems.buttonLabel = "Please enter the button’s label";
  const product = text.productId === null ? null : await findProduct(ctx, text.productId);
  if (text.productId !== null && product === null) problems.productId = "This product is not in the shop";
  const offer =
    text.code === null
      ? null
      : await readOffer(ctx, text.code, text.personalCodes ? { ownCode, isTest } : null);
  if (text.code !== null && offer === null) problems.code = "This code cannot be used now";
  const facts = { values: { code: offer?.code ?? null } };
  /** A link into the shop brings the newsletter's code to checkout. */
  const resolveLink = (url: string) => {
    const fullUrl = url.startsWith("/") ? publicUrl + url : url;
    return offer !== null && fullUrl.startsWith(`${publicUrl}/`) ? withCode(fullUrl, offer.code) : fullUrl;
  };
  const { shopperSender } = await mailContext(ctx);
  return {
    email: {
      kind: "newsletter",
      subject,
      preheader,
      heading,
      parts: content.parts.map((part) =>
        part.kind === "words"
          ? { ...part, blocks: withLinks(fillPlaceholders(part.blocks, facts), resolveLink) }
          : part,
      ),
      product: product && {
        name: product.name,
        image: product.images[0]?.url ?? null,
        priceCents: product.price,
        url: resolveLink(`/product/${product.slug}`),
      },
      button:
        buttonLabel === "" || buttonUrl === "" ? null : { label: buttonLabel, url: resolveLink(buttonUrl) },
      offer,
      unsubscribeUrl: unsubscribe,
      isTest,
    },
    sender: shopperSender,
    offer,
    problems,
  };
}

function withCode(url: string, code: string): string {
  const urlWithCode = new URL(url);
  urlWithCode.searchParams.set("code", code);
  return urlWithCode.href;
}

function withLinks(blocks: readonly Block[], resolveLink: (url: string) => string): Block[] {
  const linkRuns = (runs: readonly Run[]) =>
    runs.map((run) => (run.href === undefined ? run : { ...run, href: resolveLink(run.href) }));
  return blocks.map((block): Block => {
    if (block.kind === "list") return { ...block, items: block.items.map(linkRuns) };
    return block.kind === "paragraph" ? { ...block, words: linkRuns(block.words) } : block;
  });
}

async function findProduct(ctx: ShopContext, id: number): Promise<Product | null> {
  return (await ctx.products.list()).find((product) => product.id === id) ?? null;
}

/** `usesLeft` is null if any number of orders can use it. */
type Offer = WelcomeOffer & { discountId: number | null; usesLeft: number | null };

async function readOffer(
  ctx: ShopContext,
  code: string,
  personal: { ownCode: string; isTest: boolean } | null,
): Promise<Offer | null> {
  const { id, personalCode, terms, used, now, timeZone } = await lookUpDiscount(ctx, {
    code,
    visitorId: null,
  });
  // A personal code is for one order, and not for all recipients.
  if (terms === null || personalCode !== null) return null;
  if (["ended", "used_up", "off"].includes(discountState({ ...terms, used }, now))) return null;
  const { limitTotal } = terms;
  const shared = { discountId: id, usesLeft: limitTotal === null ? null : limitTotal - used };
  const sentence = discountSentence(terms, timeZone);
  if (personal === null) return { ...shared, code: terms.code, sentence };
  const sentences = [sentence, "This code is yours alone and works once."];
  if (limitTotal !== null)
    sentences.push(
      `The offer ends after ${limitTotal.toLocaleString("en-US")} ${limitTotal === 1 ? "order" : "orders"}.`,
    );
  if (personal.isTest) sentences.push(`${sampleCode} is a sample: each reader gets a code of their own.`);
  return { ...shared, code: personal.ownCode, sentence: sentences.join(" ") };
}

const sampleAddress = "reader@example.com";
/** Personal code shown in previews and test e-mails. */
const sampleCode = "XXXXX-XXXXX";

/**
 * Renders the newsletter once, with a sample unsubscribe link and code that no text contains. `forRecipient` replaces them with
 * the recipient's link and code.
 */
export async function renderNewsletter(ctx: ShopContext, text: NewsletterText) {
  const link = { publicUrl: ctx.config.publicUrl, secret: ctx.secret, now: ctx.now };
  const newsletterUnsubscribeUrl = (address: string) => unsubscribeUrl(link, address, "newsletter");
  const sampleUrl = newsletterUnsubscribeUrl(sampleAddress);
  const ownCode = randomCode();
  const newsletter = await composeNewsletter(ctx, text, { unsubscribe: sampleUrl, ownCode });
  const { email, sender, problems, offer } = newsletter;
  const rendered = Object.keys(problems).length > 0 ? null : await renderWith(null, email, sender);
  const renderFor = ({ subject, html, text }: RenderedEmail, url: string, code: string) => {
    const personalize = (words: string) => words.replaceAll(sampleUrl, url).replaceAll(ownCode, code);
    return { subject, html: personalize(html), text: personalize(text) };
  };
  return {
    /** The discount of which each recipient needs a personal code; null if they need none. */
    discountId: text.personalCodes ? (offer?.discountId ?? null) : null,
    usesLeft: offer?.usesLeft ?? null,
    problems,
    rendered: rendered && renderFor(rendered, sampleUrl, sampleCode),
    sender,
    forRecipient(address: string, code: string | null): { rendered: RenderedEmail; unsubscribeUrl: string } {
      if (rendered === null)
        throw new Error(`the newsletter has problems: ${Object.keys(problems).join(", ")}`);
      const unsubscribeUrl = newsletterUnsubscribeUrl(address);
      return { rendered: renderFor(rendered, unsubscribeUrl, code ?? sampleCode), unsubscribeUrl };
    },
  };
}

const testData = v.object({ campaignId: v.pipe(v.string(), v.transform(Number)) });

export const campaignsMail = {
  /** A test e-mail to the owner. send.ts e-mails subscribers. */
  async newsletter(context, message) {
    const { campaignId } = v.parse(testData, message.data);
    const campaign = await findCampaign(context.db, campaignId);
    if (campaign === null) return "unneeded";
    const { recipient } = context.owner;
    const unsubscribe = unsubscribeUrl(context, recipient ?? sampleAddress, "newsletter");
    const sample = { unsubscribe, ownCode: sampleCode, isTest: true };
    const { email, sender } = await composeNewsletter(context, campaign, sample);
    return { email, sender, recipient, secret: null, unsubscribeUrl: unsubscribe };
  },
} satisfies Mail;
