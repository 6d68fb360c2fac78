import { type HtmlElement, Parser, StaticConfigLoader } from "html-validate";
import { plainText } from "./page-head.ts";
import type { TestBrowser } from "./shop.ts";

/** A page in a browser without JavaScript. */
export type PlainPage = {
  status: number;
  headers: Headers;
  /** Path and query after redirects. */
  path: string;
  html: string;
  /** Text between header and footer, with white space collapsed. */
  text: string;
  /** The first element that a CSS selector finds. */
  one(selector: string): HtmlElement;
  all(selector: string): HtmlElement[];
  /** The field with this label. */
  field(label: string): HtmlElement;
  /** Opens the first link between header and footer whose text begins with this. */
  follow(link: string): Promise<PlainPage>;
  /** Fills in fields, found by their labels, and sends the form that has this button. */
  send(button: string, fields?: Record<string, string>): Promise<PlainPage>;
};

/**
 * Opens a page of the shop without JavaScript, with links to follow and forms to send. Throws if a link or button is not
 * found.
 */
export async function openPlain(
  browser: TestBrowser,
  path: string,
  init: RequestInit = {},
): Promise<PlainPage> {
  const response = await browser.fetch(path, init);
  const location = response.headers.get("location");
  if (location !== null && response.status < 400) return openPlain(browser, location);
  const html = await response.text();
  const page = await parse(html);
  const all = (selector: string) => [...page.querySelectorAll(selector)];
  const one = (selector: string) => {
    const [firstMatch] = all(selector);
    if (!firstMatch) throw new Error(`${path} has no ${selector}`);
    return firstMatch;
  };
  const findByName = (selector: string, name: string) => {
    const firstMatch = all(selector).find((element) => elementText(element).startsWith(name));
    if (!firstMatch) throw new Error(`${path} has no ${selector} named ${name}: ${elementText(one("main"))}`);
    return firstMatch;
  };
  const field = (label: string) => {
    const firstMatch = all("label").find((element) => elementText(element).startsWith(label));
    if (!firstMatch) throw new Error(`${path} has no field ${label}`);
    const id = attributeValue(firstMatch, "for");
    return id ? one(`[id="${id}"]`) : (firstMatch.querySelector("input, select, textarea") as HtmlElement);
  };
  return {
    status: response.status,
    headers: response.headers,
    path,
    html,
    text: elementText(one("main")),
    one,
    all,
    field,
    follow: (link) => openPlain(browser, attributeValue(findByName("main a", link), "href")),
    async send(name, fields = {}) {
      const button = findByName("form button", name);
      const form = button.closest("form");
      if (!form) throw new Error(`${name} is in no form`);
      const body = new URLSearchParams(submittedFields(form));
      if (attributeValue(button, "name"))
        body.set(attributeValue(button, "name"), attributeValue(button, "value"));
      for (const [label, value] of Object.entries(fields))
        body.set(attributeValue(field(label), "name"), value);
      const action = attributeValue(form, "action") || path;
      if (attributeValue(form, "method").toLowerCase() !== "post")
        return openPlain(browser, `${action}?${body}`);
      return openPlain(browser, action, { method: "POST", body });
    },
  };
}

/** Name and value of all fields that a form submits. */
function submittedFields(form: HtmlElement): [string, string][] {
  return [...form.querySelectorAll("input, textarea, select")].flatMap((field): [string, string][] => {
    const name = attributeValue(field, "name");
    const isCheckable = /^(radio|checkbox)$/.test(attributeValue(field, "type"));
    if (!name || (isCheckable && !field.hasAttribute("checked"))) return [];
    return [[name, initialValue(field) || (isCheckable ? "on" : "")]];
  });
}

/** The initial value of a field on the page. */
export function initialValue(field: HtmlElement): string {
  if (field.is("textarea")) return plainText(field.textContent).replace(/^\n/, "");
  if (!field.is("select")) return attributeValue(field, "value");
  const option = field.querySelector("option[selected]") ?? field.querySelector("option");
  return option ? attributeValue(option, "value") : "";
}

export function attributeValue(element: HtmlElement, name: string): string {
  return plainText(element.getAttributeValue(name) ?? "");
}

export function elementText(element: HtmlElement): string {
  return plainText(element.textContent).replaceAll(/\s+/g, " ").trim();
}

async function parse(html: string): Promise<HtmlElement> {
  const loader = new StaticConfigLoader({ elements: ["html5"] });
  const parser = new Parser(await loader.getConfigFor("page.html"));
  return parser.parseHtml({ data: html, filename: "page.html", line: 1, column: 1, offset: 0 });
}

/** Path and query of the first link below `path` in an e-mail. */
export function linkIn(mail: string, path: string): string {
  const links = mail.match(/https?:\S+/g)?.map((url) => new URL(url));
  const link = links?.find(({ pathname }) => pathname.startsWith(path));
  if (!link) throw new Error(`The mail has no link to ${path}:\n${mail}`);
  return link.pathname + link.search;
}
