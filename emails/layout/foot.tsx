import type { Sender } from "../../domain/outbox/email.ts";
import { returnsSentence } from "../../domain/settings/facts.ts";
import { Link, Text } from "./elements.ts";
import { linesOf, oneLine } from "./one-line.ts";
import { looks } from "./theme.ts";

const questions = "Questions? Just reply to this email.";

/** Who writes, how to reach them, and how returns go: to shoppers whole, to the owner just the shop's name. */
export function Foot({ sender }: { sender: Sender }) {
  const { publicUrl, replyTo, seller } = sender;
  const host = new URL(publicUrl).host;
  return (
    <>
      {(replyTo !== null || seller?.phone) && (
        <Text {...looks.small}>
          {replyTo !== null && questions}
          {seller?.phone && ` ${callUs(seller.phone)}`}
        </Text>
      )}
      {seller && (
        <Text {...looks.small}>
          {returnsSentence(seller.returns)}{" "}
          <Link href={`${publicUrl}/returns-policy`} {...looks.link}>
            Returns
          </Link>
          {" · "}
          <Link href={`${publicUrl}/contact`} {...looks.link}>
            Help and contact
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

/** The same for a text part: paragraphs. */
export function footText(sender: Sender): (string | null)[] {
  const { publicUrl, replyTo, seller } = sender;
  const ways = [replyTo === null ? null : questions, seller?.phone ? callUs(seller.phone) : null];
  return [
    ways.filter((way) => way !== null).join(" ") || null,
    seller && `${returnsSentence(seller.returns)}\n${publicUrl}/returns-policy`,
    `${sellerLine(sender)}\n${publicUrl}`,
  ];
}

const callUs = (phone: string) => `Call us: ${oneLine(phone)}.`;

/** "Palmira Oils LLC, 1 Main St, Austin, TX 78701, USA" */
function sellerLine({ brandName, seller }: Sender): string {
  const address = seller?.address ? linesOf(seller.address).filter((line) => line !== "") : [];
  return [seller?.legalName ?? brandName, ...address].map(oneLine).join(", ");
}
