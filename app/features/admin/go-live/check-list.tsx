import type { LucideIcon } from "lucide-react";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { type ReactNode, useRef, useState } from "react";
import { Link, useRevalidator } from "react-router";
import {
  blocksSales,
  type CheckState,
  checkGroups,
  checkGroupTitles,
  type confirmableChecks,
  type GoLiveCheck,
  goLiveStepPath,
  keptGroups,
} from "../../../../domain/go-live/go-live.ts";
import { focusHeading } from "../../../shell/page-focus.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

const stateStyles: Record<CheckState, { word: string; tone: "green" | "yellow" | "red"; glyph: LucideIcon }> =
  {
    ok: { word: "OK", tone: "green", glyph: CircleCheck },
    warning: { word: "Warning", tone: "yellow", glyph: TriangleAlert },
    problem: { word: "Problem", tone: "red", glyph: CircleX },
  };

const urgency: Record<CheckState, number> = { problem: 0, warning: 1, ok: 2 };

/**
 * The go-live checks: those that block sales, then the other open ones, then the passed ones, collapsed and grouped. A check
 * that passes while the page is open stays in place until the page is left. `renderAction` renders the test that a check offers.
 */
export function CheckList({
  checks,
  renderAction,
}: {
  checks: GoLiveCheck[];
  renderAction: (check: GoLiveCheck) => ReactNode;
}) {
  const [initialChecks] = useState(checks);
  const openChecks = checks.flatMap((check) => {
    const initial = initialChecks.find(({ id }) => id === check.id) ?? check;
    const isOpen = check.state !== "ok" || initial.state !== "ok";
    return isOpen ? [{ check, isBlocking: blocksSales(check.state === "ok" ? initial : check) }] : [];
  });
  openChecks.sort((a, b) => urgency[a.check.state] - urgency[b.check.state]);
  const blockingChecks = openChecks.filter(({ isBlocking }) => isBlocking).map(({ check }) => check);
  const laterChecks = openChecks.filter(({ isBlocking }) => !isBlocking).map(({ check }) => check);
  const passedChecks = checks.filter((check) => !openChecks.some((openCheck) => openCheck.check === check));
  return (
    <div className="grid gap-7">
      <Section
        id="blocking"
        title="Before the first sale"
        checks={blockingChecks}
        renderAction={renderAction}
        isFirst
      />
      <Section id="later" title="Soon" checks={laterChecks} renderAction={renderAction}>
        <KeepAll checks={laterChecks} />
      </Section>
      {passedChecks.length > 0 && (
        <details className="group/done">
          <summary className="flex min-h-11 cursor-pointer items-center gap-2.5 text-ui font-medium [&::-webkit-details-marker]:hidden">
            <Icon glyph={CircleCheck} className="text-success" />
            {passedChecks.length} {passedChecks.length === 1 ? "check has" : "checks have"} passed
            <Icon
              glyph={ChevronDown}
              size="small"
              className="text-ink-muted transition-transform group-open/done:rotate-180"
            />
          </summary>
          <div className="mt-4 grid gap-7">
            {checkGroups.map((group) => (
              <Section
                key={group}
                id={`group-${group}`}
                title={checkGroupTitles[group]}
                checks={passedChecks.filter((check) => check.group === group)}
                renderAction={renderAction}
              />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function Section({
  id,
  title,
  checks,
  renderAction,
  isFirst = false,
  children,
}: {
  id: string;
  title: string;
  checks: GoLiveCheck[];
  renderAction: (check: GoLiveCheck) => ReactNode;
  /** Whether the section's first open check is the next step. */
  isFirst?: boolean;
  /** A line before the checks. */
  children?: ReactNode;
}) {
  if (checks.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-h3">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {children}
        {checks.map((check, index) => (
          <CheckLine
            key={check.id}
            check={check}
            action={renderAction(check)}
            isNext={isFirst && index === 0 && check.state !== "ok"}
            // The badge "Warning" would repeat the heading "Soon".
            hasBadge={id !== "later" || check.state !== "warning"}
          />
        ))}
      </ul>
    </section>
  );
}

function CheckLine({
  check,
  action,
  isNext,
  hasBadge,
}: {
  check: GoLiveCheck;
  action: ReactNode;
  isNext: boolean;
  hasBadge: boolean;
}) {
  const { word, tone, glyph } = stateStyles[check.state];
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-4 text-ui lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:justify-between">
          <h3 className="font-sans text-ui font-semibold">{check.title}</h3>
          {hasBadge && (
            <Badge tone={tone} glyph={glyph}>
              {word}
            </Badge>
          )}
        </div>
        <p>{withSmallVariables(check.detail)}</p>
        {check.todo && check.todo !== `${check.link?.label}.` && (
          <p className="text-small text-ink-muted">{withSmallVariables(check.todo)}</p>
        )}
      </div>
      {(check.link !== null || check.keep !== null || action) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden lg:max-w-96 lg:justify-end">
          {check.state !== "ok" && check.link && (
            <Link
              to={goLiveStepPath(check.link)}
              className={
                isNext
                  ? buttonClass({ size: "small" })
                  : "inline-flex min-h-11 min-w-11 items-center gap-0.5 font-medium text-link no-underline hover:underline max-lg:-my-2 max-lg:only:-my-2.5"
              }
            >
              {check.link.label}
              {!isNext && <Icon glyph={ChevronRight} size="small" />}
            </Link>
          )}
          {check.keep !== null && <KeepButton check={check} label={check.keep} />}
          {action}
        </div>
      )}
    </li>
  );
}

/** Prints environment variables in brackets, such as "(PUBLIC_URL)", small: they concern only whoever runs the server. */
function withSmallVariables(text: string): ReactNode {
  return text.split(/(\([^)]*[A-Z]+_[A-Z]+[^)]*\))/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="text-caption text-ink-muted">
        {part}
      </span>
    ),
  );
}

/** Confirms all default settings about which the owner has not decided yet. */
function KeepAll({ checks }: { checks: GoLiveCheck[] }) {
  const undecided = checks.filter(({ id }) => id in keptGroups).filter(({ keep }) => keep !== null);
  const action = useAdminAction("POST /api/admin/go-live/keep", { reloads: false });
  const { revalidate } = useRevalidator();
  if (undecided.length < 2) return null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 bg-cream-soft px-4 py-4 text-ui">
      <p>Not decided yet: {undecided.map(({ title }) => title.toLowerCase()).join(", ")}</p>
      <PanelButton
        busy={action.busy}
        busyText="Keeping..."
        onClick={async () => {
          for (const { id } of undecided) {
            const response = await action.run({ body: { check: id as keyof typeof keptGroups } });
            if (!response.ok) return;
          }
          toast({ title: `Kept: ${undecided.map(({ title }) => title).join(", ")}` });
          await revalidate();
          focusHeading(document.getElementById("later") ?? undefined);
        }}
      >
        Keep all as they are
      </PanelButton>
    </li>
  );
}

/** Marks a check as decided by the owner and changes no setting. */
function KeepButton({ check: { id, title }, label }: { check: GoLiveCheck; label: string }) {
  const line = useRef<HTMLDivElement>(null);
  const action = useAdminAction("POST /api/admin/go-live/keep", {
    success: { title: `${title}: decided` },
    failure: "This was not kept",
  });
  return (
    <div ref={line}>
      <PanelButton
        busy={action.busy}
        busyText="Keeping..."
        aria-label={`${label}: ${title}`}
        onClick={async () => {
          const item = line.current?.closest("li");
          const response = await action.run({ body: { check: id as (typeof confirmableChecks)[number] } });
          // The focused button disappears with its line.
          const headings = [...(item?.querySelectorAll("h3") ?? [])];
          if (response.ok) focusHeading(headings.find(({ offsetParent }) => offsetParent !== null));
        }}
      >
        {label}
      </PanelButton>
    </div>
  );
}
