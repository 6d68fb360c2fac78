import type { ReactNode } from "react";
import type { ConnectionsState } from "../../domain/connections/connections.ts";
import { labelProviders } from "../../domain/labels/labels.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AccessCodeCard } from "../features/admin/connections/access-code-card.tsx";
import { ConnectionCard } from "../features/admin/connections/connection-card.tsx";
import { CarrierForm, MailForm, StripeForm, TwilioForm } from "../features/admin/connections/key-forms.tsx";
import { MailReports } from "../features/admin/connections/mail-reports.tsx";
import { ActionButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { CopyableUrl } from "../features/admin/kit/copy.tsx";
import { SettingsMenu } from "../features/admin/settings/settings-menu.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-connections";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Keys and connections");

export const loader = adminLoader(
  async (_: Route.LoaderArgs, read) => (await read("GET /api/admin/connections")).data,
);

/** The keys of external services, and the panel's access code. */
export default function AdminConnections({ loaderData: state }: Route.ComponentProps) {
  const { stripe, mail, twilio } = state;
  return (
    <AdminPage title="Keys and connections">
      <div className="stack gap-8 xl:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsMenu />
        <div className="stack min-w-0 max-w-232 content-start gap-8">
          <KeyState state={state.key} />
          <Group title="Needed to sell">
            <ConnectionCard
              name="stripe"
              state={stripe}
              intro="Takes cards and wallets, and pays you."
              isFixed={
                stripe.variables.includes("STRIPE_SECRET_KEY") || stripe.variables.includes("PAYMENTS")
              }
              missingText={
                stripe.mode === "sandbox"
                  ? "Payments are simulated: no card is charged, and orders can be placed for nothing."
                  : "No card payments can be taken until keys are entered."
              }
              removalWarning={`${stripe.mode === "test" && stripe.webhookUrl.startsWith("http:") ? "Payments are then simulated again." : "Without them no card payment can be taken."} None made before can be refunded or looked up from here. Orders, customers and sums stay.`}
              facts={[
                ["Mode", modeText(stripe.mode)],
                ["Account", stripe.account],
                ["Publishable key", stripe.publishableKey],
                ["Webhook address", <CopyableUrl key="webhook" url={stripe.webhookUrl} />],
                ["Webhook", stripe.webhook && `Made by the shop (${stripe.webhook.id})`],
                ["Another one", stripe.webhook && otherEndpointsText(stripe.webhook.others)],
              ]}
              badge={stripe.mode === "test" ? "Test mode" : stripe.mode === "live" ? "Live" : undefined}
              next={{ to: "/admin/go-live", label: "Test the webhook under Go live" }}
              form={(onClose) => <StripeForm state={stripe} onClose={onClose} />}
            >
              {stripe.webhook && <RecreateWebhook version={stripe.version} />}
            </ConnectionCard>
            <ConnectionCard
              name="mail"
              state={mail}
              intro="Sends order confirmations and all other email, and tells you of orders."
              isFixed={mail.variables.length === 3}
              missingText="Every email is kept in the panel and none is sent, order confirmations included."
              removalWarning="Without it every email is kept in the panel and none is sent, order confirmations and sign-in links included."
              facts={[
                ["Server", mail.host && `${mail.host}, port ${mail.port}`],
                ["User", mail.host && (mail.user ?? "None")],
                ["Sender", mail.from],
                ["You are notified at", mail.ownerEmail],
                [
                  "Bounces and complaints",
                  mail.host && state.key.from && <MailReports key="reports" state={mail} />,
                ],
              ]}
              next={{ to: "/admin/go-live", label: "Send a test email under Go live" }}
              form={(onClose) => <MailForm state={mail} onClose={onClose} />}
            />
          </Group>
          <Group title="Optional">
            <ConnectionCard
              name="twilio"
              state={twilio}
              intro="Texts your phone about new orders."
              isOptional
              isFixed={twilio.variables.length > 0}
              missingText="No text messages are sent."
              removalWarning="Without it no text messages are sent."
              facts={[
                ["Account SID", twilio.accountSid],
                ["Sends from", twilio.from],
              ]}
              next={{ to: "/admin/notifications", label: "Set your number under Notifications" }}
              form={(onClose) => <TwilioForm state={twilio} onClose={onClose} />}
            />
            {labelProviders.map((name) => (
              <ConnectionCard
                key={name}
                name={name}
                state={state[name]}
                intro="Sells labels of USPS, UPS, FedEx, DHL and others, and follows the parcels."
                isOptional
                isFixed={false}
                missingText="No labels are bought from it. Labels of the sandbox carrier are for test orders."
                removalWarning="Without it labels that it sold are neither voided nor followed from here."
                facts={[
                  ["Mode", carrierModeText(state[name].mode)],
                  ["Key", state[name].apiKey],
                  ["Parcels", state[name].apiKey && trackingText(state[name].hasWebhook)],
                ]}
                badge={carrierBadge(state[name].mode)}
                next={{ to: "/admin/settings/labels", label: "Set sender and parcels under Labels" }}
                form={(onClose) => <CarrierForm name={name} state={state[name]} onClose={onClose} />}
              />
            ))}
          </Group>
          <Group title="Sign-in without a passkey">
            <AccessCodeCard state={state.accessCode} />
          </Group>
        </div>
      </div>
    </AdminPage>
  );
}

/** Cards under a heading, which separates required connections from optional ones. */
function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-3">
      <h2 className="font-sans text-small font-semibold tracking-normal text-ink-muted">{title}</h2>
      {children}
    </section>
  );
}

