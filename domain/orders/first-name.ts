/** How a letter greets: "Ada" of "Ada Obi". A title or an initial is no name: then it is the whole. */
export function firstName(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = ""] = words;
  return first.length < 2 || first.endsWith(".") || titles.has(first.toLowerCase()) ? words.join(" ") : first;
}

const titles = new Set(["mr", "mrs", "ms", "mx", "dr", "prof", "sir", "herr", "frau"]);
