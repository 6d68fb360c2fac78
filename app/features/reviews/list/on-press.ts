import type { ProductImage } from "../../../../domain/catalog/product.ts";
import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { store } from "../../browser-storage.ts";

// Loaded with the first press on a vote or a photo.

type Vote = { count: number; isMine: boolean };

/** Sends a vote, or takes it back; `show` gets it at once, and then as the server has it. */
export async function sendVote(id: number, vote: Vote, show: (vote: Vote) => void): Promise<void> {
  const wanted = { count: vote.count + (vote.isMine ? -1 : 1), isMine: !vote.isMine };
  show(wanted);
  const body = { helpful: wanted.isMine };
  const answer = await callApi("PUT /api/reviews/:id/helpful", { params: { id }, body });
  if (answer.ok) {
    store("local", `helpful:${id}`, wanted.isMine ? "1" : null);
    return show({ ...wanted, count: answer.body.data.helpfulCount });
  }
  show(vote);
  toast({ title: "Your vote was not counted", description: answer.problem.message, tone: "danger" });
}

/** Shows a review's photos on the full screen, beginning with the one of the pressed link. */
export async function openPhotos(photos: readonly ProductImage[], pressed: HTMLElement): Promise<void> {
  const links = [...(pressed.parentElement?.children ?? [])].filter((link) => link instanceof HTMLElement);
  const index = links.indexOf(pressed);
  const { openFullScreen } = await import("../../catalog/full-screen.ts");
  openFullScreen({ images: photos, links, index, onChange() {}, label: "Photos of this review" });
}
