import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";

/** The date where the owner is, `YYYY-MM-DD`. A transaction passes itself (see `ShopContext.settings`). */
export async function today(ctx: Pick<ShopContext, "ownerSettings" | "now">, tx?: Db): Promise<string> {
  return dateIn(await ownerTimeZone(ctx, tx), ctx.now());
}

/** IANA name of the owner's time zone. */
export async function ownerTimeZone(ctx: Pick<ShopContext, "ownerSettings">, tx?: Db): Promise<string> {
  return (await ctx.ownerSettings(tx)).timeZone;
}
