import { type Block, fillLine, fillPlaceholders } from "../../domain/content/blocks.ts";
import type { ContentKey, ContentText, ShownContent } from "../../domain/content/content.ts";
import { type PageFacts, pageFacts, type ShownFacts } from "../../domain/content/page-facts.ts";
import type { ShopContext } from "../context.ts";

/** A text as shown on a page: placeholders are replaced by their current values. */
export type PageContent = { head: ShownContent; blocks: Block[]; facts: ShownFacts };

export async function readFacts(ctx: ShopContext): Promise<PageFacts> {
  const [settings, giving, product] = await Promise.all([ctx.settings(), ctx.giving(), ctx.products.hero()]);
  ctx.changes.dependOn("connections");
  return pageFacts({
    settings,
    giving,
    provider: ctx.provider.name,
    addressLookup: ctx.config.addressLookup?.provider ?? null,
    priceCents: product?.price ?? null,
  });
}

export async function readPageContent(ctx: ShopContext, key: ContentKey): Promise<PageContent> {
  const [facts, { text, blocks }] = await Promise.all([readFacts(ctx), ctx.content(key)]);
  const { delivery, givingPercent, giving, mission } = facts;
  return {
    head: shownContent(text, facts),
    blocks: fillPlaceholders(blocks, facts),
    facts: { delivery, givingPercent, giving, mission },
  };
}

/** The title, heading and description of a text with current values. */
export function shownContent(text: ContentText, facts: PageFacts): ShownContent {
  const fill = (line: string) => fillLine(line, facts);
  const title = fill(text.title);
  const line = facts.conditions.giving ? text.heading : text.headingWithoutGiving || text.heading;
  return {
    title,
    description: fill(text.description),
    lead: fill(text.lead),
    heading: fill(line) || title,
  };
}
