import type { PlatformEndReason } from '../platform.ts'
import {
  describeMatcher,
  isWholePageText,
  matchesSnapshot,
  normalizeSnapshot,
  type StateRule,
  type PageSnapshot,
} from './state-rules.ts'
import type { PageParts } from './find-strategies.ts'

type PageStateMeaning = {
  /** Why the visit is over; null when it is not, or when that is for the adapter to say. */
  because: PlatformEndReason | null
  /** How long it must be seen without a break before it counts: pages pass through states while they change. */
  steadyMs: number
}

/**
 * In the order in which they are looked for: what ends a visit, what waits, the call, the way to it. A refusal
 * leaves the words of the lobby behind, and the lobby has buttons of the call.
 */
export const PAGE_STATES = {
  denied: { because: 'denied', steadyMs: 0 },
  'no answer': { because: 'no_answer', steadyMs: 0 },
  removed: { because: 'removed', steadyMs: 0 },
  'sign-in': { because: 'sign_in_required', steadyMs: 1_000 },
  captcha: { because: 'captcha', steadyMs: 2_000 },
  'bad link': { because: 'meeting_not_found', steadyMs: 0 },
  left: { because: null, steadyMs: 0 },
  blocked: { because: 'blocked_by_platform', steadyMs: 2_000 },
  /** In the middle of a call the page went somewhere else or lost its connection: to be opened again. */
  away: { because: null, steadyMs: 2_000 },
  'not connected': { because: 'page_not_loaded', steadyMs: 2_000 },
  'encryption failed': { because: 'internal', steadyMs: 0 },
  ended: { because: 'host_ended', steadyMs: 1_000 },
  /** Turned away after the knock, in words that are not known here. */
  refused: { because: 'denied', steadyMs: 5_000 },
  /** Nobody has started it: waited for like the lobby, under a time-out of its own. */
  'not started': { because: null, steadyMs: 0 },
  lobby: { because: null, steadyMs: 0 },
  'in call': { because: null, steadyMs: 500 },
  question: { because: null, steadyMs: 0 },
  launcher: { because: null, steadyMs: 0 },
  prejoin: { because: null, steadyMs: 0 },
  loading: { because: null, steadyMs: 0 },
} as const satisfies Record<string, PageStateMeaning>
export type PageStateName = keyof typeof PAGE_STATES
export const PAGE_STATE_NAMES = Object.keys(PAGE_STATES) as [PageStateName, ...PageStateName[]]

/** What a page may ask for beside the way in; all other ends mean that there is none. */
const STATES_BESIDE_PREJOIN: ReadonlySet<PageStateName> = new Set(['sign-in', 'captcha'])
/** A page that is being built may have its title before its buttons. */
const PAGE_BUILD_MS = 1_000

/** What can be true beside any state. */
export const PAGE_CONDITIONS = ['alone', 'reconnecting'] as const
export type PageCondition = (typeof PAGE_CONDITIONS)[number]

/** All that is known of the pages of one platform. */
export type PageModel = {
  parts: PageParts
  /** Parts whose words are people's, not the platform's: they are no `words` of a snapshot. */
  userTextParts: readonly string[]
  /** Parts that every call has: looked for after admission, to see whether the table still fits the page. */
  expectedInCall: readonly string[]
  /** Any one rule of a state decides for it. */
  states: Readonly<Partial<Record<PageStateName, readonly StateRule[]>>>
  conditions: Readonly<Record<PageCondition, readonly StateRule[]>>
}

export type PageStateDecision = PageStateMeaning & {
  /** `unknown`: no rule is true, as while a page is being built. */
  state: PageStateName | 'unknown'
  /** What decided, for the evidence. */
  marks: string[]
  conditions: PageCondition[]
}

/**
 * The first state that has a true rule. Once inside, and as long as the call's own buttons are
 * there, words on the page decide nothing: whatever they say, somebody may have said, written or be called.
 * Before, words that stand or stood beside the way in end no visit: they are a title or a name.
 */
export function decidePageState(pageModel: PageModel, snapshot: PageSnapshot): PageStateDecision {
  const seen = normalizeSnapshot(snapshot)
  const conditions = PAGE_CONDITIONS.filter((condition) =>
    anyRuleMatches(pageModel.conditions[condition], seen),
  )
  const silent = { ...seen, words: '' }
  const isCall =
    seen.phase === 'inside' && anyRuleMatches(pageModel.states['in call'] ?? [], silent)
  const isAtTheDoor =
    seen.phase === 'arriving' && anyRuleMatches(pageModel.states.prejoin ?? [], silent)
  const door = { ...seen, words: isAtTheDoor ? seen.words : (seen.prejoinText ?? '') }
  const isBefore = seen.phase === 'arriving' || seen.phase === 'knocking'
  for (const state of PAGE_STATE_NAMES) {
    const { because, steadyMs } = PAGE_STATES[state]
    const isEnd = isBefore && because !== null && !STATES_BESIDE_PREJOIN.has(state)
    const rule = pageModel.states[state]?.find(
      (rule) =>
        ruleMatches(rule, isCall ? silent : seen) && !(isEnd && wasTextOnPrejoin(rule, door)),
    )
    if (rule === undefined) continue
    const isUnsure = isEnd && seen.phase === 'arriving' && rule.all.some(isWholePageText)
    return {
      state,
      because,
      steadyMs: Math.max(rule.steadyMs ?? steadyMs, isUnsure ? PAGE_BUILD_MS : 0),
      marks: rule.all.map(describeMatcher),
      conditions,
    }
  }
  return { state: 'unknown', because: null, steadyMs: 0, marks: [], conditions }
}

function anyRuleMatches(rules: readonly StateRule[], seen: PageSnapshot): boolean {
  return rules.some((rule) => ruleMatches(rule, seen))
}

function ruleMatches({ all, none = [] }: StateRule, seen: PageSnapshot): boolean {
  return (
    all.every((mark) => matchesSnapshot(mark, seen)) &&
    !none.some((mark) => matchesSnapshot(mark, seen))
  )
}

function wasTextOnPrejoin({ all }: StateRule, door: PageSnapshot): boolean {
  return all.some((mark) => isWholePageText(mark) && matchesSnapshot(mark, door))
}
