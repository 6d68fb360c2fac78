import * as v from "valibot";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import type { ForgetMail } from "./commands.ts";
import type { AnnounceReply } from "./replies.ts";

export type InboxApiParts = {
  db: Database;
  now(): Date;
  announceReply: AnnounceReply;
  /** Takes out of the outbox what was sent about messages. */
  forgetMail: ForgetMail;
};

export const messageStatusSchema = v.picklist(["open", "done"], "open or done");

export function noSuchMessage() {
  return problem("not_found", "There is no such message.");
}
