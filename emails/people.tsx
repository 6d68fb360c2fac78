import { formatDay } from "../domain/orders/order-text.ts";
import { action, paragraph } from "./layout/parts.tsx";
import type { EmailOf, Template } from "./layout/template.ts";

/** The single-use link into the panel. */
export const panelInvitation: Template<EmailOf<"panel_invitation">> = {
  subject: ({ isNew }, { brandName }) =>
    isNew ? `You’re invited to the panel of ${brandName}` : `Your new link into the panel of ${brandName}`,
  content({ isNew, name, invitedBy, role, expiresAt, joinUrl }, { brandName, timeZone }) {
    const reasonText = isNew
      ? `${invitedBy} invites you to work in the admin panel of ${brandName} as ${role.toLowerCase()}.`
      : `${invitedBy} sends you a new link into the admin panel of ${brandName}.`;
    return {
      title: isNew ? `Welcome, ${name}` : `Your new link, ${name}`,
      preview: reasonText,
      parts: [
        paragraph(reasonText),
        paragraph(
          "It opens the panel and asks you to add a passkey: from then on your fingerprint, face or device code signs you in. There is no password.",
        ),
        action("Open the panel", joinUrl),
        paragraph(
          `The link works once, until ${formatDay(expiresAt, timeZone)}. Don’t forward this email: whoever opens the link can sign in as you.`,
        ),
        paragraph("Weren’t you expecting this? Then ignore it, and tell whoever runs the shop.", "small"),
      ],
    };
  },
};
