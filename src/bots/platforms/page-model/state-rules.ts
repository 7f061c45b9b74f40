import { z } from 'zod'
import { PLATFORM_END_REASONS, type PlatformEndReason } from '../platform.ts'
import { TEXT_SCHEMA } from './find-strategies.ts'

/** How far we have come by what we did ourselves. `knocking`: asked to be let in, and not inside yet. */
export const JOIN_PHASES = ['arriving', 'knocking', 'inside', 'leaving'] as const
export type JoinPhase = (typeof JOIN_PHASES)[number]

/** What can be seen at one moment. Plain values: made in a page, stored with the evidence. */
export type PageSnapshot = {
  address: string
  phase: JoinPhase
  /** Visible words of the page, without those that people say, write or are called. */
  words: string
  /** Those of the last look before the call at which the way in was there. */
  prejoinText?: string
  /** Visible parts with their words. */
  parts: Readonly<Record<string, string>>
  /** How many people the page says are there, ourselves included; null when it does not say. */
  count: number | null
  /** The end that the wire has told of, if it has. */
  wireEndReason: PlatformEndReason | null
}

const MAX_MATCHERS = 20
const MAX_RULES = 50
const NAME = z.string().min(1).max(60)
const REASONS = Object.keys(PLATFORM_END_REASONS) as [PlatformEndReason, ...PlatformEndReason[]]
const HOSTS = z.array(z.string().regex(/^[a-z0-9.-]+$/)).min(1)

/** Something that can be true of a snapshot. */
export const PAGE_MATCHER_SCHEMA = z.discriminatedUnion('by', [
  /** Words on the page, or in one part of it. */
  z.strictObject({ by: z.literal('words'), words: TEXT_SCHEMA, in: NAME.optional() }),
  z.strictObject({ by: z.literal('part'), part: NAME }),
  /** At one of these hosts or below them, and at exactly this path if one is given. */
  z.strictObject({ by: z.literal('address'), hosts: HOSTS, path: TEXT_SCHEMA.optional() }),
  /** On a web page, but at none of these hosts nor below them. */
  z.strictObject({ by: z.literal('elsewhere'), hosts: HOSTS }),
  z.strictObject({ by: z.literal('phase'), phases: z.array(z.enum(JOIN_PHASES)).min(1) }),
  z.strictObject({ by: z.literal('wire'), end: z.enum(REASONS) }),
  z.strictObject({ by: z.literal('count'), count: z.int().min(0) }),
  /** Neither words nor parts. */
  z.strictObject({ by: z.literal('blank') }),
])
export type PageMatcher = z.output<typeof PAGE_MATCHER_SCHEMA>

/** True when all of the one and none of the other are. */
export const STATE_RULE_SCHEMA = z.strictObject({
  all: z.array(PAGE_MATCHER_SCHEMA).min(1).max(MAX_MATCHERS),
  none: z.array(PAGE_MATCHER_SCHEMA).max(MAX_MATCHERS).optional(),
  /** Where this rule needs a longer look than its state. */
  steadyMs: z.int().min(0).max(60_000).optional(),
})
export type StateRule = z.output<typeof STATE_RULE_SCHEMA>
export const STATE_RULES_SCHEMA = z.array(STATE_RULE_SCHEMA).min(1).max(MAX_RULES)

/** Pages write the same words with other apostrophes, spaces and capitals. */
export function normalizePageText(words: string): string {
  return words
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The same snapshot with its words made plain, once for all the marks that look at them. */
export function normalizeSnapshot(seen: PageSnapshot): PageSnapshot {
  const parts = Object.entries(seen.parts).map(([name, words]) => [name, normalizePageText(words)])
  return {
    ...seen,
    words: normalizePageText(seen.words),
    prejoinText: normalizePageText(seen.prejoinText ?? ''),
    parts: Object.fromEntries(parts) as PageSnapshot['parts'],
  }
}

/** Of a plain snapshot. */
export function matchesSnapshot(mark: PageMatcher, seen: PageSnapshot): boolean {
  switch (mark.by) {
    case 'words': {
      const words = mark.in === undefined ? seen.words : (seen.parts[mark.in] ?? '')
      return words.includes(normalizePageText(mark.words))
    }
    case 'part':
      return Object.hasOwn(seen.parts, mark.part)
    case 'address':
      return isAtHost(seen.address, mark.hosts, mark.path)
    case 'elsewhere':
      return /^https?:/.test(seen.address) && !isAtHost(seen.address, mark.hosts)
    case 'phase':
      return mark.phases.includes(seen.phase)
    case 'wire':
      return seen.wireEndReason === mark.end
    case 'count':
      return seen.count === mark.count
    case 'blank':
      return seen.words === '' && Object.keys(seen.parts).length === 0
    default:
      return mark satisfies never
  }
}

/** Whether it looks for words wherever they are. */
export function isWholePageText(mark: PageMatcher): boolean {
  return mark.by === 'words' && mark.in === undefined
}

/** For the evidence: what was found, in words. */
export function describeMatcher(mark: PageMatcher): string {
  switch (mark.by) {
    case 'words':
      return `words "${mark.words}"${mark.in === undefined ? '' : ` in ${mark.in}`}`
    case 'part':
      return `part ${mark.part}`
    case 'address':
      return `address at ${mark.hosts.join(' or ')}${mark.path ?? ''}`
    case 'elsewhere':
      return 'address elsewhere'
    case 'phase':
      return mark.phases.join(' or ')
    case 'wire':
      return `wire: ${mark.end}`
    case 'count':
      return `${mark.count} in the call`
    case 'blank':
      return 'blank page'
    default:
      return mark satisfies never
  }
}

function isAtHost(address: string, hosts: readonly string[], path?: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  const isHost = hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  return isHost && (path === undefined || url.pathname === path)
}

export function hasText(words: string, part?: string): PageMatcher {
  return { by: 'words', words, ...(part && { in: part }) }
}

export function hasPart(part: string): PageMatcher {
  return { by: 'part', part }
}

export function inPhase(...phases: JoinPhase[]): PageMatcher {
  return { by: 'phase', phases }
}

/** A rule for each: any one of them is enough. */
export function anyOf(...marks: PageMatcher[]): StateRule[] {
  return marks.map((mark) => ({ all: [mark] }))
}

/** A rule for each, true only at a certain time. */
export function anyOfDuring(when: PageMatcher, marks: readonly PageMatcher[]): StateRule[] {
  return marks.map((mark) => ({ all: [when, mark] }))
}
