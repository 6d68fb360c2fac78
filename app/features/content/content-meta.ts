import type { MetaDescriptor } from "react-router";
import { type PublicPage, pageMeta, privatePageMeta } from "../../seo/page-meta.ts";
import type { LoadedPage } from "./load-page.ts";

/** The metadata of a page whose title and description the owner can edit. */
export function contentMeta(
  args: Parameters<typeof pageMeta>[0] & { loaderData?: LoadedPage | undefined },
  page: Pick<PublicPage, "path" | "type">,
): MetaDescriptor[] {
  if (!args.loaderData) return privatePageMeta(args, "Page not available");
  const { title, description } = args.loaderData.head;
  return pageMeta(args, { title, description, ...page });
}
