import { formatDay } from "../domain/orders/order-text.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf, Template } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";

type Invitation = EmailOf<"panel_invitation">;

const titleOf = ({ isNew, name }: Invitation) => (isNew ? `Welcome, ${name}` : `Your new link, ${name}`);
const why = ({ invitedBy, isNew, role }: Invitation, brandName: string) =>
  isNew
    ? `${invitedBy} invites you to work in the admin panel of ${brandName} as ${role.toLowerCase()}.`
    : `${invitedBy} sends you a new link into the admin panel of ${brandName}.`;
const what =
  "It opens the panel and asks you to add a passkey: from then on your fingerprint, face or device code signs you in. There is no password.";
const label = "Open the panel";
const rules = ({ expiresAt }: Invitation, timeZone: string) =>
  `The link works once, until ${formatDay(expiresAt, timeZone)}. Don’t forward this email: whoever opens the link is you.`;
const stranger = "Weren’t you expecting this? Then ignore it, and tell whoever runs the shop.";

/** The single-use link into the panel. */
export const panelInvitation: Template<Invitation> = {
  subject: ({ isNew }, { brandName }) =>
    isNew ? `You’re invited to the panel of ${brandName}` : `Your new link into the panel of ${brandName}`,
  html: (email, sender) => (
    <Frame sender={sender} title={titleOf(email)} preview={why(email, sender.brandName)}>
      <Text {...looks.text}>{why(email, sender.brandName)}</Text>
      <Text {...looks.text}>{what}</Text>
      <Action href={email.joinUrl}>{label}</Action>
      <Text {...looks.text}>{rules(email, sender.timeZone)}</Text>
      <Text {...looks.small}>{stranger}</Text>
    </Frame>
  ),
  text: (email, sender) =>
    paragraphs(
      sender,
      titleOf(email),
      why(email, sender.brandName),
      what,
      `${label}:\n${email.joinUrl}`,
      rules(email, sender.timeZone),
      stranger,
    ),
};
