import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import { useEffect, useRef, useState } from "react";
import type { EditedMenu, MenuLink } from "../../../../domain/content/menu.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { controlClass } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { SelectBox } from "../../../ui/select.tsx";

const elsewhere = "https://";

/** The links of one place: what each says, where it leads, its order. Alt with an arrow key moves one as well. */
export function MenuLinks({
  place,
  name,
  links,
  targets,
  problems,
  onChange,
}: {
  /** `header`, or `footer.1` of a column. */
  place: string;
  name: string;
  links: readonly MenuLink[];
  targets: EditedMenu["targets"];
  problems: Record<string, string>;
  onChange(links: MenuLink[]): void;
}) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const [focusAt, setFocusAt] = useState<number | null>(null);
  const [news, setNews] = useState("");
  useEffect(() => {
    if (focusAt === null) return;
    inputs.current[focusAt]?.focus();
    setFocusAt(null);
  }, [focusAt]);

  const change = (at: number, link: MenuLink, changes: Partial<MenuLink>) =>
    onChange([...links].with(at, { ...link, ...changes }));
  function move(at: number, to: number) {
    const link = links[at];
    if (link === undefined || to < 0 || to >= links.length) return;
    onChange([...links].toSpliced(at, 1).toSpliced(to, 0, link));
    setNews(`${link.label} moved to place ${to + 1} of ${links.length}`);
    setFocusAt(to);
  }
  function remove(at: number) {
    setNews(`${links[at]?.label} removed`);
    onChange([...links].toSpliced(at, 1));
    setFocusAt(Math.max(0, Math.min(at, links.length - 2)));
  }

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
              // biome-ignore lint/suspicious/noArrayIndexKey: the links are nothing but their places
              key={at}
              className={`grid gap-2 rounded-md border border-line bg-surface p-2.5 sm:grid-cols-[minmax(0,4fr)_minmax(0,5fr)_auto] ${link.isHidden ? "border-dashed" : ""}`}
            >
              <input
                type="text"
                ref={(input) => {
                  inputs.current[at] = input;
                }}
                id={`${id}.label`}
                aria-label={`${name}, link ${at + 1} of ${links.length}: what it says`}
                {...invalid(problems, `${id}.label`)}
                className={`${controlClass} min-h-11! py-2!`}
                value={link.label}
                onChange={({ target }) => change(at, link, { label: target.value })}
                onKeyDown={(event) => {
                  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
                  event.preventDefault();
                  move(at, event.key === "ArrowUp" ? at - 1 : at + 1);
                }}
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
                    // Kept apart from the shop's own pages, which the list above has.
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
                <IconButton
                  label={`Move ${link.label} up`}
                  disabled={at === 0}
                  onClick={() => move(at, at - 1)}
                >
                  <Icon glyph={ArrowUp} size="small" />
                </IconButton>
                <IconButton
                  label={`Move ${link.label} down`}
                  disabled={at === links.length - 1}
                  onClick={() => move(at, at + 1)}
                >
                  <Icon glyph={ArrowDown} size="small" />
                </IconButton>
                <IconButton label={`Remove ${link.label}`} onClick={() => remove(at)}>
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
          onClick={() => {
            onChange([...links, { label: "", to: "/", isHidden: false }]);
            setFocusAt(links.length);
          }}
        >
          <Icon glyph={Plus} size="small" /> Add a link
        </Button>
      </div>
      <p className="sr-only" role="status">
        {news}
      </p>
    </div>
  );
}

function invalid(problems: Record<string, string>, id: string) {
  return problems[id] ? { "aria-invalid": true as const, "aria-describedby": `${id}-note` } : {};
}
