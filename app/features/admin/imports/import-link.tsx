import FileUp from "lucide-react/icons/file-up";
import type { ImportKind } from "../../../../domain/imports/import.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** Button of a list that leads to the import of its records. */
export function ImportLink({ kind }: { kind: ImportKind }) {
  return (
    <ButtonLink to={`/admin/import/${kind}`} variant="secondary" size="small" className="max-sm:px-3">
      <Icon glyph={FileUp} size="small" /> Import
    </ButtonLink>
  );
}
