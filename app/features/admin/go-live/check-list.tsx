import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { ReactNode } from "react";
import { Link } from "react-router";
import {
  type CheckState,
  checkGroups,
  checkGroupTitles,
  type GoLiveCheck,
} from "../../../../domain/go-live/go-live.ts";
import { Badge } from "../../../ui/badge.tsx";

const looks: Record<CheckState, { word: string; tone: "green" | "yellow" | "red"; glyph: LucideIcon }> = {
  ok: { word: "OK", tone: "green", glyph: CircleCheck },
  warning: { word: "Warning", tone: "yellow", glyph: TriangleAlert },
  problem: { word: "Problem", tone: "red", glyph: CircleX },
};

/** The check's lines by group; `actionOf`: what can be tried out about one of them. */
export function CheckList({
  checks,
  actionOf,
}: {
  checks: GoLiveCheck[];
  actionOf: (check: GoLiveCheck) => ReactNode;
}) {
  return (
    <div className="grid gap-7">
      {checkGroups.map((group) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`} className="mb-3 text-h3">
            {checkGroupTitles[group]}
          </h2>
          <ul className="divide-y divide-line rounded-md border border-line bg-surface">
            {checks
              .filter((check) => check.group === group)
              .map((check) => (
                <CheckLine key={check.id} check={check} action={actionOf(check)} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function CheckLine({ check, action }: { check: GoLiveCheck; action: ReactNode }) {
  const { word, tone, glyph } = looks[check.state];
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
        {action}
      </div>
    </li>
  );
}
