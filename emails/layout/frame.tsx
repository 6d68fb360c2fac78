import type { ReactNode } from "react";
import type { Sender } from "../../domain/outbox/email.ts";
import { Body, Button, Container, Head, Heading, Html, Link, Preview, Section, Text } from "./elements.ts";
import { linesOf } from "./plain-text.ts";
import { colors, sans, serif, styles } from "./theme.ts";

/** The page around every e-mail. `preview` is what inboxes show beside the subject. */
export function Frame(props: { sender: Sender; title: string; preview: string; children: ReactNode }) {
  const { sender, title } = props;
  return (
    <Html lang="en">
      <Head>
        <title>{title}</title>
        {/* Dark modes that honour this leave the colors alone; the others get every background stated. */}
        <meta name="color-scheme" content="light only" />
        <meta name="supported-color-schemes" content="light only" />
      </Head>
      <Preview>{props.preview}</Preview>
      <Body style={{ backgroundColor: colors.paper, margin: 0, padding: "24px 12px" }}>
        <Container style={{ maxWidth: 600, width: "100%" }}>
          <Section style={{ backgroundColor: colors.paper, padding: "8px 0 24px", textAlign: "center" }}>
            <Link
              href={sender.publicUrl}
              style={{ color: colors.forest, fontFamily: serif, fontSize: 22, letterSpacing: "0.22em" }}
            >
              {sender.brandName.toUpperCase()}
            </Link>
          </Section>
          <Section
            style={{
              backgroundColor: colors.white,
              border: `1px solid ${colors.line}`,
              borderRadius: 8,
              borderTop: `3px solid ${colors.gold}`,
              padding: "36px 32px",
            }}
          >
            <Heading as="h1" style={styles.heading}>
              {title}
            </Heading>
            {props.children}
          </Section>
          <Section style={{ backgroundColor: colors.paper, padding: "20px 8px" }}>
            {sender.replyTo === null ? null : (
              <Text style={styles.small}>Questions? Just reply to this email.</Text>
            )}
            <Text style={styles.small}>
              {sender.brandName},{" "}
              <Link href={sender.publicUrl} style={styles.link}>
                {new URL(sender.publicUrl).host}
              </Link>
            </Text>
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

/** The way out of an e-mail that nobody needs. */
export function Unsubscribe({ href }: { href: string }) {
  return (
    <Text style={styles.small}>
      <Link href={href} style={styles.link}>
        Unsubscribe
      </Link>
    </Text>
  );
}

/** Words that somebody typed, set apart, with their line breaks. */
export function Quote({ text }: { text: string }) {
  return (
    <Text style={{ ...styles.text, borderLeft: `3px solid ${colors.gold}`, paddingLeft: 14 }}>
      {linesOf(text).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that never changes
        <span key={index}>
          {line}
          <br />
        </span>
      ))}
    </Text>
  );
}

export function TestModeNote({ sender }: { sender: Sender }) {
  if (!sender.isTestMode) return null;
  return (
    <Text
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

export function Action({ href, children }: { href: string; children: string }) {
  return (
    <Section style={{ padding: "16px 0 24px" }}>
      <Button href={href} style={styles.button}>
        {children}
      </Button>
    </Section>
  );
}
