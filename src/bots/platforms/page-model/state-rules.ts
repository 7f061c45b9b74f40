import { z } from 'zod'
import { PLATFORM_END_REASONS, type PlatformEndReason } from '../platform.ts'
import { SELECTOR_TEXT_SCHEMA } from './find-strategies.ts'

/** How far the bot has come in joining. `knocking`: the bot has asked to join but is not admitted yet. */
export const JOIN_PHASES = ['arriving', 'knocking', 'inside', 'leaving'] as const
export type JoinPhase = (typeof JOIN_PHASES)[number]

/**
 * What the page has shown before. `lobby`: the bot waited to be admitted. `empty call prompt`: the call's last screen
 * asked whether the bot wants to stay alone.
 */
export const PAGE_MEMORIES = ['lobby', 'empty call prompt'] as const
export type PageMemory = (typeof PAGE_MEMORIES)[number]

/** The visible state of a page at one moment, as plain values that can be stored as evidence. */
export type PageSnapshot = {
  address: string
  phase: JoinPhase
  /** The page's visible text without participants' names and without what they say or write. */
  words: string
  /** The page's visible text when it last showed the screen before the call. */
  prejoinText?: string
  /** What the page has shown before; if absent, none of these. */
  history?: readonly PageMemory[]
  /** The text of each visible part; empty for parts whose text no rule needs. */
  parts: Readonly<Record<string, string>>
  /** The participant count on the page, including the bot; null if the page does not show it. */
  count: number | null
  /** The end reason that the wire reported; null if it reported none. */
  wireEndReason: PlatformEndReason | null
}

const MAX_MATCHERS = 20
const MAX_RULES = 50
const NAME = z.string().min(1).max(60)
const REASONS = Object.keys(PLATFORM_END_REASONS) as [PlatformEndReason, ...PlatformEndReason[]]
const HOSTS = z.array(z.string().regex(/^[a-z0-9.-]+$/)).min(1)

/** One test of a page snapshot, for example for a text or a part. */
const PAGE_MATCHER_SCHEMA = z.discriminatedUnion('by', [
  /** Text on the page or in one part. */
  z.strictObject({ by: z.literal('words'), words: SELECTOR_TEXT_SCHEMA, in: NAME.optional() }),
  z.strictObject({ by: z.literal('part'), part: NAME }),
  /** The page is at one of these hosts or their subdomains and, if given, at exactly this path. */
  z.strictObject({ by: z.literal('address'), hosts: HOSTS, path: SELECTOR_TEXT_SCHEMA.optional() }),
  /** A web page at another host than these and their subdomains. */
  z.strictObject({ by: z.literal('elsewhere'), hosts: HOSTS }),
  z.strictObject({ by: z.literal('phase'), phases: z.array(z.enum(JOIN_PHASES)).min(1) }),
  z.strictObject({ by: z.literal('wire'), end: z.enum(REASONS) }),
  z.strictObject({ by: z.literal('count'), count: z.int().min(0) }),
  /** The page has shown this before. */
  z.strictObject({ by: z.literal('history'), saw: z.enum(PAGE_MEMORIES) }),
  /** The page has neither text nor parts. */
  z.strictObject({ by: z.literal('blank') }),
])
export type PageMatcher = z.output<typeof PAGE_MATCHER_SCHEMA>

/** A rule matches when all of `all` and none of `none` match. */
export const MATCHER_RULE_SCHEMA = z.strictObject({
  all: z.array(PAGE_MATCHER_SCHEMA).min(1).max(MAX_MATCHERS),
  none: z.array(PAGE_MATCHER_SCHEMA).max(MAX_MATCHERS).optional(),
  /** How long the state must last before it is accepted through this rule, instead of the state's default. */
  steadyMs: z.int().min(0).max(60_000).optional(),
})
export type MatcherRule = z.output<typeof MATCHER_RULE_SCHEMA>
export const STATE_RULES_SCHEMA = z.array(MATCHER_RULE_SCHEMA).min(1).max(MAX_RULES)

