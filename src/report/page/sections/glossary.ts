import { html, withCode } from "../html.js";
import type { Section } from "./section.js";

export const glossarySection: Section = {
  id: "glossary",
  title: "Glossary",
  render: ({ glossary }) =>
    html`${glossary.map(
      ({ title, terms }) =>
        html`<h3>${title}</h3>
          <dl class="terms">
            ${terms.map(
              ({ term, meaning }) =>
                html`<dt>${withCode(term)}</dt>
                  <dd>${withCode(meaning)}</dd>`,
            )}
          </dl>`,
    )}`,
};
