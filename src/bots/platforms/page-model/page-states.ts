import type { PlatformEndReason } from '../platform.ts'
import type { PagePartsByName } from './find-strategies.ts'
import {
  describeMatcher,
  isWholePageTextMatcher,
  matchesSnapshot,
  normalizeSnapshot,
  type MatcherRule,
  type PageMatcher,
  type PageSnapshot,
  hasPart,
} from './state-rules.ts'

type PageStateMeaning = {
  /** Why the visit ends in this state; null if it does not end, or if the session decides. */
  because: PlatformEndReason | null
  /** How long the state must last before it is accepted, because pages pass through other states while they change. */
  steadyMs: number
}

/**
 * All states in the order in which they are checked: ends, prompts, waiting, the call, the steps before it. The
 * order matters: a denied request leaves the lobby's text on the page, the lobby has buttons of the call, and a
 * prompt covers either.
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
  /** The page left the call or lost its connection, so the session starts again. */
  away: { because: null, steadyMs: 2_000 },
  'not connected': { because: 'page_not_loaded', steadyMs: 2_000 },
  'encryption failed': { because: 'internal', steadyMs: 0 },
  /** The platform ended a call in which the bot was alone. */
  emptied: { because: 'everyone_left', steadyMs: 1_000 },
  ended: { because: 'host_ended', steadyMs: 1_000 },
  /** The request to join was denied, in an unknown language. */
  refused: { because: 'denied', steadyMs: 5_000 },
  /** The request to join was refused before the bot was in the lobby, so it was not refused by a participant. */
  'refused at once': { because: 'blocked_by_platform', steadyMs: 5_000 },
  /** The bot account is in the call on another device, and the page only offers to move the call here. */
  'account in call': { because: 'blocked_by_platform', steadyMs: 15_000 },
  /** A banner about cookies covers the page. */
  cookies: { because: null, steadyMs: 0 },
  /** The bot must answer a prompt before it can go on. The prompt may cover the lobby or the call. */
  question: { because: null, steadyMs: 0 },
  /** The meeting has not started. The bot waits as in the lobby, but with another timeout. */
  'not started': { because: null, steadyMs: 0 },
  lobby: { because: null, steadyMs: 0 },
  'in call': { because: null, steadyMs: 500 },
  launcher: { because: null, steadyMs: 0 },
  prejoin: { because: null, steadyMs: 0 },
  loading: { because: null, steadyMs: 0 },
} as const satisfies Record<string, PageStateMeaning>
export type PageStateName = keyof typeof PAGE_STATES
export const PAGE_STATE_NAMES = Object.keys(PAGE_STATES) as [PageStateName, ...PageStateName[]]

/** Ends that can be shown beside the page before the call. Every other end replaces that page. */
const STATES_BESIDE_PREJOIN: ReadonlySet<PageStateName> = new Set([
  'sign-in',
  'captcha',
  'account in call',
])
/** While a page loads, its title may appear before its buttons. */
const PAGE_BUILD_MS = 1_000

/** Conditions that can be true in any state. */
export const PAGE_CONDITIONS = ['alone', 'reconnecting', 'asked to stay'] as const
export type PageCondition = (typeof PAGE_CONDITIONS)[number]

/** A prompt over a page that the bot answers. */
export type PagePrompt = {
  /** The part to click. */
  answer: string
  /** True if it blocks the page before the call. Other prompts are answered when they are seen, and block nothing. */
  isBlocking: boolean
  /** True if the bot agrees to something, so evidence of the prompt is stored. */
  isConsent: boolean
  /** The prompt must be visible for this long before it is answered; by default it is answered at once. */
  delayMs?: number
  /** In the call, the prompt is answered only if the page is not in English. English prompts are known. */
  isUnknownLanguage?: true
  /** The prompt is answered only with this setting for breakout rooms. */
  breakoutRooms?: BreakoutRooms
}

/** What the bot does when it is invited to a breakout room. */
export type BreakoutRooms = 'stay' | 'follow'

