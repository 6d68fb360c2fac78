import * as v from "valibot";
import type { NewsletterText } from "../../domain/campaigns/campaign.ts";
import type { Product } from "../../domain/catalog/product.ts";
import { withFacts } from "../../domain/content/blocks.ts";
import { discountSentence, discountState } from "../../domain/discounts/discount-terms.ts";
import type { WelcomeOffer } from "../../domain/newsletter/newsletter.ts";
import type { Email, RenderedEmail, Sender } from "../../domain/outbox/email.ts";
import { isVisible } from "../../domain/shared/required-text.ts";
import type { ShopContext } from "../context.ts";
import { lookUpDiscount } from "../discounts/queries.ts";
import { type Mail, mailContext, renderWith } from "../outbox/compose.ts";
import { unsubscribeUrl } from "../outbox/optouts.ts";
import { readLetterBody } from "./letter-body.ts";
import { findCampaign } from "./queries.ts";

export type NewsletterEmail = { email: Extract<Email, { kind: "newsletter" }>; sender: Sender };
/** Field -> why the newsletter cannot be sent. */
type NewsletterProblems = Record<string, string>;

/**
 * The newsletter as it would be sent now, and the problems that prevent sending. `unsubscribe`: address of its unsubscribe link.
 */
async function composeNewsletter(
  ctx: ShopContext,
  text: NewsletterText,
  { unsubscribe, isTest = false }: { unsubscribe: string; isTest?: boolean },
): Promise<NewsletterEmail & { problems: NewsletterProblems; discountId: number | null }> {
  const { publicUrl } = ctx.config;
  const hasCode = text.code !== null;
  const problems: NewsletterProblems = {};
  const { subject, preheader, heading, body, buttonLabel, buttonUrl } = text;
  if (!isVisible(subject)) problems.subject = "Please write a subject";
  const isFact = (name: string) => hasCode && name === "code";
  const letter = await readLetterBody(ctx.db, { body, publicUrl, isFact });
  if (!isVisible(body)) problems.body = "Please write something";
  else if (letter.problems.length > 0) problems.body = letter.problems.slice(0, 5).join("\n");
  if (buttonLabel !== "" && buttonUrl === "") problems.buttonUrl = "Please enter the button’s link";
  if (buttonUrl !== "" && buttonLabel === "") problems.buttonLabel = "Please enter the button’s label";
  const product = text.productId === null ? null : await findProduct(ctx, text.productId);
  if (text.productId !== null && product === null) problems.productId = "This product is not in the shop";
  const offer = text.code === null ? null : await offerOf(ctx, text.code, text.personalCodes);
  if (text.code !== null && offer === null) problems.code = "This code cannot be used now";
  const facts = { named: { code: offer?.code ?? null } };
  const { toShopper } = await mailContext(ctx);
  return {
    email: {
      kind: "newsletter",
      subject,
      preheader,
      heading,
      parts: letter.parts.map((part) =>
        part.kind === "words" ? { ...part, blocks: withFacts(part.blocks, facts) } : part,
      ),
      product: product && {
        name: product.name,
        image: product.images[0]?.url ?? null,
        priceCents: product.price,
        url: withCode(`${publicUrl}/product/${product.slug}`, offer),
      },
      button:
        buttonLabel === "" || buttonUrl === ""
          ? null
          : {
              label: buttonLabel,
              url: buttonUrl.startsWith("/") ? withCode(publicUrl + buttonUrl, offer) : buttonUrl,
            },
      offer,
      unsubscribeUrl: unsubscribe,
      isTest,
    },
    sender: toShopper,
    discountId: offer?.discountId ?? null,
    problems,
  };
}

/** A link into the shop that brings the newsletter's code to checkout. */
function withCode(url: string, offer: WelcomeOffer | null): string {
  if (offer === null) return url;
  const address = new URL(url);
  address.searchParams.set("code", offer.code);
  return address.href;
}

async function findProduct(ctx: ShopContext, id: number): Promise<Product | null> {
  return (await ctx.products.list()).find((product) => product.id === id) ?? null;
}

async function offerOf(
  ctx: ShopContext,
  code: string,
  isPersonal: boolean,
): Promise<(WelcomeOffer & { discountId: number | null }) | null> {
  const { id, personalCode, terms, used, now, timeZone } = await lookUpDiscount(ctx, {
    code,
    visitorId: null,
  });
  // A reader's own code is for one order, and not for all readers.
  if (terms === null || personalCode !== null) return null;
  if (["ended", "used_up", "off"].includes(discountState({ ...terms, used }, now))) return null;
  if (!isPersonal) return { discountId: id, code: terms.code, sentence: discountSentence(terms, timeZone) };
  const sentence = `${discountSentence({ ...terms, limitPerCustomer: null }, timeZone)} This code is yours alone and works once.`;
  return { discountId: id, code: sampleCode, sentence };
}

/** The newsletter is rendered once, with this address's unsubscribe link and this code, which each recipient's own replace. */
const sampleAddress = "reader@example.com";
const sampleCode = "XXXXX-XXXXX";

/** Renders the newsletter with a sample's unsubscribe link and code. `forRecipient` puts a recipient's own in their place. */
export async function renderNewsletter(ctx: ShopContext, text: NewsletterText) {
  const link = { publicUrl: ctx.config.publicUrl, secret: ctx.secret, now: ctx.now };
  const sample = unsubscribeUrl(link, sampleAddress, "newsletter");
  const { email, sender, problems, discountId } = await composeNewsletter(ctx, text, { unsubscribe: sample });
  const rendered = Object.keys(problems).length > 0 ? null : await renderWith(null, email, sender);
  return {
    /** The discount of which each recipient needs a personal code; null: they need none. */
    discountId: text.personalCodes ? discountId : null,
    problems,
    rendered,
    sender,
    forRecipient(address: string, code: string | null): { rendered: RenderedEmail; unsubscribeUrl: string } {
      if (rendered === null)
        throw new Error(`the newsletter has problems: ${Object.keys(problems).join(", ")}`);
      const ownUrl = unsubscribeUrl(link, address, "newsletter");
      const own = (words: string) =>
        words.replaceAll(sample, ownUrl).replaceAll(sampleCode, code ?? sampleCode);
      return {
        rendered: { subject: rendered.subject, html: own(rendered.html), text: own(rendered.text) },
        unsubscribeUrl: ownUrl,
      };
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
    const { email, sender } = await composeNewsletter(context, campaign, { unsubscribe, isTest: true });
    return { email, sender, recipient, secret: null, unsubscribeUrl: unsubscribe };
  },
} satisfies Mail;
