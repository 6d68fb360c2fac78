import FileUp from "lucide-react/icons/file-up";
import type { ImportKind } from "../../../../domain/imports/import.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** Leads to the import of a kind, beside its list's other actions. */
export function ImportLink({ kind }: { kind: ImportKind }) {
  return (
    <ButtonLink to={`/admin/import/${kind}`} variant="secondary" size="small" className="max-sm:px-3">
      <Icon glyph={FileUp} size="small" /> Import
    </ButtonLink>
  );
}
