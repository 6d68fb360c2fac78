import { textOfRuns } from "../../domain/content/blocks.ts";
import type { ContentKey, EditedContent } from "../../domain/content/content.ts";
import { contentKeys, contentPages } from "../../domain/content/pages.ts";
import { conditionLabels, factLabels, isFact, partLabels } from "../../domain/content/placeholders.ts";
import type { ShopContext } from "../context.ts";
import { readEditedText, readTextStates } from "./editing.ts";
import { pageText } from "./shipped.ts";
import { readFacts } from "./shown.ts";

export async function listContent(ctx: ShopContext) {
  const states = await readTextStates(ctx, contentKeys.map(pageText));
  return contentKeys.flatMap((key, index) => {
    const { name, path } = contentPages[key];
    const state = states[index];
    return state ? [{ key, name, path, ...state }] : [];
  });
}

/** All that is needed to edit a text. */
export async function readEdited(ctx: ShopContext, key: ContentKey): Promise<EditedContent> {
  const edited = await readEditedText(ctx, pageText(key));
  return { key, ...edited, placeholders: await readPlaceholders(ctx, key) };
}

async function readPlaceholders(ctx: ShopContext, key: ContentKey): Promise<EditedContent["placeholders"]> {
  const { named } = await readFacts(ctx);
  const facts = Object.entries(factLabels).map(([name, label]) => {
    const value = (isFact(name) ? named[name] : null) ?? null;
    return { name, label, kind: "fact" as const, value: Array.isArray(value) ? textOfRuns(value) : value };
  });
  const parts = contentPages[key].kind === "faq" ? {} : partLabels;
  const others = (labels: Record<string, string>, kind: "part" | "condition") =>
    Object.entries(labels).map(([name, label]) => ({ name, label, kind, value: null }));
  return [...facts, ...others(parts, "part"), ...others(conditionLabels, "condition")];
}
