import type { CSSProperties, ReactNode } from "react";
import { escapeHtml } from "../../domain/shared/escape-html.ts";

/** Finished HTML, as distinct from a text that is still to be escaped. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Props = Record<string, unknown> & {
  children?: unknown;
  style?: CSSProperties;
  dangerouslySetInnerHTML?: { __html: string };
};

const voidElements = new Set(["br", "img", "meta"]);
const attributeNames: Record<string, string> = { className: "class", httpEquiv: "http-equiv" };
const propertiesWithoutUnit = new Set(["fontWeight", "opacity"]);

/**
 * Renders a JSX element to HTML. The e-mails are compiled with it as their JSX runtime (vite.emails.config.ts): they have no
 * state, and React's renderer took half of the time and memory of sending them.
 */
export function jsx(type: string | ((props: Props) => unknown), props: Props): unknown {
  if (typeof type === "function") return type(props);
  let html = `<${type}`;
  for (const name in props) {
    const value = props[name];
    if (value === undefined || value === null || name === "children" || name === "dangerouslySetInnerHTML")
      continue;
    const text = name === "style" ? renderStyle(value as CSSProperties) : escapeHtml(String(value));
    html += ` ${attributeNames[name] ?? name}="${text}"`;
  }
  if (voidElements.has(type)) return new Html(`${html}/>`);
  const content = props.dangerouslySetInnerHTML?.__html ?? renderNode(props.children);
  return new Html(`${html}>${content}</${type}>`);
}

// cspell:ignore jsxs
export { jsx as jsxs };
export const Fragment = ({ children }: Props): unknown => children;

export const renderToHtml = (node: ReactNode): string => renderNode(node);

function renderNode(node: unknown): string {
  if (node instanceof Html) return node.text;
  if (typeof node === "string") return escapeHtml(node);
  // Concatenated, because `join` would copy the text at each level.
  if (Array.isArray(node)) return node.reduce<string>((html, child) => html + renderNode(child), "");
  return typeof node === "number" ? String(node) : "";
}

/** Rendered styles, cached by object: most style objects are constants. */
const renderedStyles = new WeakMap<CSSProperties, string>();

function renderStyle(style: CSSProperties): string {
  const text = renderedStyles.get(style) ?? Object.entries(style).flatMap(declaration).join(";");
  renderedStyles.set(style, text);
  return text;
}

function declaration([name, value]: [string, unknown]): string | [] {
  if (value === undefined) return [];
  const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const isLength = typeof value === "number" && value !== 0 && !propertiesWithoutUnit.has(name);
  return `${property}:${isLength ? `${value}px` : escapeHtml(String(value))}`;
}