export const ErrorBoundary = problemPage("Keys and connections", "Failed to load the keys");

function KeyState({ state: { from, problem, mayHaveOtherServers } }: { state: ConnectionsState["key"] }) {
  if (from === null) {
    return (
      <Banner title="No keys can be kept here.">
        There is nothing to encrypt them with: {problem}. Whoever runs the server sets a key (SECRETS_KEY) and
        starts the shop again.
      </Banner>
    );
  }
  const where =
    from === "SECRETS_KEY" ? "a key that is set on the server" : "a key file in the server’s data folder";
  return (
    <>
      <p className="max-w-text text-small text-ink-muted">
        Keys are tested before they are saved, stored encrypted, and never shown again. To read them, the shop
        needs {where}, which is in no backup: keep a copy somewhere safe.
      </p>
      {from === "DATA_DIR" && mayHaveOtherServers && (
        <Banner tone="warning" title="Do several servers run this shop?">
          Then whoever runs them sets the same key on all of them first (SECRETS_KEY). Otherwise the other
          servers cannot read what you enter here.
        </Banner>
      )}
    </>
  );
}

/** Null if Stripe has no other endpoint for the shop's URL. */
function otherEndpointsText(ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  return `${ids.join(", ")}, made by hand in Stripe’s dashboard. The shop leaves it alone and refuses its events: delete it there if nothing else needs it.`;
}

/** Recreates a webhook that was deleted or changed at Stripe. */
function RecreateWebhook({ version }: { version: number }) {
  return (
    <span className="mt-2 block">
      <ActionButton
        call="POST /api/admin/connections/stripe/webhook"
        success={{ title: "The webhook was created again" }}
        failure="No webhook was created"
        busyText="Creating..."
        send={(run) => run({ body: { version }, timeoutMs: 60_000 })}
      >
        Create the webhook again
      </ActionButton>
    </span>
  );
}

function carrierModeText(mode: "live" | "test" | null): string | null {
  if (mode === null) return null;
  return mode === "live" ? "Live: labels cost money" : "Test: labels for test orders, which cost nothing";
}

const carrierBadge = (mode: "live" | "test" | null) =>
  mode === null ? undefined : mode === "live" ? "Live" : "Test mode";

function trackingText(hasWebhook: boolean): string {
  return hasWebhook
    ? "The service reports where parcels are"
    : "The shop checks every six hours where parcels are: reports are possible only on https";
}

function modeText(mode: ConnectionsState["stripe"]["mode"]): string | null {
  if (mode === "live") return "Live: cards are charged";
  if (mode === "test") return "Test: no card is charged";
  return mode === "sandbox" ? "Simulated" : null;
}
