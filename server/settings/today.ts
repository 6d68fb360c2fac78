import type { OwnerSettings } from "../../domain/settings/settings.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { BaseContext } from "../platform/base-context.ts";
import type { Db } from "../platform/database/database.ts";

export type WithOwnerSettings = { ownerSettings(tx?: Db): Promise<OwnerSettings> };

/** The date in the owner's time zone, `YYYY-MM-DD`. A transaction passes itself (see `ShopContext.settings`). */
export async function today(ctx: WithOwnerSettings & Pick<BaseContext, "now">, tx?: Db): Promise<string> {
  return dateIn(await ownerTimeZone(ctx, tx), ctx.now());
}

/** IANA name of the owner's time zone. */
export async function ownerTimeZone(ctx: WithOwnerSettings, tx?: Db): Promise<string> {
  return (await ctx.ownerSettings(tx)).timeZone;
}
