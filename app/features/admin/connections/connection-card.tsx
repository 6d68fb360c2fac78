import type { ReactNode } from "react";
import { Link } from "react-router";
import {
  type ConnectionName,
  type ConnectionsState,
  connectionTitles,
} from "../../../../domain/connections/connections.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { ActionButton, DialogButton } from "../kit/action-button.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { Fact } from "../kit/rows/sum-row.tsx";
import { ShortDay } from "../kit/short-day.tsx";

type State = Pick<
  ConnectionsState["mail"],
  "source" | "variables" | "version" | "updatedAt" | "updatedBy" | "tried"
>;

const titleId = (name: ConnectionName) => `${name}-title`;

function KeysButton({
  name,
  form,
  children,
}: {
  name: ConnectionName;
  form: (onClose: () => void) => ReactNode;
  children: ReactNode;
}) {
  return (
    <DialogButton dialog={form}>
      {children}
      <span className="sr-only"> of {connectionTitles[name]}</span>
    </DialogButton>
  );
}

/** One service: the source of its keys, whether they worked, and the actions on them. */
export function ConnectionCard({
  name,
  state,
  intro,
  isOptional = false,
  isFixed,
  missingText,
  removalWarning,
  facts,
  badge,
  next,
  form,
  children,
}: {
  name: ConnectionName;
  state: State;
  intro: string;
  /** Whether the shop can sell without it; the card then shows no details until keys are set. */
  isOptional?: boolean;
  /** Whether environment variables set all keys, so that none can be entered here. */
  isFixed: boolean;
  /** Effect on the shop while no keys are set. */
  missingText: string;
  /** Warning before the keys are removed: the features that stop working without them. */
  removalWarning: string;
  facts: [string, ReactNode][];
  badge?: string | undefined;
  /** The link to the next step once keys are set. */
  next: { to: string; label: string };
  /** The dialog in which the keys are entered. */
  form: (onClose: () => void) => ReactNode;
  /** Shown beside `next`. */
  children?: ReactNode;
}) {
  const title = connectionTitles[name];
  const { source, variables, version, updatedAt, updatedBy, tried } = state;
  const isStored = updatedAt !== null;
  const isInUse = source === "environment" || source === "panel";
  if (isOptional && source === "none") {
    return (
      <Card className="scroll-mt-4 px-[clamp(1.25rem,1rem+1vw,1.75rem)] py-4 md:py-5" id={name}>
        <section
          aria-labelledby={titleId(name)}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 max-sm:grid max-sm:grid-cols-1"
        >
          <div className="min-w-0 grow basis-60">
            <h3 id={titleId(name)} className="font-sans text-ui font-semibold tracking-normal">
              {title}
            </h3>
            <p className="text-small text-ink-muted">{intro}</p>
          </div>
          <KeysButton name={name} form={form}>
            Enter keys
          </KeysButton>
        </section>
      </Card>
    );
  }
  return (
    <Card className="scroll-mt-4 p-[clamp(1.25rem,1rem+1vw,1.75rem)]" id={name}>
      <section aria-labelledby={titleId(name)} className="stack gap-4">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={titleId(name)} className="card-title">
              {title}
            </h3>
            <SourceBadge source={source} />
            {isInUse && badge && <Badge tone={badge === "Live" ? "green" : "yellow"}>{badge}</Badge>}
          </div>
          <p className="mt-1.5 max-w-160 text-small text-ink-muted">{intro}</p>
        </div>
        {source === "none" && <p className="text-ui">{missingText}</p>}
        {source === "unreadable" && (
          <Banner title="The stored keys cannot be read.">
            They were stored by a server with another key. Enter them again, or have whoever runs the server
            set the right key on every server (SECRETS_KEY).
          </Banner>
        )}
        <dl className="grid empty:hidden gap-x-6 gap-y-2 text-ui sm:grid-cols-[max-content_minmax(0,1fr)]">
          {facts.map(
            ([label, value]) =>
              value && (
                <Fact key={label} label={label}>
                  {value}
                </Fact>
              ),
          )}
          {variables.length > 0 && (
            <Fact label="Set on the server">
              {isFixed ? "All of it" : "A part of it"}, so whoever runs the server changes it there.
              <span className="block text-caption text-ink-muted">{variables.join(", ")}</span>
            </Fact>
          )}
          {isStored && source === "panel" && (
            <Fact label="Entered here">
              <ShortDay iso={updatedAt} withTime /> by {updatedBy ?? "somebody with the access code"}
            </Fact>
          )}
          {isInUse && (
            <Fact label="Last tried">
              {tried === null ? (
                "Not yet"
              ) : (
                <>
                  <ShortDay iso={tried.at} withTime />:{" "}
                  <span className={tried.failure === null ? "text-success" : "text-danger"}>
                    {tried.failure ?? "it works"}
                  </span>
                </>
              )}
            </Fact>
          )}
        </dl>
        {isFixed && isStored && (
          <p className="text-small text-ink-muted">
            Keys entered here are not used while keys are set on the server.
          </p>
        )}
        <div className="flex flex-wrap gap-2 max-sm:grid">
          {!isFixed && (
            <KeysButton name={name} form={form}>
              {isStored ? "Change" : "Enter keys"}
            </KeysButton>
          )}
          {isInUse && (
            <ActionButton
              call="POST /api/admin/connections/:name/try"
              failure={`${title} was not tested`}
              success={({ data: { failure } }) =>
                failure === null
                  ? { title: `${title} works` }
                  : { title: `${title} does not work`, description: failure, tone: "danger" }
              }
              busyText="Trying..."
              send={(run) => run({ params: { name }, timeoutMs: 60_000 })}
            >
              Try now<span className="sr-only">: {title}</span>
            </ActionButton>
          )}
          {isStored && (
            <ButtonWithConfirmation
              call="DELETE /api/admin/connections/:name"
              success={{ title: `${title} keys removed` }}
              label={
                <>
                  Remove<span className="sr-only"> the {title} keys</span>
                </>
              }
              title={`Remove the ${title} keys?`}
              description={`${isFixed ? "They are not in use now." : removalWarning} To use them again, enter them again.`}
              confirmLabel="Remove the keys"
              busyText="Removing..."
              send={(run) => run({ params: { name }, query: { version: String(version) } })}
            />
          )}
        </div>
        {source !== "none" && (
          <p className="text-small">
            <Link className="link" to={next.to}>
              {next.label}
            </Link>
            {children}
          </p>
        )}
      </section>
    </Card>
  );
}

function SourceBadge({ source }: Pick<State, "source">) {
  if (source === "environment") return <Badge tone="cream">Set on the server</Badge>;
  if (source === "panel") return <Badge tone="green">Set here</Badge>;
  if (source === "unreadable") return <Badge tone="red">Cannot be read</Badge>;
  return <Badge tone="yellow">Not set</Badge>;
}
