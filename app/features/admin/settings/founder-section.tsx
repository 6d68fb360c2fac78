import ImageUp from "lucide-react/icons/image-up";
import { useRef, useState } from "react";
import { uploadedHash, variantsOf } from "../../../../domain/catalog/product-image.ts";
import { uploadLimits } from "../../../../domain/catalog/upload-limits.ts";
import type { FounderPicture } from "../../../../domain/settings/settings.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { shopPicture } from "../../../ui/shop-picture.ts";
import { orNull } from "../../../ui/use-form.ts";
import { noAnswer, readAnswer } from "../../api.ts";
import { problemOf } from "../catalog/gallery/upload-picture.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { SettingsSection } from "./settings-section.tsx";
import type { SettingsDraft } from "./use-settings-draft.ts";

/** A phone's line may be slow: 10 MiB in ten minutes. */
const uploadMs = 10 * 60_000;
const workshop = shopPicture("founder-workshop.jpg", "Basket, mortar and oil, as the shop came with it");

/** The founder's photograph, changed at once, and who it shows. */
export function FounderSection({ draft, picture }: { draft: SettingsDraft; picture: FounderPicture | null }) {
  const { founder } = draft.values;
  const chooser = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const upload = useAdminAction("POST /api/admin/founder-picture", {
    success: { title: "Photograph in place", description: "On the home page and in your story." },
    failure: null,
  });
  const removal = useAdminAction("DELETE /api/admin/founder-picture", {
    success: { title: "The workshop is shown again" },
    failure: "The photograph was not taken out",
  });
  const problem = refused ?? upload.problem?.message ?? null;
  const own =
    picture && variantsOf({ ...picture, hash: uploadedHash(picture.file) ?? "" }, "Your photograph");

  async function send(file: File) {
    upload.forget();
    setRefused(problemOf(file));
    if (problemOf(file) === null) await upload.perform(() => uploadFounder(file));
  }

  return (
    <SettingsSection
      id="founder"
      title="Founder"
      intro="The photograph of the home page’s mission section and of your story. Until you add one, they show the place where the oil is made."
      groups={["founder"]}
      draft={draft}
      preview={() => (
        <p>
          {founder.name || founder.caption
            ? [founder.name, founder.caption].filter(Boolean).join(": ")
            : "The picture stands alone, without a name."}
        </p>
      )}
    >
      {(field) => (
        <div className="grid items-start gap-5 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <div className="aspect-4/5 w-40 max-w-full overflow-hidden rounded-sm bg-cream">
            <Picture image={own ?? workshop} sizes="10rem" className="size-full object-cover" />
          </div>
          <div className="grid min-w-0 gap-4">
            <div className="grid justify-items-start gap-2">
              <input
                ref={chooser}
                type="file"
                accept={uploadLimits.types.join()}
                aria-label="Photograph of the founder"
                className="sr-only"
                tabIndex={-1}
                onChange={({ target }) => {
                  const [file] = target.files ?? [];
                  target.value = "";
                  if (file) void send(file);
                }}
              />
              <Button
                variant="secondary"
                size="small"
                busy={upload.busy}
                busyText="Uploading..."
                onClick={() => chooser.current?.click()}
              >
                <Icon glyph={ImageUp} size="small" />{" "}
                {picture ? "Choose another photograph" : "Choose a photograph"}
              </Button>
              {picture && (
                <Button
                  variant="quiet"
                  size="small"
                  busy={removal.busy}
                  busyText="Taking out..."
                  onClick={() => void removal.run()}
                >
                  Show the workshop again
                </Button>
              )}
              <p role="alert" className="text-small text-danger empty:hidden">
                {problem}
              </p>
            </div>
            <Field
              {...field("founder.name", orNull)}
              label="Name"
              optional
              maxLength={80}
              autoComplete="off"
            />
            <Field
              {...field("founder.caption", orNull)}
              label="Caption"
              optional
              maxLength={200}
              hint="A sentence below the name, such as where the picture was taken."
            />
          </div>
        </div>
      )}
    </SettingsSection>
  );
}

async function uploadFounder(file: File) {
  const form = new FormData();
  form.set("image", file);
  try {
    const signal = AbortSignal.timeout(uploadMs);
    const answer = await fetch("/api/admin/founder-picture", { method: "POST", body: form, signal });
    return await readAnswer("POST /api/admin/founder-picture", answer);
  } catch {
    return { ok: false as const, problem: noAnswer };
  }
}
