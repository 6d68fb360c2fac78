import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { jsx, renderToHtml } from "./html.ts";

// biome-ignore lint/suspicious/noExplicitAny: elements of two libraries
type Make = (type: any, props: Record<string, unknown>, children: unknown) => any;

const text = `<b> & "two", 'three'`;

const Inner = ({ children }: { children: string }) => children;

function tree(make: Make) {
  return make(
    "td",
    {
      className: "ink",
      title: text,
      colSpan: 2,
      id: undefined,
      "data-skip-in-text": true,
      style: {
        fontFamily: `"A", 'B'`,
        fontWeight: 500,
        margin: 0,
        paddingTop: 14,
        msoTextRaise: 1.5,
        color: undefined,
      },
    },
    [
      text,
      make("img", { src: "/a.png?b=1&c=2", alt: "", height: 3 }, undefined),
      [0, null, false, undefined, text],
      make(Inner, {}, text),
      make("span", { dangerouslySetInnerHTML: { __html: "<!--[if mso]>&#8203;<![endif]-->" } }, undefined),
    ],
  );
}

test("elements become the HTML that React makes of them, with escaped texts", () => {
  const byReact: Make = (type, props, children) =>
    createElement(
      type,
      props,
      ...(Array.isArray(children) ? children : children === undefined ? [] : [children]),
    );
  const html = renderToHtml(tree((type, props, children) => jsx(type, { ...props, children })));
  expect(html).toBe(renderToStaticMarkup(tree(byReact)).replace(/<link rel="preload"[^>]*>/, ""));
  expect(html).toContain("&lt;b&gt; &amp; &quot;two&quot;, &#x27;three&#x27;");
});
