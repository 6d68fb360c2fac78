import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { store } from "../../browser-storage.ts";

// Loaded with the first vote.

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
