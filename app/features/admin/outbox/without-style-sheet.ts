/**
 * Removes an e-mail's style sheet, which has only rules for dark mode, for display in the panel: the panel's content security
 * policy forbids style sheets.
 */
export const withoutStyleSheet = (html: string) => html.replace(/<style>.*?<\/style>/s, "");
