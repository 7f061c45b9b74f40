import type { Coach, Heard, Insight, InsightCategory, PastInsight } from './coach.ts'
import { createGate, type Gate } from './gate.ts'
import { createLanguage } from './language.ts'
import { createRoom, remember } from './room.ts'
import { COACH_RULES, type CoachRules } from './rules.ts'
import type { Finding, Rule } from './rules/rule.ts'
import { RULES } from './rules/table.ts'
import { utteranceOf, type Utterance } from './utterance.ts'
import { MOST_TEXT_CHARS, MOST_TITLE_CHARS, oneLine } from './wording.ts'

/** What is stored of a meeting that goes on: its latest segments, oldest first, and every insight. */
export type Past = { segments: readonly Heard[]; insights: readonly PastInsight[] }

export type RulesCoachOptions = {
  rules?: Partial<CoachRules>
  past?: Past
  /** Shared with whoever else speaks; it need not know the past yet. */
  gate?: Gate
}

const RECORDS = RULES.filter(({ kind }) => kind === 'record')
const WAITING = RULES.filter(({ waits }) => waits !== undefined)
/** How long a word takes, and a segment at most: only to guess when one of before a restart was over. */
const MS_PER_WORD = 400
const LONGEST_MS = 30_000

/** A coach that counts and looks for patterns: no model, no chance, the same insights for the same input. */
export function createRulesCoach(options: RulesCoachOptions = {}): Coach {
  const rules = { ...COACH_RULES, ...options.rules }
  const room = createRoom(rules)
  const gate = options.gate ?? createGate(rules)
  const { clock } = gate
  const language = createLanguage()

  /** False for a segment that was heard before. */
  function take(said: Utterance): boolean {
    if (room.last !== null && said.number <= room.last.number) return false
    language.hear(said.text)
    remember(room, said, rules)
    return true
  }

  function say(asked: readonly Rule[], now: number): Insight[] {
    return asked
      .filter(({ needsEnglish }) => !needsEnglish || language.isEnglish())
      .flatMap((rule) =>
        rule
          .find(room, rules, now)
          .filter(({ speaker, key }) => gate.admit({ ...rule, speaker, key }, now))
          .map((finding) => insightOf(rule, finding)),
      )
  }

  function resume({ segments, insights }: Past): void {
    let at = Number.NEGATIVE_INFINITY
    for (const heard of segments) {
      const said = utteranceOf(heard, 0)
      const lasted = Math.min(said.words * MS_PER_WORD, LONGEST_MS)
      at = Math.max(at, Math.floor(said.startedAt + lasted))
      if (take({ ...said, at })) recallRecords(at)
    }
    for (const past of insights) gate.recall(past)
    // Only times that have been: a guess that runs ahead would look like a clock that was set back.
    const known = [...segments.map(({ startedAt }) => startedAt), ...insights.map(({ at }) => at)]
    if (known.length > 0) clock.read(Math.max(...known))
    recallOpen(segments, insights)
  }

  function recallRecords(now: number): void {
    for (const rule of RECORDS) {
      for (const { key } of rule.find(room, rules, now)) {
        if (key !== null) gate.recallKey(rule.category, key)
      }
    }
  }

  /** What still holds but was said already. */
  function recallOpen([first]: readonly Heard[], insights: readonly PastInsight[]): void {
    const { run, question } = room
    const wasSaid = (category: InsightCategory, speaker: string, since: number) =>
      insights.some(
        (past) =>
          past.category === category && (past.speaker ?? '') === speaker && past.at >= since,
      )
    if (run !== null) {
      // A run without a beginning may have been spoken of long ago.
      const since = run.firstNumber === first?.number ? Number.NEGATIVE_INFINITY : run.startedAt
      if (wasSaid('monologue', run.speaker, since)) {
        gate.recallKey('monologue', String(run.firstNumber))
      }
    }
    if (question !== null && wasSaid('unanswered_question', question.speaker, question.askedAt)) {
      gate.recallKey('unanswered_question', String(question.number))
    }
  }

  if (options.past !== undefined) resume(options.past)

  return {
    hear(segments, outer) {
      const now = clock.read(outer)
      return segments.flatMap((heard) => (take(utteranceOf(heard, now)) ? say(RULES, now) : []))
    },
    people(names) {
      room.present = names.length === 0 ? null : names.length
    },
    tick: (outer) => say(WAITING, clock.read(outer)),
    nextTickAt() {
      const times = WAITING.map((rule) => {
        const waiting = rule.waits?.(room, rules) ?? null
        if (waiting === null) return Infinity
        return Math.max(waiting.dueAt, gate.opensAt({ ...rule, ...waiting }))
      })
      const soonest = Math.min(...times)
      return soonest === Infinity ? null : clock.outer(soonest)
    },
  }
}

function insightOf({ category, severity }: Rule, finding: Finding): Insight {
  return {
    category,
    severity,
    title: oneLine(finding.title, MOST_TITLE_CHARS),
    text: oneLine(finding.text, MOST_TEXT_CHARS),
    speaker: finding.speaker === '' ? null : finding.speaker,
    segmentNumbers: finding.segmentNumbers,
  }
}
