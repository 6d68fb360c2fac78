import type { LucideIcon } from "lucide-react";
import ChevronDown from "lucide-react/icons/chevron-down";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import {
  type CheckState,
  checkGroups,
  checkGroupTitles,
  type confirmableChecks,
  type GoLiveCheck,
} from "../../../../domain/go-live/go-live.ts";
import { focusHeading } from "../../../shell/page-focus.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

const stateStyles: Record<CheckState, { word: string; tone: "green" | "yellow" | "red"; glyph: LucideIcon }> =
  {
    ok: { word: "OK", tone: "green", glyph: CircleCheck },
    warning: { word: "Warning", tone: "yellow", glyph: TriangleAlert },
    problem: { word: "Problem", tone: "red", glyph: CircleX },
  };

const urgency: Record<CheckState, number> = { problem: 0, warning: 1, ok: 2 };

/**
 * The lines of the go-live check: problems, then warnings, then lines that are ok, collapsed by group. A line that was
 * confirmed here stays in view until the page is left. `actionOf`: the test that a line offers.
 */
export function CheckList({
  checks,
  actionOf,
}: {
  checks: GoLiveCheck[];
  actionOf: (check: GoLiveCheck) => ReactNode;
}) {
  const [wereOpen] = useState(
    () => new Set(checks.filter(({ state }) => state !== "ok").map(({ id }) => id)),
  );
  const open = checks
    .filter(({ id, state }) => state !== "ok" || wereOpen.has(id))
    .sort((a, b) => urgency[a.state] - urgency[b.state]);
  const done = checks.filter((check) => !open.includes(check));
  return (
    <div className="grid gap-7">
      {open.length > 0 && (
        <section aria-labelledby="to-settle">
          <h2 id="to-settle" className="mb-3 text-h3">
            To do
          </h2>
          <Lines checks={open} actionOf={actionOf} />
        </section>
      )}
      {done.length > 0 && (
        <details className="group/done">
          <summary className="flex min-h-11 cursor-pointer items-center gap-2.5 text-ui font-medium [&::-webkit-details-marker]:hidden">
            <Icon glyph={CircleCheck} className="text-success" />
            {done.length} {done.length === 1 ? "line is" : "lines are"} in order
            <Icon
              glyph={ChevronDown}
              size="small"
              className="text-ink-muted transition-transform group-open/done:rotate-180"
            />
          </summary>
          <div className="mt-4 grid gap-7">
            {checkGroups.map((group) => {
              const lines = done.filter((check) => check.group === group);
              return (
                lines.length > 0 && (
                  <section key={group} aria-labelledby={`group-${group}`}>
                    <h2 id={`group-${group}`} className="mb-3 text-h3">
                      {checkGroupTitles[group]}
                    </h2>
                    <Lines checks={lines} actionOf={actionOf} />
                  </section>
                )
              );
            })}
          </div>
        </details>
      )}
    </div>
  );
}

function Lines({ checks, actionOf }: { checks: GoLiveCheck[]; actionOf: (check: GoLiveCheck) => ReactNode }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-surface">
      {checks.map((check) => (
        <CheckLine key={check.id} check={check} action={actionOf(check)} />
      ))}
    </ul>
  );
}

function CheckLine({ check, action }: { check: GoLiveCheck; action: ReactNode }) {
  const { word, tone, glyph } = stateStyles[check.state];
  return (
    <li className="grid gap-x-5 gap-y-1.5 px-4 py-3.5 text-ui md:grid-cols-[7rem_12rem_minmax(0,1fr)] md:items-start">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-sans text-ui font-semibold md:hidden">{check.title}</h3>
        <Badge tone={tone} glyph={glyph}>
          {word}
        </Badge>
      </div>
      <h3 className="font-sans text-ui font-semibold max-md:hidden">{check.title}</h3>
      <div className="grid min-w-0 gap-1.5 wrap-anywhere">
        <p>{check.detail}</p>
        {check.todo && (
          <p className="text-ink-muted">
            {check.todo}
            {check.link && (
              <>
                {" "}
                <Link to={check.link.to} className="link">
                  {check.link.label}
                </Link>
              </>
            )}
          </p>
        )}
        {check.keep !== null && <KeepButton check={check} words={check.keep} />}
        {action}
      </div>
    </li>
  );
}

/** Marks a check as decided by the owner and changes no setting. `words`: the button's label. */
function KeepButton({ check: { id, title }, words }: { check: GoLiveCheck; words: string }) {
  const line = useRef<HTMLDivElement>(null);
  const action = useAdminAction("POST /api/admin/go-live/keep", {
    success: { title: `${title}: decided` },
    failure: "This was not kept",
  });
  return (
    <div ref={line}>
      <Button
        variant="secondary"
        size="small"
        busy={action.busy}
        busyText="Keeping..."
        aria-label={`${words}: ${title}`}
        onClick={async () => {
          const item = line.current?.closest("li");
          const answer = await action.run({ body: { check: id as (typeof confirmableChecks)[number] } });
          // The focused button disappears with its line.
          const headings = [...(item?.querySelectorAll("h3") ?? [])];
          if (answer.ok) focusHeading(headings.find(({ offsetParent }) => offsetParent !== null));
        }}
      >
        {words}
      </Button>
    </div>
  );
}
