import type { ReactNode } from "react";
import type { Sender } from "../../domain/outbox/email.ts";
import { Link, Section, Text } from "./elements.tsx";
import { splitLines } from "./one-line.ts";
import { colors, elementProps, sans, serif, sheetFor } from "./theme.ts";

/** Size of the logo's picture in pixels. */
const logo = { width: 240, height: 72 };
/** Length (characters) of the preview that mail programs show beside the subject. */
const previewLength = 150;
/** Invisible characters that follow a short preview, so that mail programs show none of the text behind it. */
const previewFiller = "\xa0\u200c\u200b\u200d\u200e\u200f\ufeff";

const styles = {
  preview: {
    display: "none",
    overflow: "hidden",
    lineHeight: "1px",
    opacity: 0,
    maxHeight: 0,
    maxWidth: 0,
  },
  body: { backgroundColor: colors.paper, margin: 0, padding: 0 },
  // Long words are broken, even in tables, and in programs that know only one of the two properties.
  page: {
    backgroundColor: colors.paper,
    overflowWrap: "anywhere",
    padding: "20px 10px",
    wordBreak: "break-word",
  },
  column: { maxWidth: 600, width: "100%" },
  wide: { width: "100%" },
  header: {
    backgroundColor: colors.forest,
    borderBottom: `3px solid ${colors.gold}`,
    borderRadius: "8px 8px 0 0",
    textAlign: "center",
  },
  logoLink: { color: colors.paper, textDecoration: "none" },
  logo: {
    backgroundColor: colors.forest,
    border: 0,
    color: colors.paper,
    display: "inline-block",
    fontFamily: serif,
    fontSize: 22,
    letterSpacing: "0.12em",
    lineHeight: "72px",
    verticalAlign: "top",
  },
  card: {
    backgroundColor: colors.white,
    border: `1px solid ${colors.line}`,
    borderRadius: "0 0 8px 8px",
    borderTop: 0,
    padding: "34px 32px 26px",
  },
  headingAboveHighlight: { ...elementProps.heading.style, marginBottom: 6 },
  foot: { backgroundColor: colors.paper, padding: "22px 32px 8px" },
  quote: { ...elementProps.text.style, borderLeft: `3px solid ${colors.gold}`, paddingLeft: 14 },
  testMode: {
    backgroundColor: colors.infoBackground,
    color: colors.info,
    fontFamily: sans,
    fontSize: 14,
    lineHeight: "21px",
    margin: "0 0 16px",
    padding: "10px 14px",
  },
  unbroken: { whiteSpace: "nowrap" },
} as const;

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
  const preview = props.preview.slice(0, previewLength);
  return (
    <html dir="ltr" lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta content="text/html; charset=UTF-8" httpEquiv="Content-Type" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, whose quotes must stay what they are */}
        <style dangerouslySetInnerHTML={{ __html: sheetFor(sender.publicUrl) }} />
      </head>
      <body className="paper" style={styles.body}>
        <div style={styles.preview} data-skip-in-text={true}>
          {preview}
          {preview.length < previewLength && (
            <div>{previewFiller.repeat(previewLength - preview.length)}</div>
          )}
        </div>
        {/* Some programs drop the styles of the body. */}
        <table border={0} width="100%" cellPadding="0" cellSpacing="0" role="presentation" align="center">
          <tbody>
            <tr>
              <td style={styles.body}>
                <Section className="paper" style={styles.page}>
                  <Section style={styles.column} rowStyle={styles.wide}>
                    <Section style={styles.header}>
                      <Link href={sender.publicUrl} style={styles.logoLink}>
                        <img
                          src={`${sender.publicUrl}/email-logo.png`}
                          {...logo}
                          alt={sender.brandName}
                          style={styles.logo}
                        />
                      </Link>
                    </Section>
                    <Section className="card pad" style={styles.card}>
                      <h1
                        className={elementProps.heading.className}
                        style={highlight === null ? elementProps.heading.style : styles.headingAboveHighlight}
                      >
                        {title}
                      </h1>
                      {highlight !== null && <Text {...elementProps.highlight}>{unbroken(highlight)}</Text>}
                      {props.children}
                    </Section>
                    <Section className="paper pad" style={styles.foot}>
                      {props.foot}
                    </Section>
                  </Section>
                </Section>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
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
    <Text className={elementProps.text.className} style={styles.quote}>
      <Lines lines={splitLines(text)} />
    </Text>
  );
}

export function TestModeNote() {
  return (
    <Text className="info" style={styles.testMode}>
      {testModeNote}
    </Text>
  );
}

export const testModeNote = "Test mode: payments are simulated, no card was charged.";

/** The text with its dates, "Nov 20", "Nov 27 – Dec 2" and "December 3, 2026", times, "3:04 PM", and ranges, "3-5", each on one line. */
export function unbroken(text: string): ReactNode {
  const parts = text.split(
    /([A-Z][a-z]{2,8} \d+, \d{4}|[A-Z][a-z]{2} \d+(?: – (?:[A-Z][a-z]{2} )?\d+)?|\b\d+-\d+\b|\d+:\d\d [AP]M\b)/,
  );
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never changes
      <span key={index} style={styles.unbroken}>
        {part}
      </span>
    ),
  );
}
