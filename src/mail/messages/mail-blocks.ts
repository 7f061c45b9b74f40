/** A link of a mail. Its URL is one that the service made. */
export type MailLink = { label: string; url: string }

export type MailListItem = {
  text: string
  /** Facts about it, such as who does it. */
  notes?: readonly string[]
  links?: readonly MailLink[]
}

/** A part of a mail. All texts are plain, and may contain whatever people said or wrote. */
export type MailBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string; isDim?: boolean }
  | { kind: 'button'; link: MailLink }
  /** `language` is the tag of the language of the texts. Null if it is not known. */
  | { kind: 'list'; language: string | null; items: readonly MailListItem[] }

/** The content of a mail, from which its HTML and its text are made. */
export type MailContent = {
  /** The tag of the language of headings and fixed sentences. English without it. */
  language?: string
  title: string
  blocks: readonly MailBlock[]
  /** Why the person gets the mail, and how to get less of it. */
  footer: { text: string; links: readonly MailLink[] }
}
