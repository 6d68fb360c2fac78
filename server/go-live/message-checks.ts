import { and, count, desc, eq, gt } from "drizzle-orm";
import { mailOutageSentence } from "../../domain/outbox/mail-outage.ts";
import type { MessageKind } from "../../domain/outbox/outbox.ts";
import { maskedPhone } from "../../domain/shared/phone.ts";
import { readMailOutage } from "../outbox/outage.ts";
import { messages } from "../outbox/tables.ts";
import { readSettings } from "../settings/queries.ts";
import {
  type Check,
  type CheckContext,
  type CheckResult,
  keysLink,
  linkAlone,
  ok,
  problem,
  timeText,
  warning,
} from "./check.ts";

const mailLink = { ...keysLink, to: `${keysLink.to}#mail` };
const sentLink = { to: "/admin/messages/sent", label: "See the sent messages" };
const weekMs = 7 * 24 * 60 * 60 * 1000;

export const messageChecks: Check[] = [
  { id: "mail", group: "messages", title: "Mail server", run: checkMailServer },
  { id: "test_email", group: "messages", title: "Test email", run: checkTestEmail },
  { id: "undelivered", group: "messages", title: "Messages of the last 7 days", run: checkFailures },
  { id: "texts", group: "messages", title: "Text alerts", run: checkTexts },
];

async function checkMailServer({ config: { mail }, db, now }: CheckContext): Promise<CheckResult> {
  if (mail.smtpUrl === null) {
    return problem(
      "No mail server is set. Every email is stored here and none is sent, not even order confirmations.",
      ...linkAlone("Set up email", mailLink),
    );
  }
  const outage = await readMailOutage(db, now());
  if (outage !== null) {
    const { timeZone } = (await readSettings(db)).owner;
    const words = mailOutageSentence(outage, { timeZone, now: now().toISOString() });
    return problem(
      `${words}.`,
      "Check the mail server under Keys and connections. Waiting emails are sent automatically once it accepts mail again.",
      mailLink,
    );
  }
  if (mail.ownerEmail === null) {
    return problem(
      "A mail server is set, but your email address is not: you are not notified of orders by email.",
      ...linkAlone("Enter your email address", mailLink),
    );
  }
  if (mail.from === null) {
    return warning(
      "A mail server is set, but no sender’s address.",
      "Enter an address of your domain that the mail server may send for, under Keys and connections.",
      mailLink,
    );
  }
  return ok("A mail server, the sender’s address and yours are set.");
}

async function checkTestEmail({ db, config }: CheckContext): Promise<CheckResult> {
  const lastEmail = await findLastMessage(db, "test_email");
  const advice = "Press “Send test email” and see that it arrives in your inbox, not in the spam folder.";
  if (!lastEmail) return warning("No test email was sent yet.", advice);
  const at = await timeText({ db }, lastEmail.createdAt);
  switch (lastEmail.status) {
    case "sent":
      return ok(`The last one was handed to the mail server on ${at}.`);
    case "kept":
      return config.mail.smtpUrl === null || config.mail.ownerEmail === null
        ? warning(
            `The last one (${at}) was kept here: there was nowhere to send it.`,
            "Set up the mail server first.",
          )
        : warning(`The last one (${at}) was kept here, before the mail server was set up.`, advice);
    case "failed":
      return problem(
        `The last one (${at}) failed: ${lastEmail.lastError ?? "no reason is known"}.`,
        "Try the mail server under Keys and connections, and check the sender. Then send another.",
        sentLink,
      );
    default:
      return lastEmail.lastError
        ? warning(
            `It is being tried again: ${lastEmail.lastError}.`,
            "Run the check again in a minute.",
            sentLink,
          )
        : warning("The last one is on its way.", "Run the check again in a moment.");
  }
}

async function checkFailures({ db, now }: CheckContext): Promise<CheckResult> {
  const since = new Date(now().getTime() - weekMs);
  const [row] = await db
    .select({ count: count() })
    .from(messages)
    .where(and(eq(messages.status, "failed"), gt(messages.createdAt, since)));
  const failures = row?.count ?? 0;
  return failures === 0
    ? ok("None failed.")
    : warning(
        `${failures} ${failures === 1 ? "message" : "messages"} could not be sent.`,
        ...linkAlone("See the reasons and send them again", { to: `${sentLink.to}?status=failed` }),
      );
}

async function checkTexts({ db, config }: CheckContext): Promise<CheckResult> {
  const link = { to: "/admin/notifications", label: "Notification Settings" };
  const { phoneNumber } = (await readSettings(db)).owner.sms;
  if (config.twilio === null) {
    const isMailed = config.mail.smtpUrl !== null && config.mail.ownerEmail !== null;
    return phoneNumber === null
      ? ok(isMailed ? "Not set up; you are notified of new orders by email." : "Not set up.")
      : problem(
          "A number is set, but Twilio’s credentials are missing: no text is sent.",
          "Enter them under Keys and connections. Or remove the number.",
          { ...keysLink, to: `${keysLink.to}#twilio` },
        );
  }
  if (phoneNumber === null) {
    return warning("Twilio is set up, but no number to text.", ...linkAlone("Enter your number", link));
  }
  const lastText =
    (await findLastMessage(db, "test_text")) ?? (await findLastMessage(db, "owner_order_text"));
  const number = maskedPhone(phoneNumber);
  if (!lastText)
    return warning(`Alerts go to the ${number}; no text was sent yet.`, "Send a test text.", link);
  const hasFailed = lastText.status === "failed" || lastText.delivery === "undelivered";
  return hasFailed
    ? problem(
        `The last text failed: ${lastText.lastError ?? "it was not delivered"}.`,
        "Check the number and the Twilio account, then send a test text.",
        link,
      )
    : ok(`Alerts go to the ${number}; the last text: ${lastText.delivery ?? lastText.status}.`);
}

async function findLastMessage(db: CheckContext["db"], kind: MessageKind) {
  const { status, delivery, lastError, createdAt } = messages;
  const [message] = await db
    .select({ status, delivery, lastError, createdAt })
    .from(messages)
    .where(eq(messages.kind, kind))
    .orderBy(desc(messages.createdAt))
    .limit(1);
  return message ?? null;
}
