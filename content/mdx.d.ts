declare module "*.mdx" {
  import type { ComponentType, ElementType } from "react";
  import type { FrontMatter } from "./front-matter.ts";

  export const frontmatter: FrontMatter;
  /** `components`: what the names in the text stand for. */
  const Words: ComponentType<{ components: Record<string, ElementType> }>;
  export default Words;
}
