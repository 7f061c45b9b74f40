import { z } from 'zod'
import { languageTag } from '../wire/language.ts'

/** Long enough for any selector; a file with more in one place is a mistake. */
export const MAX_CHARS = 500
const MAX_STRATEGIES = 50

export const WORDS = z.string().min(1).max(MAX_CHARS)
const SEEN = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
  error: 'must be a month or a day, such as 2026-07 or 2026-07-19',
})
const ROLES = ['button', 'textbox', 'link', 'menuitem', 'tab', 'dialog', 'region', 'list'] as const

/** `seen`: when it was last known to work. `language`: the only one in which it does; absent when in all. */
const ALWAYS = { seen: SEEN, language: z.string().min(2).max(20).optional() }
const MATCH = z.enum(['is', 'starts', 'contains']).default('is')

/** One way to find a part of a page. */
export const STRATEGY = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('css'), css: WORDS, ...ALWAYS }),
  z.strictObject({
    by: z.literal('role'),
    role: z.enum(ROLES),
    name: WORDS,
    match: MATCH,
    ...ALWAYS,
  }),
  /** An element that can be clicked, or a heading, with these words. */
  z.strictObject({ by: z.literal('text'), text: WORDS, match: MATCH, ...ALWAYS }),
  /** A button with a picture out of Google's font, in which a word stands for the picture. */
  z.strictObject({ by: z.literal('icon'), icon: z.string().regex(/^[a-z_]{2,40}$/), ...ALWAYS }),
  /** Nothing to find, but keys that do what a click on the part would do. */
  z.strictObject({ by: z.literal('keys'), keys: WORDS, ...ALWAYS }),
])
export type Strategy = z.output<typeof STRATEGY>

export const STRATEGIES = z.array(STRATEGY).min(1).max(MAX_STRATEGIES)

export type Part = {
  /** Best first. Which one matched is reported, so that a page that drifts is noticed before it breaks. */
  strategies: readonly Strategy[]
  /** Looked for inside another part only. */
  within?: string
  /** Smaller than this on the screen, in pixels, it is something else. */
  minSize?: { width: number; height: number }
}

export type Parts = Readonly<Record<string, Part>>

/** The part for one language: `{language}` in its selectors is replaced. Null for what is no language. */
export function partFor(part: Part, language: string): Part | null {
  const tag = languageTag(language)
  if (tag === null) return null
  const strategies = part.strategies.map((strategy) =>
    strategy.by === 'css'
      ? { ...strategy, css: strategy.css.replaceAll('{language}', tag) }
      : strategy,
  )
  return { ...part, strategies }
}

export function css(css: string, seen: string, language?: string): Strategy {
  return { by: 'css', css, seen, ...(language && { language }) }
}

export function icon(icon: string, seen: string): Strategy {
  return { by: 'icon', icon, seen }
}

export function keys(keys: string, seen: string): Strategy {
  return { by: 'keys', keys, seen }
}

/** Words are of a language: English, unless said. */
export function button(
  name: string,
  seen: string,
  match: 'is' | 'starts' = 'is',
  language = 'en',
): Strategy {
  return { by: 'role', role: 'button', name, match, seen, language }
}

export function text(
  text: string,
  seen: string,
  match: 'is' | 'starts' | 'contains' = 'is',
  language = 'en',
): Strategy {
  return { by: 'text', text, match, seen, language }
}
