import { z } from 'zod'
import { canonicalizeLanguageTag } from '../language-tag.ts'

/** No selector is this long. A longer text in the selectors file is a mistake. */
export const MAX_SELECTOR_CHARS = 500
const MAX_STRATEGIES = 50

export const SELECTOR_TEXT_SCHEMA = z.string().min(1).max(MAX_SELECTOR_CHARS)
const SEEN_DATE_SCHEMA = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
  error: 'must be a month or a day, such as 2026-07 or 2026-07-19',
})
const ROLES = ['button', 'textbox', 'link', 'menuitem', 'tab', 'dialog', 'region', 'list'] as const

/** `seen` is when the strategy was last known to work. With `language`, it works only on pages in that language. */
const COMMON_FIELDS = { seen: SEEN_DATE_SCHEMA, language: z.string().min(2).max(20).optional() }
const TEXT_MATCH_SCHEMA = z.enum(['is', 'starts', 'contains']).default('is')

/** One way to find a part of a page. */
export const STRATEGY_SCHEMA = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('css'), css: SELECTOR_TEXT_SCHEMA, ...COMMON_FIELDS }),
  z.strictObject({
    by: z.literal('role'),
    role: z.enum(ROLES),
    name: SELECTOR_TEXT_SCHEMA,
    match: TEXT_MATCH_SCHEMA,
    ...COMMON_FIELDS,
  }),
  /** A clickable element or heading with this text. */
  z.strictObject({
    by: z.literal('text'),
    text: SELECTOR_TEXT_SCHEMA,
    match: TEXT_MATCH_SCHEMA,
    ...COMMON_FIELDS,
  }),
  /** A button with an icon of Google's icon font, in which a word stands for the icon. */
  z.strictObject({
    by: z.literal('icon'),
    icon: z.string().regex(/^[a-z_]{2,40}$/),
    /** A CSS selector that the button must match too. */
    having: SELECTOR_TEXT_SCHEMA.optional(),
    ...COMMON_FIELDS,
  }),
  /** Not an element, but keys with the same effect as a click on the part. */
  z.strictObject({ by: z.literal('keys'), keys: SELECTOR_TEXT_SCHEMA, ...COMMON_FIELDS }),
])
export type FindStrategy = z.output<typeof STRATEGY_SCHEMA>

export const STRATEGIES_SCHEMA = z.array(STRATEGY_SCHEMA).min(1).max(MAX_STRATEGIES)

export type PagePart = {
  /** Best first. The matching strategy is reported, so that a changed page is noticed before the bot fails on it. */
  strategies: readonly FindStrategy[]
  /** Searches the part only inside this other part. */
  within?: string
  /** Which one of several elements is the part; the first one by default. */
  pick?: 'last'
  /** An element that is smaller, in pixels on the screen, is not the part. */
  minSize?: { width: number; height: number }
}

export type PagePartsByName = Readonly<Record<string, PagePart>>

/** The parts of a platform from a table, in which most parts are only their strategies. */
export function createPageParts<Name extends string>(
  table: Readonly<Record<Name, PagePart | readonly FindStrategy[]>>,
): Readonly<Record<Name, PagePart>> {
  const parts = Object.entries<PagePart | readonly FindStrategy[]>(table).map(([name, row]) => [
    name,
    'strategies' in row ? row : { strategies: row },
  ])
  return Object.fromEntries(parts) as Record<Name, PagePart>
}

/** A part that is searched only inside another part. */
export function inside(within: string, ...strategies: FindStrategy[]): PagePart {
  return { within, strategies }
}

/** Replaces `{language}` in the selectors of a part; null for an invalid language tag. */
export function fillLanguagePlaceholder(part: PagePart, language: string): PagePart | null {
  const tag = canonicalizeLanguageTag(language)
  if (tag === null) return null
  const strategies = part.strategies.map((strategy) =>
    strategy.by === 'css'
      ? { ...strategy, css: strategy.css.replaceAll('{language}', tag) }
      : strategy,
  )
  return { ...part, strategies }
}

/** A dialog with buttons but without fields or choices. */
const PLAIN_DIALOG =
  '[role="dialog"][aria-modal="true"]:not(:has(input, textarea, [role="tab"], [role="listbox"], [role="combobox"]))'

/** Dialogs of both platforms. `dialogAnswer` is the last button of one in an unknown language, which continues. */
export const DIALOG_PARTS = createPageParts({
  noticeDialog: [byCss('[role="dialog"], [role="alertdialog"]', '2026-08-19')],
  dialogAnswer: { pick: 'last', strategies: [byCss(`${PLAIN_DIALOG} button`, '2026-11')] },
})

export function byCss(css: string, seenOn: string, language?: string): FindStrategy {
  return { by: 'css', css, seen: seenOn, ...(language && { language }) }
}

export function byIcon(icon: string, seenOn: string, buttonMustMatchCss?: string): FindStrategy {
  return {
    by: 'icon',
    icon,
    seen: seenOn,
    ...(buttonMustMatchCss && { having: buttonMustMatchCss }),
  }
}

export function byKeyboardShortcut(keys: string, seenOn: string): FindStrategy {
  return { by: 'keys', keys, seen: seenOn }
}

/** A strategy that finds a button by its name. The name is in `language`, English by default. */
export function byButton(
  name: string,
  seenOn: string,
  match: 'is' | 'starts' = 'is',
  language = 'en',
): FindStrategy {
  return { by: 'role', role: 'button', name, match, seen: seenOn, language }
}

export function byText(
  text: string,
  seenOn: string,
  match: 'is' | 'starts' | 'contains' = 'is',
  language = 'en',
): FindStrategy {
  return { by: 'text', text, match, seen: seenOn, language }
}

/** A strategy as a short text for warnings and reports. */
export function describeStrategy(strategy: FindStrategy): string {
  if (strategy.by === 'css') return strategy.css
  if (strategy.by === 'role') return `${strategy.role} "${strategy.name}"`
  if (strategy.by === 'text') return `words "${strategy.text}"`
  return strategy.by === 'icon' ? `icon ${strategy.icon}` : `keys ${strategy.keys}`
}
