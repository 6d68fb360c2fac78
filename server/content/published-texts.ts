import type { Block } from "../../domain/content/blocks.ts";
import { type ContentKey, type ContentText, contentTextSchema } from "../../domain/content/content.ts";
import { contentKeys, contentPages } from "../../domain/content/pages.ts";
import type { BaseContext } from "../platform/base-context.ts";
import { checkContent } from "./check.ts";
import { defaultText, readDefaultTexts } from "./default-texts.ts";
import { readVersions } from "./queries.ts";

/** `blocks`: the body with unfilled placeholders. `publishedAt` is null for the default text. */
type PublishedText = { text: ContentText; blocks: Block[]; publishedAt: Date | null };

export type ReadContent = (key: ContentKey) => Promise<PublishedText>;

/** Published texts, cached until another one is published. */
export function openContent({
  db,
  changes,
  health,
}: Pick<BaseContext, "db" | "changes" | "health">): ReadContent {
  readDefaultTexts();
  const readTexts = changes.cached(["content"], async () => {
    const { published } = await readVersions(db, contentTextSchema, contentKeys);
    const unreadable: string[] = [];
    const texts = contentKeys.map((key): [ContentKey, PublishedText] => {
      const version = published.find((text) => text.key === key);
      if (version?.text) {
        const { blocks, problems } = checkContent(key, version.text, true);
        // A newer version of the shop may have published facts unknown to this one; the default text is shown instead.
        if (Object.keys(problems).length === 0)
          return [key, { text: version.text, blocks, publishedAt: new Date(version.at) }];
        unreadable.push(contentPages[key].name);
      }
      const { text } = defaultText(key);
      return [key, { text, blocks: checkContent(key, text).blocks, publishedAt: null }];
    });
    const names = unreadable.join(", ");
    health.report("content", names === "" ? null : `cannot be read, the default texts are shown: ${names}`, {
      canSell: true,
    });
    return new Map(texts);
  });
  return async (key) => {
    const text = (await readTexts()).get(key);
    if (!text) throw new Error(`there is no text ${key}`);
    return text;
  };
}
