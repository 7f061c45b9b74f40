import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Insight, InsightCategory } from '../src/coach/coach.ts'
import { createRulesCoach } from '../src/coach/rules-coach.ts'

/** A short scripted meeting, and the lines that a careful person would mark. Lines are numbered from 1. */
type LabelledMeeting = {
  title: string
  /** In seconds since the start. */
  lines: Array<{ at: number; speaker: string; text: string }>
  marks: Array<{ category: InsightCategory; lines: number[] }>
}

type Score = { right: number; wrong: number; lost: number }

const MEETINGS = join(import.meta.dirname, 'coach-meetings/*.json')
const START = Date.parse('2026-11-15T09:00:00Z')
const SILENCE_MS = 120_000

export const coach = {
  about:
    'precision and recall of the rules on 12 written meetings with the insights a person marked',
  async run() {
    const scores = new Map<string, Score>()
    const add = (category: string, key: keyof Score) => {
      const score = scores.get(category) ?? { right: 0, wrong: 0, lost: 0 }
      score[key] += 1
      scores.set(category, score)
    }
    for (const file of globSync(MEETINGS).toSorted()) {
      const meeting = JSON.parse(readFileSync(file, 'utf8')) as LabelledMeeting
      const open = [...meeting.marks]
      for (const { category, segmentNumbers } of runRules(meeting)) {
        const found = open.findIndex(
          (mark) =>
            mark.category === category && mark.lines.some((line) => segmentNumbers.includes(line)),
        )
        add(category, found < 0 ? 'wrong' : 'right')
        if (found >= 0) open.splice(found, 1)
      }
      for (const { category } of open) add(category, 'lost')
    }
    print(scores)
  },
}

function runRules({ lines }: LabelledMeeting): Insight[] {
  const rules = createRulesCoach()
  rules.setParticipants([...new Set(lines.map(({ speaker }) => speaker))])
  let now = START
  const insights = lines.flatMap(({ at, speaker, text }, i) => {
    // Waits for the language model before the next line.
    now = START + at * 1000
    const ticked = rules.tick(now)
    const heard = { number: i + 1, speaker, text, startedAt: now }
    return [...ticked, ...rules.addSegments([heard], now)]
  })
  return [...insights, ...rules.tick(now + SILENCE_MS)]
}

function print(scores: Map<string, Score>): void {
  const total: Score = { right: 0, wrong: 0, lost: 0 }
  for (const [category, score] of [...scores].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const key of ['right', 'wrong', 'lost'] as const) total[key] += score[key]
    console.log(`  ${category.padEnd(20)} ${describe(score)}`)
  }
  console.log(`  ${'all'.padEnd(20)} ${describe(total)}`)
}

function describe({ right, wrong, lost }: Score): string {
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`
  const counts = `${right} right, ${wrong} wrong, ${lost} lost`
  return `precision ${share(right, right + wrong).padEnd(5)} recall ${share(right, right + lost).padEnd(5)} (${counts})`
}
