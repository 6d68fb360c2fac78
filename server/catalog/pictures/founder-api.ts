import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { uploadLimits } from "../../../domain/catalog/upload-limits.ts";
import type { FounderPicture } from "../../../domain/settings/settings.ts";
import { settingsForms } from "../../../domain/settings/settings-schema.ts";
import { created, dataOf, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { type Problem, problem } from "../../platform/http/problem.ts";
import { writeSettings } from "../../settings/commands.ts";
import { pictureOriginals } from "../tables.ts";
import { insertOriginal } from "./originals.ts";

const shared = { tag: "Settings", access: "admin" } as const;
const subject = "settings:founderPicture";

/** The founder's photograph on the home page and the story page. */
export const founderApi = [
  route("POST /api/admin/founder-picture", {
    ...shared,
    summary: "Upload a photograph of the founder; pages show it as soon as this answers",
    limit: "write",
    upload: { field: "image", bytesMax: uploadLimits.bytes },
    response: dataOf(settingsForms.founderPicture),
    answers: { 201: "The picture that stands in the place of the one before" },
    async handle(ctx, { file, log }) {
      if (!file) throw new Error("an upload without a file");
      const checked = await ctx.pictures.check(file.bytes);
      if (!checked.ok) return unfit(checked.reason);
      const { type, width, height } = checked;
      const picture = { file: `u-${randomBytes(8).toString("hex")}.jpg`, width, height };
      await insertOriginal(ctx.db, { ...picture, type, bytes: file.bytes, createdAt: ctx.now() });
      // Pages show the picture only after all its sizes could be sizes.
      const sizes = await ctx.pictures.makeSizes(picture.file);
      if (!sizes.ok) return unfit(sizes.reason);
      await show(ctx, picture);
      log({ subject, summary: "Photograph of the founder uploaded", after: { file: picture.file } });
      return created(picture);
    },
  }),
  route("DELETE /api/admin/founder-picture", {
    ...shared,
    summary: "Show the place where the oil is made again",
    limit: "none",
    response: dataOf(settingsForms.founderPicture),
    answers: { 200: "Null: there is no photograph any more" },
    async handle(ctx, { log }) {
      await show(ctx, null);
      log({ subject, summary: "Photograph of the founder taken out" });
      return ok(null);
    },
  }),
];

/** The previous picture's original is kept for a week, since pages already sent may refer to it. */
async function show({ db, now }: ShopContext, picture: FounderPicture | null): Promise<void> {
  await db.transaction(async (tx) => {
    const result = await writeSettings(tx, { founderPicture: picture }, now());
    if (!result.ok) throw new Error("the founder's picture was checked and not taken");
    const before = result.before.founderPicture;
    if (before)
      await tx
        .update(pictureOriginals)
        .set({ retiredAt: now() })
        .where(eq(pictureOriginals.file, before.file));
  });
}

function unfit(reason: string): Problem {
  return problem("validation_failed", reason, { fields: { image: reason } });
}
