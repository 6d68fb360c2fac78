import { SubNav } from "../kit/admin-page.tsx";

/** Links to the kinds of texts. */
export function ContentNav() {
  return (
    <SubNav
      label="Texts"
      pages={[
        { to: "/admin/content", label: "Pages" },
        { to: "/admin/content/emails", label: "Emails" },
        { to: "/admin/content/menu", label: "Menu" },
      ]}
    />
  );
}
