import RotateCcw from "lucide-react/icons/rotate-ccw";
import { useId, useState } from "react";
import { isRouteErrorResponse, Link, useLocation } from "react-router";
import { messageKindLabels, type OutboxMessage } from "../../domain/outbox/outbox.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { Drawer } from "../features/admin/kit/drawer.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import {
  MessageStateBadge,
  recipientText,
  stateSentence,
  unsentReason,
} from "../features/admin/outbox/message-state.tsx";
import { withoutStyleSheet } from "../features/admin/outbox/without-style-sheet.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-sent-message";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sent message");

export const loader = adminLoader(
  async ({ params: { id } }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/outbox/:id", { params: { id } })).data,
);

/** One e-mail or text with its recipient, delivery state and content; it can be sent again. */
export default function AdminSentMessage({ loaderData: message }: Route.ComponentProps) {
  const { search } = useLocation();
  useRefreshWhile(message.status === "queued");
  const isText = message.channel === "sms";
  const recipient = recipientText(message);
  // Within a sentence, a description of the recipient is lowercase; an address is unchanged.
  const to = message.recipient ?? `${recipient[0]?.toLowerCase()}${recipient.slice(1)}`;
  return (
    <Drawer
      title={messageKindLabels[message.kind]}
      subtitle={
        <>
          To {to}, <ShortDay iso={message.createdAt} withTime />
        </>
      }
      closeTo={`/admin/messages/sent${search}`}
      footer={
        message.resendProblem === null ? (
          <ButtonWithConfirmation
            label={
              <>
                <Icon glyph={RotateCcw} size="small" />{" "}
                {message.status === "failed" ? "Try again" : "Send again"}
              </>
            }
            variant="primary"
            danger={false}
            title={isText ? "Send this text again?" : "Send this email again?"}
            description={
              isText
                ? "It goes to your number as it is set now."
                : `It goes to ${to}, written again with current facts.`
            }
            confirmLabel={isText ? "Send text" : "Send email"}
            busyText="Sending..."
            call="POST /api/admin/outbox/:id/resend"
            success={{ title: "On its way", description: "The new message is at the top of Sent." }}
            send={(run) => run({ params: { id: message.id } })}
          />
        ) : (
          <p className="text-small text-ink-muted">Cannot be sent again: {message.resendProblem}</p>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <MessageStateBadge state={message} />
        <span className="text-small text-ink-muted empty:hidden">{stateSentence(message)}</span>
      </div>
      {message.lastError && (
        <Banner
          className="mt-4"
          tone={message.status === "skipped" ? "info" : "danger"}
          title={message.status === "skipped" ? "Not sent:" : "Last problem:"}
        >
          <span className="wrap-anywhere">{unsentReason(message.lastError)}</span>
        </Banner>
      )}
      <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 text-small">
        {message.subject !== null && <Fact label="Subject">{message.subject}</Fact>}
        {message.orderId !== null && (
          <Fact label="Order">
            <Link
              className="link -my-3 inline-flex min-h-11 min-w-11 items-center"
              to={`/admin/orders/${message.orderId}`}
            >
              {message.orderNumber === null ? "Open the order" : `#${message.orderNumber}`}
            </Link>
          </Fact>
        )}
        {message.sentAt !== null && (
          <Fact label={message.status === "kept" ? "Kept" : "Sent"}>
            <ShortDay iso={message.sentAt} withTime />
          </Fact>
        )}
        <Fact label="Tries">{message.attempts}</Fact>
        {message.copyOf !== null && (
          <Fact label="Repeats">
            <Link
              className="link -my-3 inline-flex min-h-11 items-center"
              to={`/admin/messages/sent/${message.copyOf}${search}`}
            >
              an earlier message
            </Link>
          </Fact>
        )}
      </dl>
      <MessagePreview message={message} />
    </Drawer>
  );
}

/** Replaces the message; the list behind it stays. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { search } = useLocation();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Drawer title="Sent message" closeTo={`/admin/messages/sent${search}`}>
      <Banner title={isMissing ? "There is no such message." : "Failed to load the message."}>
        {isMissing
          ? "It may have been deleted together with its order or message."
          : "Close this and open the message again in a moment."}
      </Banner>
    </Drawer>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}

/**
 * The content of an e-mail or text message. Its HTML is shown in a sandboxed frame: no scripts, no forms, no working
 * links.
 */
function MessagePreview({ message }: { message: OutboxMessage }) {
  const [isTextShown, setTextShown] = useState(false);
  const headingId = useId();
  if (message.text === null) {
    return (
      <p className="mt-6 text-small text-ink-muted">
        {message.status === "queued"
          ? "It is written when it is sent."
          : "Its content was never stored, or has been deleted."}
      </p>
    );
  }
  const html = isTextShown ? null : message.html;
  return (
    <section aria-labelledby={headingId} className="mt-6">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 id={headingId} className="font-sans text-ui font-semibold">
          What it said
        </h3>
        {message.html !== null && (
          <PanelButton variant="quiet" onClick={() => setTextShown(!isTextShown)}>
            {isTextShown ? "Show as email" : "Show as plain text"}
          </PanelButton>
        )}
      </div>
      {html === null ? (
        <pre className="overflow-x-auto rounded-md border border-line bg-surface p-4 font-sans text-small whitespace-pre-wrap wrap-anywhere">
          {message.text}
        </pre>
      ) : (
        <iframe
          title={`Email: ${message.subject}`}
          sandbox=""
          srcDoc={withoutStyleSheet(html)}
          className="h-[36rem] w-full rounded-md border border-line bg-white"
        />
      )}
    </section>
  );
}
