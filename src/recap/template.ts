import type { Sharer } from '../access/sharing/guest-shares.ts'
import type { Recap, RecapContent } from './recap.ts'

/** The sections of a recap, in the order that a recap has unless its project chose another one. */
export const RECAP_SECTIONS = [
  'summary',
  'decisions',
  'actions',
  'openQuestions',
  'topics',
] as const
export type RecapSectionName = (typeof RECAP_SECTIONS)[number]

/** In documents and on shared pages. */
export const RECAP_SECTION_HEADINGS: Readonly<Record<RecapSectionName, string>> = {
  summary: 'Summary',
  decisions: 'Decisions',
  actions: 'Action items',
  openQuestions: 'Open questions',
  topics: 'Topics',
}

/**
 * Whom a project mails its recaps to. `participants`: people with an account who took part. `members`: everyone who may
 * read the project.
 */
export const RECAP_MAIL_RECIPIENTS = ['nobody', 'participants', 'members'] as const
export type RecapMailRecipients = (typeof RECAP_MAIL_RECIPIENTS)[number]

export const MAX_INSTRUCTIONS_CHARS = 2_000

/** What a project wants its recaps to be. */
export type RecapTemplate = {
  /** The sections that recaps have, in this order. */
  sections: readonly RecapSectionName[]
  /** What editors of the project ask of a language model. Empty for nothing. */
  instructions: string
  /** The tag of the language to write in. Null for the language of the meeting. */
  language: string | null
}

/** For how many days the links work that guests get by mail. */
export const GUEST_LINK_DAYS = { default: 14, max: 90 } as const

/** What a project has decided about its recaps. */
export type ProjectRecapSettings = RecapTemplate & {
  mailRecipients: RecapMailRecipients
  /** The owner or token that had recaps mailed to invited guests, and still may. Null if guests get none. */
  guestSharer: Sharer | null
  guestLinkDays: number
}

export const DEFAULT_TEMPLATE: RecapTemplate = {
  sections: RECAP_SECTIONS,
  instructions: '',
  language: null,
}

/** A recap without the sections that the template leaves out. */
export function applySections(recap: Recap, { sections }: RecapTemplate): Recap {
  const empty = Object.fromEntries(
    RECAP_SECTIONS.filter((section) => !sections.includes(section)).map((section) => [section, []]),
  )
  return { ...recap, ...empty, sections }
}

/**
 * The sections to show, in their order. A section that the recap was made without is shown last if it has entries,
 * because a person has added or changed them.
 */
export function listShownSections(
  { sections = RECAP_SECTIONS }: Pick<RecapContent, 'sections'>,
  hasEntries: (section: RecapSectionName) => boolean,
): RecapSectionName[] {
  const others = RECAP_SECTIONS.filter(
    (section) => !sections.includes(section) && hasEntries(section),
  )
  return [...sections, ...others]
}
