import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { withUnlock } from "../../shell/session-questions.tsx";
import { problemOf, smallCopy, uploadPicture } from "./upload-picture.ts";

/** A picture that was chosen and is not yet the shop's. `sent`: the part that is, 0 to 1. */
export type Upload = {
  id: number;
  file: File;
  alt: string;
  copy: string | null;
  /** Pixels; null until the browser has read it. */
  width: number | null;
  state: "chosen" | "waiting" | "sending" | "unfit";
  sent: number;
  problem: string | null;
};

/** Pictures on their way to the shop, one after the other: each as fast as the line is. */
export function useUploads(productId: number) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  /** Small copies by image id, for while the sizes are being made. */
  const [copies, setCopies] = useState<Record<number, string>>({});
  const { revalidate } = useRevalidator();
  const lastId = useRef(0);
  const patch = (id: number, change: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  const drop = (id: number) => setUploads((before) => before.filter((upload) => upload.id !== id));

  async function send({ id, file, alt, copy }: Upload) {
    patch(id, { state: "sending", sent: 0, problem: null });
    const answer = await withUnlock(() =>
      uploadPicture(productId, { file, alt, onProgress: (sent) => patch(id, { sent }) }),
    );
    if (!answer.ok) {
      const { fields, message } = answer.problem;
      patch(id, { state: fields.image ? "unfit" : "chosen", problem: fields.image ?? fields.alt ?? message });
      return;
    }
    if (copy) setCopies((before) => ({ ...before, [answer.body.data.id]: copy }));
    await revalidate();
    drop(id);
  }

  return {
    uploads,
    copies,
    isSending: uploads.some(({ state }) => state === "sending" || state === "waiting"),
    choose(files: readonly File[]) {
      const chosen = files.map((file): Upload => {
        lastId.current += 1;
        const problem = problemOf(file);
        const state = problem === null ? "chosen" : "unfit";
        return { id: lastId.current, file, alt: "", copy: null, width: null, state, sent: 0, problem };
      });
      setUploads((before) => [...before, ...chosen]);
      for (const { id, file, state } of chosen) {
        if (state === "chosen") void smallCopy(file).then((read) => read && patch(id, read));
      }
    },
    describe: (id: number, alt: string) => patch(id, { alt, problem: null }),
    drop,
    /** Sends all that can be sent. Those without words are named instead. Answers the first of them. */
    async sendAll(): Promise<number | null> {
      const ready = uploads.filter(({ state }) => state === "chosen");
      const wordless = ready.filter(({ alt }) => alt.trim() === "");
      for (const { id } of wordless) patch(id, { problem: "Say what is in the picture" });
      if (wordless.length > 0) return wordless[0]?.id ?? null;
      for (const { id } of ready) patch(id, { state: "waiting" });
      for (const upload of ready) await send(upload);
      return null;
    },
  };
}
