import {
  brand,
  button,
  emailText,
  firstName,
  greeting,
  head,
  heading,
  line,
  orderNumber,
  paragraphs,
  preheader,
  proofFields,
  subject,
} from "./email-text.ts";

const productName = "The product";

/** E-mails that shoppers agreed to. The unsubscribe link cannot be edited. */
export const subscriptionEmails = {
  cart_reminder: emailText({
    name: "Cart reminder",
    when: "Somebody leaves a cart and has asked for a reminder",
    facts: { brand },
    fields: {
      ...head(),
      opening: paragraphs("Above the cart"),
      prices: paragraphs("Below the cart"),
      button: button(),
      once: paragraphs("Why they get it"),
    },
  }),
  review_request: emailText({
    name: "Review request",
    when: "Some days have passed since the delivery",
    facts: { brand, firstName, orderNumber, productName: "The product, if it is only one" },
    fields: {
      subject: subject([], "Subject, for one product"),
      subjectSeveral: subject([], "Subject, for several"),
      preheader,
      heading: heading("Heading, for one product"),
      headingSeveral: heading("Heading, for several"),
      greeting,
      opening: paragraphs("Opening"),
      howTo: paragraphs("Below the stars", { isOptional: true }),
      again: line("Before the link to buy again"),
      againLink: button("Link to buy again"),
      badge: paragraphs("How reviews are marked"),
      once: paragraphs("Why they get it", { needs: ["orderNumber"] }),
    },
  }),
  refill_reminder: emailText({
    name: "Refill reminder",
    when: "Some weeks have passed since the delivery, for buyers who asked for it",
    facts: { brand, firstName, orderNumber, goods: "The product, or “oil” where there are several" },
    fields: {
      ...head(),
      greeting,
      opening: paragraphs("Opening"),
      button: button(),
      once: paragraphs("Why they get it", { needs: ["orderNumber"] }),
    },
  }),
  stock_alert_confirm: emailText({
    name: "Back-in-stock alert, to be confirmed",
    when: "Somebody wants to hear when a product is back",
    facts: { brand, productName },
    fields: {
      ...head(),
      ...proofFields("For somebody who did not ask for it", { needs: ["productName"] }),
    },
  }),
  stock_alert: emailText({
    name: "Back in stock",
    when: "A product is back, for shoppers who wait for it",
    facts: { brand, productName },
    fields: {
      ...head(["productName"]),
      opening: paragraphs("Opening"),
      first: paragraphs("Below the price"),
      button: button(),
      once: paragraphs("Why they get it"),
    },
  }),
  newsletter_confirm: emailText({
    name: "Newsletter sign-up, to be confirmed",
    when: "Somebody signs up for the newsletter",
    facts: { brand, offer: "The welcome code’s discount, if you offer one" },
    paragraphFacts: ["offer"],
    fields: {
      ...head(),
      ...proofFields("For somebody who did not sign up"),
    },
  }),
  newsletter_welcome: emailText({
    name: "Welcome to the newsletter",
    when: "Somebody confirms the newsletter",
    facts: { brand, offer: "The welcome code’s discount, if you offer one" },
    paragraphFacts: ["offer"],
    fields: {
      subject: subject(),
      subjectCode: subject([], "Subject, with a welcome code"),
      preheader,
      heading: heading(),
      opening: paragraphs("Opening"),
      howToUse: line("Below the welcome code", { most: 160 }),
      button: button(),
    },
  }),
} as const;
