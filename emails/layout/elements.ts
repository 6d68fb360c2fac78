/** Only the elements in use: the package with all elements is six times as large and includes a code formatter. */
export { Body } from "@react-email/body";
export { Button } from "@react-email/button";
export { Container } from "@react-email/container";
export { Head } from "@react-email/head";
export { Heading } from "@react-email/heading";
export { Html } from "@react-email/html";
export { Link } from "@react-email/link";
export { Preview } from "@react-email/preview";
export { Section } from "@react-email/section";
export { Text } from "@react-email/text";
