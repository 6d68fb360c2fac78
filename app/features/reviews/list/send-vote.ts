import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { store } from "../../browser-storage.ts";

// Loaded with the first vote.

/** Sends a vote, or takes it back, and answers what the review has now. */
export async function sendVote(
  reviewId: number,
  helpful: boolean,
): Promise<{ ok: true; count: number } | { ok: false }> {
  const answer = await callApi("PUT /api/reviews/:id/helpful", {
    params: { id: reviewId },
    body: { helpful },
  });
  if (answer.ok) {
    store("local", `helpful:${reviewId}`, helpful ? "1" : null);
    return { ok: true, count: answer.body.data.helpfulCount };
  }
  toast({ title: "Your vote was not counted", description: answer.problem.message, tone: "danger" });
  return { ok: false };
}
