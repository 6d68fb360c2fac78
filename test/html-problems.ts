import { definePlugin, HtmlValidate, Rule, StaticConfigLoader } from "html-validate";

/** Problems of a page reported by html-validate: rule, message and element. */
export async function htmlProblems(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
}

/** HTML's rule for a `<select>` without `multiple` or `size`, which html-validate lacks. */
class RequiredSelect extends Rule {
  override setup() {
    this.on("dom:ready", ({ document }) => {
      for (const node of document.querySelectorAll("select[required]")) {
        if (node.querySelector("option")?.getAttributeValue("value") === "") continue;
        this.report({ node, message: "a required <select> begins with an option whose value is empty" });
      }
    });
  }
}

const plugin = definePlugin({
  name: "palmira",
  rules: { "required-select": RequiredSelect },
});

/** Rules of the W3C's Nu HTML Checker that html-validate lacks. */
const elements = {
  fieldset: { requiredContent: ["legend"] },
  input: { attributes: { "aria-checked": { allowed: () => "the browser itself reports what is checked" } } },
  script: {
    attributes: {
      fetchpriority: {
        allowed: (script: { hasAttribute(name: string): boolean }) =>
          script.hasAttribute("src") ? null : "an inline script has none",
      },
    },
  },
};

/** Resolves the rules once, because doing so for each page took a quarter of the checking time. */
class CachedConfigLoader extends StaticConfigLoader {
  #resolved?: ReturnType<StaticConfigLoader["getConfigFor"]>;
  override getConfigFor(handle: string) {
    this.#resolved ??= super.getConfigFor(handle);
    return this.#resolved;
  }
}

const validator = new HtmlValidate(
  new CachedConfigLoader({
    plugins: [plugin],
    extends: ["html-validate:recommended"],
    elements: ["html5", elements],
    rules: {
      "required-select": "error",
      // Style that React determines: camelCase, `required=""`, `<img/>`.
      "attr-case": "off",
      "attribute-boolean-style": "off",
      "attribute-empty-style": "off",
      "void-style": "off",
      "doctype-style": "off",
      // Widths of bars are numbers from the shop's data; the content security policy says what a style may do.
      "no-inline-style": "off",
      // HTML permits any id without spaces. Those of fields are their paths, `contact.email`; React's begin with "_".
      "valid-id": ["error", { relaxed: true }],
      // Browsers drop a table's roles if it is laid out as cards, as in the panel on phones.
      "no-redundant-role": "off",
      // Forms with a save bar have their submit button in the bar, which appears after a change.
      "wcag/h32": "off",
    },
  }),
);