/** Unifies apostrophes, white space and case, which differ between versions of a page. */
export function normalizePageText(words: string): string {
  return words
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** A copy of the snapshot with normalized texts, made once for all matchers. */
export function normalizeSnapshot(seen: PageSnapshot): PageSnapshot {
  const parts = Object.entries(seen.parts).map(([name, words]) => [name, normalizePageText(words)])
  return {
    ...seen,
    words: normalizePageText(seen.words),
    prejoinText: normalizePageText(seen.prejoinText ?? ''),
    parts: Object.fromEntries(parts) as PageSnapshot['parts'],
  }
}

type MatcherOf<By extends PageMatcher['by']> = Extract<PageMatcher, { by: By }>

/** For each kind of matcher: its test of a page snapshot, and the matcher in words, kept as evidence. */
const MATCHERS: {
  readonly [By in PageMatcher['by']]: {
    matches(matcher: MatcherOf<By>, seen: PageSnapshot): boolean
    describe(matcher: MatcherOf<By>): string
  }
} = {
  words: {
    matches: ({ words, in: part }, seen) =>
      (part === undefined ? seen.words : (seen.parts[part] ?? '')).includes(
        normalizePageText(words),
      ),
    describe: ({ words, in: part }) => `words "${words}"${part === undefined ? '' : ` in ${part}`}`,
  },
  part: {
    matches: ({ part }, { parts }) => Object.hasOwn(parts, part),
    describe: ({ part }) => `part ${part}`,
  },
  address: {
    matches: ({ hosts, path }, { address }) => isAtHostOrSubdomain(address, hosts, path),
    describe: ({ hosts, path }) => `address at ${hosts.join(' or ')}${path ?? ''}`,
  },
  elsewhere: {
    matches: ({ hosts }, { address }) =>
      /^https?:/.test(address) && !isAtHostOrSubdomain(address, hosts),
    describe: () => 'address elsewhere',
  },
  phase: {
    matches: ({ phases }, { phase }) => phases.includes(phase),
    describe: ({ phases }) => phases.join(' or '),
  },
  wire: {
    matches: ({ end }, { wireEndReason }) => wireEndReason === end,
    describe: ({ end }) => `wire: ${end}`,
  },
  count: {
    matches: ({ count }, seen) => seen.count === count,
    describe: ({ count }) => `${count} in the call`,
  },
  history: {
    matches: ({ saw }, { history }) => history?.includes(saw) ?? false,
    describe: ({ saw }) => `${saw} before`,
  },
  blank: {
    matches: (_, { words, parts }) => words === '' && Object.keys(parts).length === 0,
    describe: () => 'blank page',
  },
}

/** True if a page snapshot passes the matcher's test. The snapshot must come from `normalizeSnapshot`. */
export function matchesSnapshot<By extends PageMatcher['by']>(
  matcher: MatcherOf<By>,
  seen: PageSnapshot,
): boolean {
  return MATCHERS[matcher.by].matches(matcher, seen)
}

export function isWholePageTextMatcher(matcher: PageMatcher): boolean {
  return matcher.by === 'words' && matcher.in === undefined
}

export function requiredPagePartName(matcher: PageMatcher): string | undefined {
  if (matcher.by === 'part') return matcher.part
  return matcher.by === 'words' ? matcher.in : undefined
}

export function describeMatcher<By extends PageMatcher['by']>(matcher: MatcherOf<By>): string {
  return MATCHERS[matcher.by].describe(matcher)
}

/** True if the address is at one of the hosts or their subdomains and, if given, at exactly this path. */
export function isAtHostOrSubdomain(
  address: string,
  hosts: readonly string[],
  exactPath?: string,
): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  const isHost = hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  return isHost && (exactPath === undefined || url.pathname === exactPath)
}

/** The text is on the page, or in the given part. */
export function hasText(words: string, partName?: string): PageMatcher {
  return { by: 'words', words, ...(partName && { in: partName }) }
}

export function hasPart(part: string): PageMatcher {
  return { by: 'part', part }
}

export function inPhase(...phases: JoinPhase[]): PageMatcher {
  return { by: 'phase', phases }
}

export function hasShown(saw: PageMemory): PageMatcher {
  return { by: 'history', saw }
}

/** One rule for each matcher, so any one of them is enough. */
export function anyOf(...matchers: PageMatcher[]): MatcherRule[] {
  return matchers.map((matcher) => ({ all: [matcher] }))
}

/** One rule for each matcher, valid only in the given phases. */
export function anyOfIn(phases: JoinPhase[], ...matchers: PageMatcher[]): MatcherRule[] {
  return matchers.map((matcher) => ({ all: [inPhase(...phases), matcher] }))
}
