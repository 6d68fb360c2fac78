import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Opens labels in a new tab, ready to print, and records them as printed. */
export function PrintLabel({
  labelIds,
  url,
  className = buttonClass({ variant: "secondary", size: "small" }),
  children,
}: {
  labelIds: string[];
  url: string;
  className?: string;
  children: ReactNode;
}) {
  const recordPrint = useAdminAction("POST /api/admin/labels/printed", {
    failure: "The label was not recorded as printed",
  });
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={className}
      onClick={() => void recordPrint.run({ body: { labelIds } })}
    >
      <Icon glyph={Printer} size="small" /> {children}
    </a>
  );
}
