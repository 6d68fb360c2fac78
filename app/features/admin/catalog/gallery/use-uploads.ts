import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { withUnlock } from "../../shell/session-dialogs.tsx";
import { pictureProblem, readPreview, uploadPicture } from "./upload-picture.ts";

/** A chosen picture whose upload is not finished. `progress`: the uploaded fraction, 0 to 1. */
export type Upload = {
  id: number;
  file: File;
  alt: string;
  preview: string | null;
  /** In pixels; null until the browser has decoded the picture. */
  width: number | null;
  state: "chosen" | "waiting" | "sending" | "rejected";
  progress: number;
  problem: string | null;
};

/** Uploads chosen pictures one at a time, so that each has the whole bandwidth. */
export function useUploads(productId: number) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  /** Previews by image id, shown until the server has processed the picture. */
  const [previews, setPreviews] = useState<Record<number, string>>({});
  const { revalidate } = useRevalidator();
  const lastId = useRef(0);
  const patch = (id: number, change: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  const remove = (id: number) => setUploads((before) => before.filter((upload) => upload.id !== id));

  async function send({ id, file, alt, preview }: Upload) {
    patch(id, { state: "sending", progress: 0, problem: null });
    const response = await withUnlock(() =>
      uploadPicture(productId, { file, alt, onProgress: (progress) => patch(id, { progress }) }),
    );
    if (!response.ok) {
      const { fields, message } = response.problem;
      patch(id, {
        state: fields.image ? "rejected" : "chosen",
        problem: fields.image ?? fields.alt ?? message,
      });
      return;
    }
    if (preview) setPreviews((before) => ({ ...before, [response.body.data.id]: preview }));
    await revalidate();
    remove(id);
  }

  return {
    uploads,
    previews,
    isSending: uploads.some(({ state }) => state === "sending" || state === "waiting"),
    choose(files: readonly File[]) {
      const newUploads = files.map((file): Upload => {
        lastId.current += 1;
        const problem = pictureProblem(file);
        const state = problem === null ? "chosen" : "rejected";
        return { id: lastId.current, file, alt: "", preview: null, width: null, state, progress: 0, problem };
      });
      setUploads((before) => [...before, ...newUploads]);
      for (const { id, file, state } of newUploads) {
        if (state === "chosen") void readPreview(file).then((loaded) => loaded && patch(id, loaded));
      }
    },
    describe: (id: number, alt: string) => patch(id, { alt, problem: null }),
    remove,
    /**
     * Uploads all chosen pictures. If some have no description, marks them, uploads none, and returns the id of the first.
     */
    async sendAll(): Promise<number | null> {
      const ready = uploads.filter(({ state }) => state === "chosen");
      const incomplete = ready.filter(({ alt }) => alt.trim() === "");
      for (const { id } of incomplete) patch(id, { problem: "Say what is in the picture" });
      if (incomplete.length > 0) return incomplete[0]?.id ?? null;
      for (const { id } of ready) patch(id, { state: "waiting" });
      for (const upload of ready) await send(upload);
      return null;
    },
  };
}
