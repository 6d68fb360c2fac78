import type { ReactNode } from "react";
import type { Sender } from "../../domain/outbox/email.ts";
import { Body, Container, Head, Heading, Html, Link, Preview, Section, Text } from "./elements.ts";
import { linesOf } from "./one-line.ts";
import { colors, looks, sans, serif, sheetFor } from "./theme.ts";

/** Size of the logo's picture in pixels. */
const logo = { width: 240, height: 72 };

/**
 * The layout around every e-mail. `preview` is shown by inboxes beside the subject. `foot`: content below the card.
 */
export function Frame(props: {
  sender: Sender;
  title: string;
  highlight: string | null;
  preview: string;
  foot: ReactNode;
  children: ReactNode;
}) {
  const { sender, title, highlight } = props;
  return (
    <Html lang="en">
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, whose quotes must stay what they are */}
        <style dangerouslySetInnerHTML={{ __html: sheetFor(sender.publicUrl) }} />
      </Head>
      <Preview>{props.preview}</Preview>
      <Body className="paper" style={{ backgroundColor: colors.paper, margin: 0, padding: 0 }}>
        <Section
          className="paper"
          // Long words are broken: in programs that know only one of the two properties, and inside of tables, too.
          style={{
            backgroundColor: colors.paper,
            overflowWrap: "anywhere",
            padding: "20px 10px",
            wordBreak: "break-word",
          }}
        >
          <Container style={{ maxWidth: 600, width: "100%" }}>
            <Section
              style={{
                backgroundColor: colors.forest,
                borderBottom: `3px solid ${colors.gold}`,
                borderRadius: "8px 8px 0 0",
                textAlign: "center",
              }}
            >
              <Link href={sender.publicUrl} style={{ color: colors.paper, textDecoration: "none" }}>
                <img
                  src={`${sender.publicUrl}/email-logo.png`}
                  {...logo}
                  alt={sender.brandName}
                  style={{
                    backgroundColor: colors.forest,
                    border: 0,
                    color: colors.paper,
                    display: "inline-block",
                    fontFamily: serif,
                    fontSize: 22,
                    letterSpacing: "0.12em",
                    lineHeight: "72px",
                    verticalAlign: "top",
                  }}
                />
              </Link>
            </Section>
            <Section
              className="card pad"
              style={{
                backgroundColor: colors.white,
                border: `1px solid ${colors.line}`,
                borderRadius: "0 0 8px 8px",
                borderTop: 0,
                padding: "34px 32px 26px",
              }}
            >
              <Heading
                as="h1"
                className={looks.heading.className}
                style={{ ...looks.heading.style, ...(highlight !== null && { marginBottom: 6 }) }}
              >
                {title}
              </Heading>
              {highlight !== null && <Text {...looks.highlight}>{unbroken(highlight)}</Text>}
              {props.children}
            </Section>
            <Section
              className="paper pad"
              style={{ backgroundColor: colors.paper, padding: "22px 32px 8px" }}
            >
              {props.foot}
            </Section>
          </Container>
        </Section>
      </Body>
    </Html>
  );
}

export function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that never changes
    <span key={index}>
      {line}
      <br />
    </span>
  ));
}

/** Quoted text with its line breaks. */
export function Quote({ text }: { text: string }) {
  return (
    <Text
      className={looks.text.className}
      style={{ ...looks.text.style, borderLeft: `3px solid ${colors.gold}`, paddingLeft: 14 }}
    >
      <Lines lines={linesOf(text)} />
    </Text>
  );
}

export function TestModeNote() {
  return (
    <Text
      className="info"
      style={{
        backgroundColor: colors.infoBackground,
        color: colors.info,
        fontFamily: sans,
        fontSize: 14,
        lineHeight: "21px",
        margin: "0 0 16px",
        padding: "10px 14px",
      }}
    >
      {testModeNote}
    </Text>
  );
}

export const testModeNote = "Test mode: payments are simulated, no card was charged.";

/** The text with its dates, "Nov 27 – Dec 2" and "December 3, 2026", and its ranges, "3-5", each on one line. */
export function unbroken(text: string): ReactNode {
  const parts = text.split(
    /([A-Z][a-z]{2} \d+ – (?:[A-Z][a-z]{2} )?\d+|[A-Z][a-z]{2,8} \d+, \d{4}|\b\d+-\d+\b)/,
  );
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never changes
      <span key={index} style={{ whiteSpace: "nowrap" }}>
        {part}
      </span>
    ),
  );
}
