import Download from "lucide-react/icons/download";
import { buttonClass } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";

/** A button that downloads a list as a CSV file. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a href={href} download className={`${buttonClass({ variant: "secondary", size: "small" })} max-sm:px-3`}>
      <Icon glyph={Download} size="small" /> CSV
    </a>
  );
}
