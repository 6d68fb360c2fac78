import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import type { EditedMenu, MenuLink } from "../../../../domain/content/menu.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { controlClass, SelectBox } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { MoveButtons } from "../kit/rows/move-buttons.tsx";
import { useLineList } from "../kit/rows/use-line-list.ts";

const elsewhere = "https://";

/** Edits the links of one part of the menu: label, target, order. Alt with an arrow key moves a link, too. */
export function MenuLinks({
  place,
  name,
  links,
  targets,
  problems,
  onChange,
}: {
  /** `header`, or `footer.1` for a column. */
  place: string;
  name: string;
  links: readonly MenuLink[];
  targets: EditedMenu["targets"];
  problems: Record<string, string>;
  onChange(links: MenuLink[]): void;
}) {
  const list = useLineList(links, onChange);
  const change = (at: number, link: MenuLink, changes: Partial<MenuLink>) =>
    onChange([...links].with(at, { ...link, ...changes }));

  return (
    <div className="grid gap-2">
      {problems[place] && place !== "footer" && (
        <p id={place} tabIndex={-1} role="alert" className="text-small text-danger">
          {problems[place]}
        </p>
      )}
      <ul className="grid gap-2">
        {links.map((link, at) => {
          const id = `${place}.${at}`;
          const isElsewhere = !targets.some(({ to }) => to === link.to) && !link.to.startsWith("/");
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a link has no identity besides its place
              key={at}
              className={`grid gap-2 rounded-md border border-line bg-surface p-2.5 sm:grid-cols-[minmax(0,4fr)_minmax(0,5fr)_auto] ${link.isHidden ? "border-dashed" : ""}`}
            >
              <input
                type="text"
                ref={list.inputRef(at)}
                id={`${id}.label`}
                aria-label={`${name}, link ${at + 1} of ${links.length}: what it says`}
                {...invalid(problems, `${id}.label`)}
                className={`${controlClass} min-h-11! py-2!`}
                value={link.label}
                onChange={({ target }) => change(at, link, { label: target.value })}
                onKeyDown={(event) => list.moveByKey(event, at, link.label)}
              />
              <SelectBox
                id={isElsewhere ? undefined : `${id}.to`}
                aria-label={`${link.label || `Link ${at + 1}`} leads to`}
                {...(isElsewhere ? {} : invalid(problems, `${id}.to`))}
                className="min-h-11! py-2!"
                value={isElsewhere ? elsewhere : link.to}
                onChange={({ target }) => change(at, link, { to: target.value })}
              >
                {!isElsewhere && !targets.some(({ to }) => to === link.to) && (
                  <option value={link.to}>{link.to}</option>
                )}
                {targets.map(({ to, name }) => (
                  <option key={to} value={to}>
                    {name}
                  </option>
                ))}
                <option value={elsewhere}>Another website …</option>
              </SelectBox>
              {isElsewhere && (
                <input
                  type="url"
                  id={`${id}.to`}
                  aria-label={`Address of ${link.label || `link ${at + 1}`}`}
                  {...invalid(problems, `${id}.to`)}
                  placeholder="https://"
                  className={`${controlClass} min-h-11! py-2! sm:order-1 sm:col-span-3`}
                  value={link.to}
                  onChange={({ target }) =>
                    // Any other address; the shop's own pages are in the list above.
                    change(at, link, { to: target.value.replace(/^\/+/, "") })
                  }
                />
              )}
              {(["label", "to"] as const).map(
                (part) =>
                  problems[`${id}.${part}`] && (
                    <p
                      key={part}
                      id={`${id}.${part}-note`}
                      className="text-caption text-danger sm:order-1 sm:col-span-3"
                    >
                      {problems[`${id}.${part}`]}
                    </p>
                  ),
              )}
              <div className="flex items-center justify-end gap-0.5">
                {link.isHidden && <span className="mr-auto text-caption text-ink-muted">Hidden</span>}
                <IconButton
                  label={link.isHidden ? `Show ${link.label}` : `Hide ${link.label}`}
                  onClick={() => change(at, link, { isHidden: !link.isHidden })}
                >
                  <Icon glyph={link.isHidden ? EyeOff : Eye} size="small" />
                </IconButton>
                <MoveButtons what={link.label} {...list.moves(at, link.label)} />
                <IconButton label={`Remove ${link.label}`} onClick={() => list.remove(at, link.label)}>
                  <Icon glyph={Trash} size="small" />
                </IconButton>
              </div>
            </li>
          );
        })}
      </ul>
      <div>
        <Button
          variant="quiet"
          size="small"
          className="-ml-3"
          onClick={() => list.add({ label: "", to: "/", isHidden: false })}
        >
          <Icon glyph={Plus} size="small" /> Add a link
        </Button>
      </div>
      <p className="sr-only" role="status">
        {list.announcement}
      </p>
    </div>
  );
}

function invalid(problems: Record<string, string>, id: string) {
  return problems[id] ? { "aria-invalid": true as const, "aria-describedby": `${id}-note` } : {};
}