/** What is known about the pages of one platform. */
export type PageModel = {
  parts: PagePartsByName
  /** Parts with participants' text. They are excluded from the `words` of a snapshot. */
  userTextParts: readonly string[]
  /** Parts that every call has. They are checked after admission, to detect changes of the page. */
  expectedInCall: readonly string[]
  /** Prompts over any page, in the order in which they are answered. */
  prompts: readonly PagePrompt[]
  /** A state holds if any of its rules matches. */
  states: Readonly<Partial<Record<PageStateName, readonly MatcherRule[]>>>
  conditions: Readonly<Record<PageCondition, readonly MatcherRule[]>>
}

export type PageStateDecision = PageStateMeaning & {
  /** `unknown` if no rule matches, for example while a page loads. */
  state: PageStateName | 'unknown'
  /** The matchers that decided, kept as evidence. */
  marks: string[]
  conditions: PageCondition[]
}

export const ALONE_BY_COUNT: PageMatcher = { by: 'count', count: 1 }

/** The page asks a bot that is alone whether it wants to stay. In an unknown language, any dialog may ask that. */
export const ASKED_TO_STAY_RULES: readonly MatcherRule[] = [
  { all: [hasPart('stayButton')] },
  { all: [hasPart('dialogAnswer'), ALONE_BY_COUNT] },
]

/**
 * The first state with a matching rule. While the buttons of the call are visible, text on the page decides nothing,
 * because participants may have said or written it. Text that the screen before the call already showed ends no join,
 * because it is a title or a name.
 */
export function decidePageState(pageModel: PageModel, snapshot: PageSnapshot): PageStateDecision {
  const seen = normalizeSnapshot(snapshot)
  const conditions = PAGE_CONDITIONS.filter((condition) =>
    anyRuleMatches(pageModel.conditions[condition], seen),
  )
  const withoutText = { ...seen, words: '' }
  const isCall =
    seen.phase === 'inside' && anyRuleMatches(pageModel.states['in call'] ?? [], withoutText)
  const isPrejoin =
    seen.phase === 'arriving' && anyRuleMatches(pageModel.states.prejoin ?? [], withoutText)
  const prejoin = { ...seen, words: isPrejoin ? seen.words : (seen.prejoinText ?? '') }
  const isBefore = seen.phase === 'arriving' || seen.phase === 'knocking'
  for (const state of PAGE_STATE_NAMES) {
    const { because, steadyMs } = PAGE_STATES[state]
    const isEnd = isBefore && because !== null && !STATES_BESIDE_PREJOIN.has(state)
    const rule = pageModel.states[state]?.find(
      (rule) =>
        ruleMatches(rule, isCall ? withoutText : seen) &&
        !(isEnd && wasTextOnPrejoin(rule, prejoin)),
    )
    if (rule === undefined) continue
    const isUnsure = isEnd && seen.phase === 'arriving' && rule.all.some(isWholePageTextMatcher)
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

function anyRuleMatches(rules: readonly MatcherRule[], seen: PageSnapshot): boolean {
  return rules.some((rule) => ruleMatches(rule, seen))
}

function ruleMatches({ all, none = [] }: MatcherRule, seen: PageSnapshot): boolean {
  return (
    all.every((matcher) => matchesSnapshot(matcher, seen)) &&
    !none.some((matcher) => matchesSnapshot(matcher, seen))
  )
}

function wasTextOnPrejoin({ all }: MatcherRule, prejoin: PageSnapshot): boolean {
  return all.some((matcher) => isWholePageTextMatcher(matcher) && matchesSnapshot(matcher, prejoin))
}

/** The prompts of both platforms, most urgent first. `deviceAnswers` answer the platform's own questions. */
export function createPrompts(...deviceAnswers: string[]): readonly PagePrompt[] {
  return [
    ...deviceAnswers.map((answer) => ({ answer, isBlocking: true, isConsent: false })),
    { answer: 'breakoutStay', isBlocking: false, isConsent: false, breakoutRooms: 'stay' },
    { answer: 'breakoutJoin', isBlocking: false, isConsent: false, breakoutRooms: 'follow' },
    { answer: 'stayButton', isBlocking: false, isConsent: false },
    { answer: 'noticeAccept', isBlocking: true, isConsent: true },
    { answer: 'bubbleDismiss', isBlocking: false, isConsent: false },
    {
      answer: 'dialogAnswer',
      isBlocking: true,
      isConsent: true,
      isUnknownLanguage: true,
      delayMs: 2_000,
    },
  ]
}
