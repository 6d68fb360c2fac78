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

/**
 * Few files instead of many: in small ones a page weighs 3 kB more and takes twice the requests. What most pages share
 * is one file; React and the router are another, which stays in caches when the shop changes. The list of countries is
 * for forms, not for most pages.
 */
const files = [
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: "shop", test: /\/(app|domain(?!\/country)|lucide-react)\//, minShareCount: 5 },
];

export default defineConfig({
  plugins: [words, tailwindcss(), reactRouter()],
  // scripts/build.ts empties what it builds anew; the images and e-mails in build/ stay.
  build: { target: "es2022", emptyOutDir: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: files } } } } },
  },
});
