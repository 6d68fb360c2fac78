import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { store } from "../../browser-storage.ts";
import type { CaptionedPhoto } from "./review-body.tsx";

// Loaded at the first press on a vote or a photo.

type Vote = { count: number; isMine: boolean };

/** Sends or withdraws a vote; calls `show` immediately, and again with the server's count. */
export async function sendVote(id: number, vote: Vote, show: (vote: Vote) => void): Promise<void> {
  const next = { count: vote.count + (vote.isMine ? -1 : 1), isMine: !vote.isMine };
  show(next);
  const body = { helpful: next.isMine };
  const response = await callApi("PUT /api/reviews/:id/helpful", { params: { id }, body });
  if (response.ok) {
    store("local", `helpful:${id}`, next.isMine ? "1" : null);
    return show({ ...next, count: response.body.data.helpfulCount });
  }
  show(vote);
  toast({ title: "Your vote was not counted", description: response.problem.message, tone: "danger" });
}

/** Shows photos full-screen with their authors and texts, starting with the photo of the pressed link. */
export async function openPhotos(
  photos: readonly CaptionedPhoto[],
  pressedLink: HTMLElement,
  label: string,
): Promise<void> {
  const links = [...(pressedLink.closest("ul")?.querySelectorAll("a") ?? [])];
  const images = photos.map(({ photo }) => photo);
  const { openFullScreen } = await import("../../catalog/full-screen.ts");
  openFullScreen({
    images,
    links,
    index: links.indexOf(pressedLink as HTMLAnchorElement),
    captions: photos,
    label,
  });
}
