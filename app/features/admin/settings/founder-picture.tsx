import ImageUp from "lucide-react/icons/image-up";
import { useRef, useState } from "react";
import { uploadLimits } from "../../../../domain/catalog/upload-limits.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { noAnswer, readAnswer } from "../../api.ts";
import { problemOf } from "../catalog/gallery/upload-picture.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Long enough for 10 MiB over a slow mobile connection. */
const uploadMs = 10 * 60_000;

/** Opens the file picker and replaces the founder's picture with the chosen photograph at once. */
export function ChooseFounderPicture({ label }: { label: string }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = useAdminAction("POST /api/admin/founder-picture", {
    success: { title: "Photograph saved", description: "It is shown on the home page and in your story." },
    failure: null,
  });

  async function send(file: File) {
    upload.clearProblem();
    setProblem(problemOf(file));
    if (problemOf(file) === null) await upload.perform(() => uploadFounder(file));
  }

  return (
    <>
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
        <Icon glyph={ImageUp} size="small" /> {label}
      </Button>
      <p role="alert" className="basis-full text-small text-danger empty:hidden">
        {problem ?? upload.problem?.message}
      </p>
    </>
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
