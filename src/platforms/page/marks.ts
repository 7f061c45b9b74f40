import { z } from 'zod'
import { OVER_REASONS, type OverReason } from '../platform.ts'
import { WORDS } from './strategy.ts'

/** How far we have come by what we did ourselves. `knocking`: asked to be let in, and not inside yet. */
export const PHASES = ['arriving', 'knocking', 'inside', 'leaving'] as const
export type Phase = (typeof PHASES)[number]

/** What can be seen at one moment. Plain values: made in a page, stored with the evidence. */
export type Snapshot = {
  address: string
  phase: Phase
  /** Visible words of the page, without those that people say, write or are called. */
  words: string
  /** Those of the last look before the call at which the way in was there. */
  doorWords?: string
  /** Visible parts with their words. */
  parts: Readonly<Record<string, string>>
  /** How many people the page says are there, ourselves included; null when it does not say. */
  count: number | null
  /** The end that the wire has told of, if it has. */
  wireEnd: OverReason | null
}

const MAX_MARKS = 20
const MAX_RULES = 50
const NAME = z.string().min(1).max(60)
const REASONS = Object.keys(OVER_REASONS) as [OverReason, ...OverReason[]]
const HOSTS = z.array(z.string().regex(/^[a-z0-9.-]+$/)).min(1)

/** Something that can be true of a snapshot. */
export const MARK = z.discriminatedUnion('by', [
  /** Words on the page, or in one part of it. */
  z.strictObject({ by: z.literal('words'), words: WORDS, in: NAME.optional() }),
  z.strictObject({ by: z.literal('part'), part: NAME }),
  /** At one of these hosts or below them, and at exactly this path if one is given. */
  z.strictObject({ by: z.literal('address'), hosts: HOSTS, path: WORDS.optional() }),
  /** On a web page, but at none of these hosts nor below them. */
  z.strictObject({ by: z.literal('elsewhere'), hosts: HOSTS }),
  z.strictObject({ by: z.literal('phase'), phases: z.array(z.enum(PHASES)).min(1) }),
  z.strictObject({ by: z.literal('wire'), end: z.enum(REASONS) }),
  z.strictObject({ by: z.literal('count'), count: z.int().min(0) }),
  /** Neither words nor parts. */
  z.strictObject({ by: z.literal('blank') }),
])
export type Mark = z.output<typeof MARK>

/** True when all of the one and none of the other are. */
export const RULE = z.strictObject({
  all: z.array(MARK).min(1).max(MAX_MARKS),
  none: z.array(MARK).max(MAX_MARKS).optional(),
  /** Where this rule needs a longer look than its state. */
  steadyMs: z.int().min(0).max(60_000).optional(),
})
export type Rule = z.output<typeof RULE>
export const RULES = z.array(RULE).min(1).max(MAX_RULES)

/** Pages write the same words with other apostrophes, spaces and capitals. */
export function plainWords(words: string): string {
  return words
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The same snapshot with its words made plain, once for all the marks that look at them. */
export function plainSnapshot(seen: Snapshot): Snapshot {
  const parts = Object.entries(seen.parts).map(([name, words]) => [name, plainWords(words)])
  return {
    ...seen,
    words: plainWords(seen.words),
    doorWords: plainWords(seen.doorWords ?? ''),
    parts: Object.fromEntries(parts) as Snapshot['parts'],
  }
}

/** Of a plain snapshot. */
export function isTrue(mark: Mark, seen: Snapshot): boolean {
  switch (mark.by) {
    case 'words': {
      const words = mark.in === undefined ? seen.words : (seen.parts[mark.in] ?? '')
      return words.includes(plainWords(mark.words))
    }
    case 'part':
      return Object.hasOwn(seen.parts, mark.part)
    case 'address':
      return isAt(seen.address, mark.hosts, mark.path)
    case 'elsewhere':
      return /^https?:/.test(seen.address) && !isAt(seen.address, mark.hosts)
    case 'phase':
      return mark.phases.includes(seen.phase)
    case 'wire':
      return seen.wireEnd === mark.end
    case 'count':
      return seen.count === mark.count
    case 'blank':
      return seen.words === '' && Object.keys(seen.parts).length === 0
    default:
      return mark satisfies never
  }
}

/** Whether it looks for words wherever they are. */
export function isPageWords(mark: Mark): boolean {
  return mark.by === 'words' && mark.in === undefined
}

/** For the evidence: what was found, in words. */
export function describeMark(mark: Mark): string {
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

function isAt(address: string, hosts: readonly string[], path?: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  const isHost = hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  return isHost && (path === undefined || url.pathname === path)
}

export function words(words: string, part?: string): Mark {
  return { by: 'words', words, ...(part && { in: part }) }
}

export function part(part: string): Mark {
  return { by: 'part', part }
}

export function phase(...phases: Phase[]): Mark {
  return { by: 'phase', phases }
}

/** A rule for each: any one of them is enough. */
export function any(...marks: Mark[]): Rule[] {
  return marks.map((mark) => ({ all: [mark] }))
}

/** A rule for each, true only at a certain time. */
export function during(when: Mark, marks: readonly Mark[]): Rule[] {
  return marks.map((mark) => ({ all: [when, mark] }))
}
