import ImageUp from "lucide-react/icons/image-up";
import { useEffect, useRef, useState } from "react";
import { uploadLimits } from "../../../../domain/catalog/upload-limits.ts";
import type { ApiBody } from "../../../shop-context.ts";
import { Icon } from "../../../ui/icon.tsx";
import { pictureProblem } from "../catalog/gallery/upload-picture.ts";
import { PanelButton } from "./action-button.tsx";
import { type ActionTexts, sendForm, useAdminAction } from "./use-admin-action.ts";

/** Long enough for 10 MiB over a slow mobile connection. */
const uploadMs = 10 * 60_000;

type Call = "POST /api/admin/founder-picture" | "POST /api/admin/campaign-pictures";

/** Opens the file picker and uploads the chosen picture immediately. */
export function ChoosePicture<K extends Call>({
  call,
  name,
  label,
  onUploaded,
  ...texts
}: ActionTexts<ApiBody<K>> & {
  call: K;
  /** Name of the file input for screen readers. */
  name: string;
  label: string;
  onUploaded?: (body: ApiBody<K>) => void;
}) {
  const fileInput = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = useAdminAction<K>(call, { failure: null, ...texts });
  // The latest callback, because an older one would overwrite text typed during the upload.
  const latestOnUploaded = useRef(onUploaded);
  useEffect(() => {
    latestOnUploaded.current = onUploaded;
  });

  async function send(file: File) {
    upload.clearProblem();
    const fileProblem = pictureProblem(file);
    setProblem(fileProblem);
    if (fileProblem !== null) return;
    const response = await upload.perform(() => sendForm(call, { image: file }, uploadMs));
    if (response.ok) latestOnUploaded.current?.(response.body);
  }

  return (
    <>
      <input
        ref={fileInput}
        type="file"
        accept={uploadLimits.types.join()}
        aria-label={name}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) void send(file);
        }}
      />
      <PanelButton busy={upload.busy} busyText="Uploading..." onClick={() => fileInput.current?.click()}>
        <Icon glyph={ImageUp} size="small" className="max-[26rem]:hidden" /> {label}
      </PanelButton>
      <p role="alert" className="basis-full text-small text-danger empty:hidden">
        {problem ?? upload.problem?.message}
      </p>
    </>
  );
}
