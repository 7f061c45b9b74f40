/** HTML that is safe to send. Only the functions of this file create it. */
export class SafeHtml {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type HtmlValue = string | number | SafeHtml | readonly SafeHtml[]

export const NO_HTML = new SafeHtml('')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * A template tag that escapes every value except other safe HTML, so that hostile text stays text. It is not named
 * `html`, because formatters change the white space of such templates.
 */
export function markup(parts: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: parts }, ...values.map(toText)))
}

function toText(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  return Array.isArray(value) ? value.join('') : String(value)
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}
