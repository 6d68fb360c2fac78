import type { Ref } from "react";
import type { AdminSettings } from "../../../../domain/settings/settings-schema.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field-links.tsx";
import type { ApiProblem } from "../../api.ts";

/** Why saving failed: validation errors, or a conflict with another user's change. */
export function SettingsProblems({
  ref,
  problems,
  failed,
  isOvertaken,
  onOverrule,
  onGiveWay,
}: {
  ref: Ref<HTMLDivElement>;
  problems: Record<string, string>;
  failed: ApiProblem | null;
  /** Another user has saved one of the edited groups, and the page has already loaded that change. */
  isOvertaken: boolean;
  /** `current`: as the server has just told it; without it, as the page was loaded last. */
  onOverrule: (current?: AdminSettings) => void;
  onGiveWay: (current?: AdminSettings) => void;
}) {
  const frame = { ref, tabIndex: -1 };
  const links = Object.entries(problems).map(([controlId, problem]) => ({ controlId, problem }));
  if (links.length > 0) {
    return (
      <Banner {...frame} title="Nothing was saved. Please check:">
        <FieldLinks links={links} />
      </Banner>
    );
  }
  if (failed === null && !isOvertaken) return null;
  if (failed !== null && failed.error !== "invalid_state") {
    return (
      <Banner {...frame} title="Nothing was saved.">
        {failed.message} What you typed is still here.
      </Banner>
    );
  }
  return (
    <Banner {...frame} tone="warning" role="alert" title="Changed meanwhile.">
      {failed?.message ?? "Somebody has saved these settings while you were changing them."}
      <div className="mt-2.5 flex flex-wrap gap-2.5">
        <Button
          variant="secondary"
          size="small"
          onClick={() => onGiveWay(failed?.current as AdminSettings | undefined)}
        >
          Show what is saved now
        </Button>
        <Button
          variant="secondary"
          size="small"
          onClick={() => onOverrule(failed?.current as AdminSettings | undefined)}
        >
          Save mine instead
        </Button>
      </div>
    </Banner>
  );
}
