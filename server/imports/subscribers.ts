import * as v from "valibot";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { truncatedNetwork } from "../newsletter/commands.ts";
import { type Consent, importSubscriber, removeImportedSubscriber } from "../newsletter/import.ts";
import { ownerTimeZone } from "../settings/today.ts";
import type { Format, ImportContext, ImportedKind } from "./kind.ts";
import { type Line, parseTime, parseValue, RowRefused } from "./lines.ts";

const titles = { email: "Email", agreedAt: "Consent date", proof: "Consent proof" } as const;

/** Texts from the file. `refusal`: why the row cannot be imported. */
type Row = {
  line: Line;
  email: string;
  agreedAt: string;
  proof: string;
  network?: string;
  refusal?: string | false;
};

/** Programs write times without their zone. */
const asUtc = (time: string) => (time === "" ? "" : `${time} UTC`);
const timesAreUtc = "Times without a zone are read as UTC.";

/**
 * Mailchimp's audience export: https://mailchimp.com/help/about-your-exported-contacts/. Contacts whom the owner
 * added by hand have times, but no network address.
 */
const mailchimp: Format<Row> = {
  name: "Mailchimp’s audience export",
  needs: [["Email Address"], ["OPTIN_TIME"], ["CONFIRM_TIME"]],
  parseRows: (lines) =>
    lines.map((line) => {
      const [askedAt, agreedAt] = [line.text("OPTIN_TIME"), line.text("CONFIRM_TIME", "OPTIN_TIME")];
      const network = line.text("CONFIRM_IP", "OPTIN_IP");
      const signUpText = askedAt === "" ? "" : ` signed up ${askedAt},`;
      return {
        line,
        email: line.text("Email Address"),
        agreedAt: asUtc(agreedAt),
        proof: network && `Mailchimp:${signUpText} confirmed ${agreedAt} UTC`,
        network,
        refusal:
          (line.text("UNSUB_TIME") && "It unsubscribed there.") ||
          (line.text("CLEAN_TIME") && "Mail to it bounced there."),
      };
    }),
  notes: () => [timesAreUtc],
};

/**
 * The export of MailPoet, WooCommerce's newsletters: `ImportExportFactory.php` in https://github.com/mailpoet/mailpoet.
 */
const mailPoet: Format<Row> = {
  name: "WooCommerce’s subscriber export (MailPoet)",
  needs: [[titles.email], ["Confirmation time"], ["Global status", "List status"]],
  parseRows: (lines) =>
    lines.map((line) => {
      const [askedAt, agreedAt] = [line.text("Subscription time"), line.text("Confirmation time")];
      const network = line.text("Confirmation IP", "Subscription IP");
      const signUpText = askedAt === "" ? "" : ` signed up ${askedAt},`;
      const statuses = ["Global status", "List status"].map((title) => line.text(title)).filter(Boolean);
      return {
        line,
        email: line.text(titles.email),
        agreedAt: asUtc(agreedAt),
        proof: network && `MailPoet:${signUpText} confirmed ${agreedAt} UTC`,
        network,
        refusal:
          statuses.some((text) => text.toLowerCase() !== "subscribed") &&
          `Its state there is “${statuses.join("”, “")}”.`,
      };
    }),
  notes: () => [timesAreUtc],
};

/** Subscribers who confirmed elsewhere. An address that has subscribed here keeps its own record. */
export const subscribersKind: ImportedKind<Row> = {
  areRowsIndependent: true,
  formats: [
    mailchimp,
    mailPoet,
    {
      name: "Shopify’s customer export",
      needs: [[titles.email], ["Accepts Email Marketing"]],
      parseRows: (lines) =>
        lines.map((line) => ({
          ...ownRow(line),
          refusal:
            /^(no|false|0)$/i.test(line.text("Accepts Email Marketing")) &&
            "It does not accept marketing there.",
        })),
      notes: (lines) => missingColumns(lines, "Shopify exports neither date nor proof of consent."),
    },
    {
      name: "A list of subscribers",
      needs: [[titles.email]],
      parseRows: (lines) => lines.map(ownRow),
      notes: missingColumns,
    },
  ],
  rowLine: ({ line }) => line,
  rowLabel: ({ email }) => email,
  async importRow(ctx, { line, email, refusal, ...row }) {
    if (refusal) throw new RowRefused(refusal);
    const consent = await findConsent(ctx, { email: parseEmail(email), ...row });
    if (consent === null) throw new RowRefused("It has neither date nor proof of consent.");
    const label = consent.email;
    ctx.refuseRepeated("address", label.toLowerCase(), line);
    const result = await importSubscriber(ctx.db, consent);
    if (result.state === "refused") throw new RowRefused(result.reason);
    if (result.state === "same") return { label, state: "same", text: "Subscribed already." };
    const text = `Subscribed without any email. ${await consentText(ctx, consent)}`;
    return { label, text, state: "new", step: result.id };
  },
  async undo({ db }, id: number) {
    const reason = await removeImportedSubscriber(db, id);
    if (reason !== null) throw new RowRefused(reason);
  },
};

/** A hint that names the consent columns missing in the file. */
function missingColumns(
  lines: readonly Line[],
  reason = "Rows without date and proof of consent are refused.",
): string[] {
  const missingTitles = [titles.agreedAt, titles.proof].filter(
    (title) => !lines.some((line) => line.has(title)),
  );
  return missingTitles.length === 0 ? [] : [`${reason} Add the columns “${missingTitles.join("” and “")}”.`];
}

function ownRow(line: Line): Row {
  return {
    line,
    email: line.text(titles.email),
    agreedAt: line.text(titles.agreedAt),
    proof: line.text(titles.proof),
  };
}

export function parseEmail(email: string): string {
  if (email === "") throw new RowRefused("It has no email address.");
  return parseValue(v.object({ email: emailSchema }), { email }, { email: titles.email }).email;
}

/** The consent of a row; null if the row has none. Refuses a row that has only its date or its proof. */
export async function findConsent(
  ctx: ImportContext,
  { email, agreedAt, proof, network }: { email: string; agreedAt: string; proof: string; network?: string },
): Promise<Consent | null> {
  const time = parseTime(titles.agreedAt, agreedAt);
  if (time === null && proof === "") return null;
  if (time === null) throw new RowRefused("It has no date of consent.");
  if (proof === "")
    throw new RowRefused("It has no proof of consent: the words agreed to, or how and where.");
  const at = "at" in time ? time.at : startOfDay(await ownerTimeZone(ctx, ctx.db), time.day);
  if (at > ctx.now()) throw new RowRefused("Its date of consent is in the future.");
  if (proof.length > 500) throw new RowRefused("Its proof of consent is longer than 500 characters.");
  return { email, agreedAt: at, proof, network: network ? truncatedNetwork(network) || null : null };
}

/** "Agreed on 2025-03-01: Paper list." */
export async function consentText(ctx: ImportContext, { agreedAt, proof }: Consent): Promise<string> {
  const day = dateIn(await ownerTimeZone(ctx, ctx.db), agreedAt);
  return `Agreed on ${day}: ${proof.replace(/[.]?$/, ".")}`;
}
