/** A page's head as browsers and search engines read it. */
type PageHead = {
  lang: string | undefined;
  titles: string[];
  /** By `name` or `property`; all values, so that duplicate tags are detected. */
  metas: Map<string, string[]>;
  canonicals: string[];
  /** The things described by the structured data (schema.org). */
  things: Thing[];
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
export type Thing = { "@type": string; [property: string]: any };

export function readHead(html: string): PageHead {
  const head = html.slice(html.indexOf("<head>"), html.indexOf("</head>"));
  const metas = new Map<string, string[]>();
  for (const [tag] of head.matchAll(/<meta [^>]*>/g)) {
    const name = attribute(tag, "name") ?? attribute(tag, "property");
    if (name) metas.set(name, [...(metas.get(name) ?? []), attribute(tag, "content") ?? ""]);
  }
  const links = [...head.matchAll(/<link [^>]*>/g)].map(([tag]) => tag);
  const documents = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return {
    lang: /<html lang="([^"]*)"/.exec(html)?.[1],
    titles: [...head.matchAll(/<title>(.*?)<\/title>/g)].map(([, title = ""]) => plainText(title)),
    metas,
    canonicals: links
      .filter((tag) => attribute(tag, "rel") === "canonical")
      .map((tag) => attribute(tag, "href") ?? ""),
    things: documents.flatMap(([, json = ""]) => JSON.parse(json)["@graph"] ?? []),
  };
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value === undefined ? undefined : plainText(value);
}

/** Text of HTML with entities decoded. */
export function plainText(text: string): string {
  const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name) => signs[name] ?? whole);
}
