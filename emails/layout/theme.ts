import figtree from "../../assets/fonts/figtree.woff2?url";
import fraunces from "../../assets/fonts/fraunces.woff2?url";

/** The shop's design tokens for mail programs, which support no variables. */
export const colors = {
  paper: "#FBF7EF",
  white: "#FFFDF9",
  creamSoft: "#F6EFE1",
  forest: "#233629",
  ink: "#1D2A21",
  inkMuted: "#565E53",
  copper: "#8A4B15",
  gold: "#A98850",
  star: "#A9601F",
  line: "#E2D8C5",
  info: "#28597A",
  infoBackground: "#E3EDF2",
};

const dark = {
  paper: "#141F18",
  card: "#1B2B21",
  soft: "#24372B",
  ink: "#F4ECDD",
  inkMuted: "#B9C4B8",
  copper: "#EBBF87",
  star: "#D9974A",
  line: "#34503D",
  info: "#BFDDEE",
  infoBackground: "#1F3A4A",
};

/**
 * The style sheet of an e-mail of the shop at `publicUrl`. Its web fonts are the pages' own; programs without them use the next
 * font. Outlook ignores `@media screen`; otherwise it would set text in
 * Times if it does not know the font.
 */
export function sheetFor(publicUrl: string): string {
  const face = (family: string, file: string) =>
    `@font-face { font-family: ${family}; font-weight: 300 700; font-display: swap; src: url(${publicUrl}${file}) format("woff2"); }`;
  return `@media screen { ${face("Fraunces", fraunces)} ${face("Figtree", figtree)} }${sheet}`;
}

/**
 * Dark mode for mail programs that support it (Apple Mail, Outlook, Thunderbird); others invert the light colors or keep
 * them. `!important`, because inline styles take precedence over a style sheet.
 */
const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
h1 { text-wrap: balance; }
p { text-wrap: pretty; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${dark.paper} !important; }
  .card { background-color: ${dark.card} !important; border-color: ${dark.line} !important; }
  .soft { background-color: ${dark.soft} !important; }
  .ink, .heading { color: ${dark.ink} !important; }
  .muted { color: ${dark.inkMuted} !important; }
  .highlight, .link { color: ${dark.copper} !important; }
  .star { color: ${dark.star} !important; }
  .rule { border-color: ${dark.line} !important; }
  .button { background-color: ${dark.ink} !important; color: ${colors.forest} !important; }
  .info { background-color: ${dark.infoBackground} !important; color: ${dark.info} !important; }
}
@media (max-width: 480px) {
  .pad { padding-left: 22px !important; padding-right: 22px !important; }
  .wide { width: 100% !important; }
  .stack { box-sizing: border-box; display: block !important; padding: 0 0 18px !important; width: 100% !important; }
  .highlight { font-size: 22px !important; line-height: 28px !important; }
}
@media (max-width: 370px) {
  .thumb { display: none !important; }
}`;

export const serif = "Fraunces, Georgia, 'Times New Roman', serif";
export const sans = "Figtree, 'Segoe UI', Helvetica, Arial, sans-serif";

/** Props of elements: inline styles, and the class by which the dark style sheet finds them. */
export const elementProps = {
  heading: {
    className: "heading",
    style: {
      color: colors.forest,
      fontFamily: serif,
      fontSize: 30,
      fontWeight: 400,
      letterSpacing: "-0.02em",
      lineHeight: "36px",
      margin: "0 0 16px",
    },
  },
  highlight: {
    className: "highlight",
    style: {
      color: colors.copper,
      fontFamily: serif,
      fontSize: 25,
      letterSpacing: "-0.015em",
      lineHeight: "31px",
      margin: "0 0 18px",
    },
  },
  subheading: {
    className: "heading",
    style: {
      color: colors.forest,
      fontFamily: serif,
      fontSize: 20,
      fontWeight: 400,
      lineHeight: "26px",
      margin: "32px 0 8px",
    },
  },
  text: {
    className: "ink",
    style: { color: colors.ink, fontFamily: sans, fontSize: 16, lineHeight: "25px", margin: "0 0 12px" },
  },
  small: {
    className: "muted",
    style: { color: colors.inkMuted, fontFamily: sans, fontSize: 14, lineHeight: "21px", margin: "0 0 8px" },
  },
  link: { className: "link", style: { color: colors.copper, textDecoration: "underline" } },
  button: {
    className: "button",
    style: {
      lineHeight: "100%",
      textDecoration: "none",
      display: "inline-block",
      maxWidth: "100%",
      msoPaddingAlt: "0px",
      backgroundColor: colors.forest,
      borderRadius: 4,
      color: colors.paper,
      fontFamily: sans,
      fontSize: 16,
      fontWeight: 500,
      padding: "15px 26px",
      paddingTop: 15,
      paddingRight: 26,
      paddingBottom: 15,
      paddingLeft: 26,
    },
    target: "_blank",
  },
} as const;
