import type { RehearsalCheckResult } from '../evaluate.ts'
import type { VisitResult } from './platform-report.ts'
import type { VisitInspection } from './visit-inspector.ts'

type VisitCheck = {
  name: string
  /** Whether the check makes sense only in a call. */
  isInCall: boolean
  evaluate(result: VisitResult, inspection: VisitInspection): Omit<RehearsalCheckResult, 'name'>
}

/** The checks of a visit to a real meeting, in the order in which a visit passes them. */
const CHECKS: readonly VisitCheck[] = [
  {
    name: 'page loaded',
    isInCall: false,
    evaluate: ({ events }) => reached(events, ['door', 'not started', 'lobby', 'admitted']),
  },
  {
    name: 'joined',
    isInCall: false,
    evaluate({ events, end }, { states }) {
      const { ok, detail } = reached(events, ['admitted'])
      const last = states.at(-1)?.state ?? 'none'
      return { ok, detail: ok ? detail : `never; the last page state was “${last}”${endedBy(end)}` }
    },
  },
  {
    name: 'participants',
    isInCall: true,
    evaluate: ({ participants }) => ({ ok: participants > 0, detail: `${participants} seen` }),
  },
  {
    name: 'captions by wire',
    isInCall: true,
    evaluate: (_, { wire }) => countCaptions(sumOf([...wire.values()].map((row) => row.captions))),
  },
  {
    name: 'captions by page',
    isInCall: true,
    evaluate: (_, { page }) => countCaptions(page.captionRows.size),
  },
  {
    name: 'wire decoded',
    isInCall: true,
    evaluate(_, { wire }) {
      const bad = [...wire].filter(([, { undecoded }]) => undecoded > 0)
      const total = sumOf([...wire.values()].map(({ messages }) => messages))
      if (bad.length === 0) return { ok: true, detail: `all ${total} messages` }
      const parts = bad.map(([name, { undecoded, messages }]) => `${name} ${undecoded}/${messages}`)
      return { ok: false, detail: `not decoded: ${parts.join(', ')}` }
    },
  },
  {
    name: 'selectors',
    isInCall: true,
    evaluate({ drifts }) {
      const lost = drifts.filter(({ foundBy }) => foundBy === null).map(({ part }) => part)
      if (lost.length > 0) return { ok: false, detail: `not found on the page: ${lost.join(', ')}` }
      const others = drifts.map(({ part }) => part)
      const detail = others.length === 0 ? 'all found' : `by another selector: ${others.join(', ')}`
      return { ok: true, detail }
    },
  },
  {
    name: 'left',
    isInCall: true,
    evaluate: ({ end }, { states }) => {
      const hasLeft = end === null && states.some(({ state }) => state === 'left')
      const detail = hasLeft
        ? 'the page confirmed it'
        : `the page did not confirm it${endedBy(end)}`
      return { ok: hasLeft, detail }
    },
  },
]

export function evaluateVisit(
  result: VisitResult,
  inspection: VisitInspection,
): RehearsalCheckResult[] {
  const wasInCall = result.events.some(({ kind }) => kind === 'admitted')
  return CHECKS.filter(({ isInCall }) => wasInCall || !isInCall).map(({ name, evaluate }) => ({
    name,
    ...evaluate(result, inspection),
  }))
}

function reached(events: VisitResult['events'], any: readonly string[]) {
  const first = events.find(({ kind }) => any.includes(kind))
  if (first === undefined) return { ok: false, detail: 'never' }
  return { ok: true, detail: `after ${(first.atMs / 1_000).toFixed(1)} s` }
}

function countCaptions(count: number) {
  return count > 0
    ? { ok: true, detail: `${count} received` }
    : { ok: false, detail: 'none; somebody must speak during the check' }
}

function endedBy(end: string | null): string {
  return end === null ? '' : `; it ended with ${end}`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
