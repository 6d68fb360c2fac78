import type { ComponentProps, CSSProperties } from "react";
import { elementProps } from "./theme.ts";

/** A table of one cell, the only box that all mail programs lay out alike. */
export function Section({
  children,
  rowStyle,
  ...props
}: ComponentProps<"table"> & { rowStyle?: CSSProperties }) {
  return (
    <table
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      role="presentation"
      {...props}
    >
      <tbody>
        <tr style={rowStyle}>
          <td>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

export function Link({ style = noStyle, ...props }: ComponentProps<"a">) {
  return <a {...props} style={linkStyle(style)} target="_blank" />;
}

const noStyle = {};
const linkStyle = cachedByStyle((style) => ({ color: "#067df7", textDecorationLine: "none", ...style }));

/** A paragraph. */
export function Text({ style, ...props }: ComponentProps<"p"> & { style: CSSProperties }) {
  return <p {...props} style={textStyle(style)} />;
}

/** Outlook.com drops `margin` from some elements, but not the properties of single sides. */
const textStyle = cachedByStyle((style) => {
  const [top, right = top, bottom = top, left = right] = String(style.margin).split(" ");
  const margins = { marginTop: top, marginRight: right, marginBottom: bottom, marginLeft: left };
  return { fontSize: "14px", lineHeight: "24px", ...style, ...margins } as CSSProperties;
});

/** Outlook on Windows ignores the padding of links, so it gets wide spaces instead. */
export function Button({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} {...elementProps.button}>
      <span {...forOutlook(";mso-text-raise:22.5", "")} />
      <span style={buttonText}>{label}</span>
      <span {...forOutlook("", "&#8203;")} />
    </a>
  );
}

const forOutlook = (style: string, end: string) => ({
  dangerouslySetInnerHTML: {
    __html: `<!--[if mso]><i style="mso-font-width:433.3333333333333%${style}" hidden>&#8202;&#8202;&#8202;${end}</i><![endif]-->`,
  },
});

const buttonText = {
  maxWidth: "100%",
  display: "inline-block",
  lineHeight: "120%",
  msoPaddingAlt: "0px",
  msoTextRaise: 11.25,
};

/** Caches what `make` returns for each style object: most styles are constants. */
function cachedByStyle(make: (style: CSSProperties) => CSSProperties): typeof make {
  const cache = new WeakMap<CSSProperties, CSSProperties>();
  return (style) => {
    const derivedStyle = cache.get(style) ?? make(style);
    cache.set(style, derivedStyle);
    return derivedStyle;
  };
}
