/**
 * An e-mail's HTML for a frame of the panel, whose content security policy allows no style sheet; the e-mail's has only
 * rules for dark mode.
 */
export const withoutStyleSheet = (html: string) => html.replace(/<style>.*?<\/style>/s, "");
