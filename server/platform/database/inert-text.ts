import { customType } from "drizzle-orm/pg-core";
import { withInertLinks } from "../http/inert-links.ts";

/** Text in which links that open something are neither stored nor, where an older version stored them, ever read. */
export const inertText = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: withInertLinks,
  fromDriver: withInertLinks,
});
