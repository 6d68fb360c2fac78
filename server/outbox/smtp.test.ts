import { afterAll, expect, test } from "vitest";
import { startFakeSmtp } from "../../test/fake-smtp.ts";
import { parseConfig } from "../platform/config.ts";
import { openMailer } from "./smtp.ts";

/** A mail server without STARTTLS, as if an attacker in the middle had removed it. */
const smtp = await startFakeSmtp({ user: "shop", password: "hush" });
afterAll(() => smtp.close());

async function sendThrough(SMTP_URL: string): Promise<void> {
  const parsed = parseConfig({ SMTP_URL });
  if (!parsed.ok || parsed.config.mail.smtpUrl === null) throw new Error("not configured");
  const { smtpUrl } = parsed.config.mail;
  const publicUrl = "https://shop.example.com";
  const mailer = openMailer({ smtpUrl, from: null, connections: 1, publicUrl });
  const sender = {
    brandName: "Palmira",
    publicUrl,
    timeZone: "UTC",
    isTestMode: false,
    currencyDisplay: "symbol" as const,
    replyTo: null,
    seller: null,
  };
  const rendered = { subject: "Hello", html: "<p>Hello</p>", text: "Hello" };
  await mailer
    .send({ messageId: "1", to: "ada@example.com", replyTo: null, sender, rendered })
    .finally(() => mailer.close());
}

test("a password is sent unencrypted to another machine only if that is configured", async () => {
  const { port } = new URL(smtp.url);
  // An address of this machine that does not look like loopback.
  const otherMachineUrl = `smtp://shop:hush@0.0.0.0:${port}`;
  await expect(sendThrough(otherMachineUrl)).rejects.toThrow(/STARTTLS|TLS/);
  expect(smtp.received).toEqual([]);
  await sendThrough(`${otherMachineUrl}?insecure=1`);
  await sendThrough(`smtp://shop:hush@127.0.0.1:${port}`);
  expect(smtp.received).toHaveLength(2);
});
