import { join } from "node:path";
import { type CompileOptions, compile } from "@mdx-js/mdx";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import remarkFrontmatter from "remark-frontmatter";
import remarkMdxFrontmatter from "remark-mdx-frontmatter";
import * as v from "valibot";
import { defineConfig, type Plugin } from "vite";
import { parse } from "yaml";
import { frontMatterSchema } from "./content/front-matter.ts";

/** The editorial pages' words: MDX under content/, whose front matter has to fit its schema. */
const words: Plugin = {
  name: "words",
  enforce: "pre",
  async transform(value, path) {
    if (!path.endsWith(".mdx")) return null;
    const { value: code } = await compile({ value, path }, { remarkPlugins });
    return { code: String(code), map: null };
  },
};
const remarkPlugins: CompileOptions["remarkPlugins"] = [
  remarkFrontmatter,
  [remarkMdxFrontmatter, { parsers: { yaml: (text: string) => v.parse(frontMatterSchema, parse(text)) } }],
];

/** The shop’s own code. Styles of the root would be taken for those of a page that comes later if it were moved. */
const own = /\/(app\/(?!root\.|app\.css)|domain\/|lucide-react\/)/;

/**
 * Few files instead of many: in small ones a page weighs 3 kB more and takes twice the requests. React and the router
 * are one, which stays in caches when the shop changes; what every page loads is another; then what home and product
 * share, much of which other pages show, too; and what is left of the home page.
 */
const files = [
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: loadedBy("frame", ["app/root.tsx", "app/shell/shell.tsx"]), test: own },
  { name: loadedBy("shared", ["app/routes/home.tsx"], ["app/routes/product.tsx"]), test: own },
  { name: loadedBy("buying", ["app/routes/product.tsx"], ["app/routes/cart.tsx"]), test: own },
  { name: loadedBy("home", ["app/routes/home.tsx"]), test: own },
];

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * Names the file of whatever these modules import, and what that imports, at once and not when it is needed; with
 * several groups only what each of them imports.
 */
function loadedBy(file: string, ...groups: (readonly string[])[]) {
  let loaded: Set<string>[] | null = null;
  return (id: string, modules: Modules) => {
    loaded ??= groups.map((starts) => importsOf(starts, modules));
    return loaded.every((imports) => imports.has(id)) ? file : null;
  };
}

function importsOf(starts: readonly string[], modules: Modules): Set<string> {
  const found = new Set(starts.map((path) => join(import.meta.dirname, path)));
  // Grows while it is walked through.
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

export default defineConfig({
  plugins: [words, tailwindcss(), reactRouter()],
  // scripts/build.ts empties what it builds anew; the images and e-mails in build/ stay.
  // Pictures are files of their own: in a script every page that might show one would carry it.
  build: { target: "es2022", emptyOutDir: false, assetsInlineLimit: 0 },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: files } } } } },
  },
});
