import type { OverReason } from '../platform.ts'
import {
  describeMark,
  isPageWords,
  isTrue,
  plainSnapshot,
  type Rule,
  type Snapshot,
} from './marks.ts'
import type { Parts } from './strategy.ts'

type Meaning = {
  /** Why the visit is over; null when it is not, or when that is for the adapter to say. */
  because: OverReason | null
  /** How long it must be seen without a break before it counts: pages pass through states while they change. */
  steadyMs: number
}

/**
 * In the order in which they are looked for: what ends a visit, what waits, the call, the way to it. A refusal
 * leaves the words of the lobby behind, and the lobby has buttons of the call.
 */
export const STATES = {
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
} as const satisfies Record<string, Meaning>
export type State = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as [State, ...State[]]

/** What a page may ask for beside the way in; all other ends mean that there is none. */
const ASKED_AT_THE_DOOR: ReadonlySet<State> = new Set(['sign-in', 'captcha'])
/** A page that is being built may have its title before its buttons. */
const BUILT_MS = 1_000

/** What can be true beside any state. */
export const CONDITIONS = ['alone', 'reconnecting'] as const
export type Condition = (typeof CONDITIONS)[number]

/** All that is known of the pages of one platform. */
export type PageTable = {
  parts: Parts
  /** Parts whose words are people's, not the platform's: they are no `words` of a snapshot. */
  spoken: readonly string[]
  /** Parts that every call has: looked for after admission, to see whether the table still fits the page. */
  checked: readonly string[]
  /** Any one rule of a state decides for it. */
  states: Readonly<Partial<Record<State, readonly Rule[]>>>
  conditions: Readonly<Record<Condition, readonly Rule[]>>
}

export type Decision = Meaning & {
  /** `unknown`: no rule is true, as while a page is being built. */
  state: State | 'unknown'
  /** What decided, for the evidence. */
  marks: string[]
  conditions: Condition[]
}

/**
 * The first state that has a true rule. Once inside, and as long as the call's own buttons are
 * there, words on the page decide nothing: whatever they say, somebody may have said, written or be called.
 * Before, words that stand or stood beside the way in end no visit: they are a title or a name.
 */
export function decide(table: PageTable, snapshot: Snapshot): Decision {
  const seen = plainSnapshot(snapshot)
  const conditions = CONDITIONS.filter((condition) => holds(table.conditions[condition], seen))
  const silent = { ...seen, words: '' }
  const isCall = seen.phase === 'inside' && holds(table.states['in call'] ?? [], silent)
  const isAtTheDoor = seen.phase === 'arriving' && holds(table.states.prejoin ?? [], silent)
  const door = { ...seen, words: isAtTheDoor ? seen.words : (seen.doorWords ?? '') }
  const isBefore = seen.phase === 'arriving' || seen.phase === 'knocking'
  for (const state of STATE_NAMES) {
    const { because, steadyMs } = STATES[state]
    const isEnd = isBefore && because !== null && !ASKED_AT_THE_DOOR.has(state)
    const rule = table.states[state]?.find(
      (rule) => isRuleTrue(rule, isCall ? silent : seen) && !(isEnd && isSaidAtTheDoor(rule, door)),
    )
    if (rule === undefined) continue
    const isUnsure = isEnd && seen.phase === 'arriving' && rule.all.some(isPageWords)
    return {
      state,
      because,
      steadyMs: Math.max(rule.steadyMs ?? steadyMs, isUnsure ? BUILT_MS : 0),
      marks: rule.all.map(describeMark),
      conditions,
    }
  }
  return { state: 'unknown', because: null, steadyMs: 0, marks: [], conditions }
}

function holds(rules: readonly Rule[], seen: Snapshot): boolean {
  return rules.some((rule) => isRuleTrue(rule, seen))
}

function isRuleTrue({ all, none = [] }: Rule, seen: Snapshot): boolean {
  return all.every((mark) => isTrue(mark, seen)) && !none.some((mark) => isTrue(mark, seen))
}

function isSaidAtTheDoor({ all }: Rule, door: Snapshot): boolean {
  return all.some((mark) => isPageWords(mark) && isTrue(mark, door))
}
