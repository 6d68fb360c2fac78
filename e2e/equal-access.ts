import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { loadScript } from "./load-script.ts";

const source = readFileSync(
  createRequire(import.meta.url).resolve("accessibility-checker-engine/ace-window.js"),
  "utf8",
);

/** Rules that are left out, because they are slow or irrelevant here. */
const skippedRules = [
  // These rules only ask for a manual check, and take half of the engine's time.
  ...[
    "element_tabbable_unobscured",
    "widget_tabbable_exists",
    "widget_tabbable_single",
    "text_quoted_correctly",
  ],
  // axe checks contrast, and that all content except the skip link is inside a landmark.
  ...["text_contrast_sufficient", "aria_content_in_landmark"],
  // Radix hides the page behind a dialog and keeps the focus in the dialog itself.
  "aria_hidden_nontabbable",
  // These rules treat a form without a name as a landmark.
  ...["aria_form_label_unique", "aria_landmark_name_unique"],
  // Fails on a native checkbox whose role is `switch`.
  "aria_attribute_required",
];

/** Definite violations of WCAG 2.2 found by IBM's Equal Access engine, which is used in addition to axe. */
export async function equalAccessViolationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "ace" in window)))
    await loadScript(page, "ace", `${source}; window.ace = ace;`);
  return page.evaluate(async (ruleIds) => {
    const { ace } = window as unknown as { ace: { Checker: new () => Checker } };
    const checker = new ace.Checker();
    for (const id of ruleIds) checker.disableRule(id);
    const { results } = await checker.check(document, ["WCAG_2_2"]);
    return results
      .filter(({ value: [level, outcome] }) => level === "VIOLATION" && outcome === "FAIL")
      .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`);
  }, skippedRules);
}

/** Only the parts used here: the package's own types need others that it does not include. */
type Checker = {
  disableRule(id: string): void;
  check(
    node: Document,
    rulesets: string[],
  ): Promise<{
    results: { ruleId: string; value: [level: string, outcome: string]; message: string; snippet: string }[];
  }>;
};
