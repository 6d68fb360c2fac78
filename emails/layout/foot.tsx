import type { Sender } from "../../domain/outbox/email.ts";
import { returnsSentence } from "../../domain/settings/facts.ts";
import { Link, Text } from "./elements.ts";
import { linesOf, oneLine } from "./one-line.ts";
import { looks } from "./theme.ts";

const questions = "Questions? Just reply to this email.";

/** Sender and contact for shoppers, with returns if `isReturnable`; only the shop's name for the owner. */
export function Foot({ sender, isReturnable }: { sender: Sender; isReturnable: boolean }) {
  const { publicUrl, replyTo, seller } = sender;
  const host = new URL(publicUrl).host;
  return (
    <>
      {(replyTo !== null || seller) && (
        <Text {...looks.small}>
          {replyTo !== null && `${questions} `}
          {seller?.phone && `${callUs(seller.phone)} `}
          {seller && (
            <Link href={`${publicUrl}/contact`} {...looks.link}>
              Help and contact
            </Link>
          )}
        </Text>
      )}
      {seller && isReturnable && (
        <Text {...looks.small}>
          {returnsSentence(seller.returns)}{" "}
          <Link href={`${publicUrl}/returns-policy`} {...looks.link}>
            Returns
          </Link>
        </Text>
      )}
      <Text {...looks.small}>
        {sellerLine(sender)}
        <br />
        <Link href={publicUrl} {...looks.link}>
          {host}
        </Link>
      </Text>
    </>
  );
}

/** The footer of the text part, as paragraphs. */
export function footText(sender: Sender, isReturnable: boolean): (string | null)[] {
  const { publicUrl, replyTo, seller } = sender;
  const contacts = [replyTo === null ? null : questions, seller?.phone ? callUs(seller.phone) : null];
  return [
    contacts.filter((contact) => contact !== null).join(" ") || null,
    seller && isReturnable ? `${returnsSentence(seller.returns)}\n${publicUrl}/returns-policy` : null,
    `${sellerLine(sender)}\n${publicUrl}`,
  ];
}

const callUs = (phone: string) => `Call us: ${oneLine(phone)}.`;

/** "Palmira Oils LLC, 1 Main St, Austin, TX 78701, USA" */
function sellerLine({ brandName, seller }: Sender): string {
  const address = seller?.address ? linesOf(seller.address).filter((line) => line !== "") : [];
  return [seller?.legalName ?? brandName, ...address].map(oneLine).join(", ");
}
