import type { Seen } from '../bridge/messages.ts'
import { decide, type Decision, type PageTable } from '../page/decide.ts'
import type { Phase, Snapshot } from '../page/marks.ts'
import type { OverReason } from '../platform.ts'

/** What a page is taken for, once it has looked so for long enough. */
export interface Eye {
  see(seen: Seen, at: number): void
  /** The page looks as it did. */
  seeAgain(at: number): void
  /** What we did, or what the wire told: the same page may mean something else now. */
  know(news: { phase?: Phase; wireEnd?: OverReason }, at: number): void
  /** The newest decision, steady or not. */
  latest(): Decision
  /** The newest that was seen without a break for as long as it must be. */
  steady(): Decision
  phase(): Phase
  seen(): Seen | null
}

const NOTHING: Decision = {
  state: 'unknown',
  because: null,
  steadyMs: 0,
  marks: [],
  conditions: [],
}

export function createEye(table: PageTable): Eye {
  let seen: Seen | null = null
  let phase: Phase = 'arriving'
  let wireEnd: OverReason | null = null
  let doorWords = ''
  let latest = NOTHING
  let steady = NOTHING
  let since = 0

  function look(at: number): void {
    const snapshot: Snapshot = {
      address: seen?.address ?? '',
      words: seen?.words ?? '',
      doorWords,
      parts: seen?.parts ?? {},
      count: seen?.count ?? null,
      phase,
      wireEnd,
    }
    const decision = seen === null && wireEnd === null ? NOTHING : decide(table, snapshot)
    if (decision.state === 'prejoin' && phase !== 'inside') doorWords = snapshot.words
    if (decision.state !== latest.state) since = at
    latest = decision
    if (at - since >= decision.steadyMs) steady = decision
  }

  return {
    see(next, at) {
      seen = next
      look(at)
    },
    seeAgain: look,
    know(news, at) {
      phase = news.phase ?? phase
      wireEnd = news.wireEnd ?? wireEnd
      look(at)
    },
    latest: () => latest,
    steady: () => steady,
    phase: () => phase,
    seen: () => seen,
  }
}
