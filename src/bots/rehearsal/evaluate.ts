import type { PlatformEvent } from '../platforms/platform.ts'
import { expectedTranscript, buildTimeline } from '../platforms/practice/timeline.ts'
import {
  type RehearsalCase,
  missingParticipants,
  missingSentences,
  type RehearsalObservations,
} from './run-case.ts'

export type RehearsalCheckResult = { name: string; ok: boolean; detail: string }

type RehearsalCheck = {
  name: string
  /** False if the script contains nothing that this check could test. */
  applies(rehearsalCase: RehearsalCase): boolean
  evaluate(
    observations: RehearsalObservations,
    rehearsalCase: RehearsalCase,
  ): Omit<RehearsalCheckResult, 'name'>
}

/** The checks of a rehearsal, in the order in which a visit passes them. */
const CHECKS: readonly RehearsalCheck[] = [
  {
    name: 'page loaded',
    applies: () => true,
    evaluate: (observations) =>
      reached(observations, ['way in', 'not started', 'lobby', 'admitted']),
  },
  {
    name: 'joined',
    applies: (rehearsalCase) => scriptHas(rehearsalCase, 'admitted'),
    evaluate: (observations) => reached(observations, ['admitted']),
  },
  {
    name: 'people',
    applies: (rehearsalCase) => scriptHas(rehearsalCase, 'people'),
    evaluate(observations, rehearsalCase) {
      const missing = missingParticipants(observations, rehearsalCase)
      if (missing.length > 0) return failed(`not seen: ${missing.join(', ')}`)
      return passed([...observations.participantNames].join(', '))
    },
  },
  {
    name: 'captions',
    applies: (rehearsalCase) => scriptHas(rehearsalCase, 'caption'),
    evaluate(observations, { source }) {
      const { ok, detail } = reached(observations, ['caption'])
      if (!ok || source === null) return { ok, detail }
      const isByWire = [...observations.captions.values()].some(
        ({ version }) => version !== undefined,
      )
      if (isByWire === (source === 'wire')) return passed(`from the ${source}, first ${detail}`)
      return failed(`captions arrived, but not from the ${source}`)
    },
  },
  {
    name: 'words',
    applies: (rehearsalCase) => scriptHas(rehearsalCase, 'caption'),
    evaluate(observations, rehearsalCase) {
      const all = expectedTranscript(rehearsalCase.script).length
      const missing = missingSentences(observations, rehearsalCase)
      if (missing.length === 0) return passed(`all ${all} sentences`)
      return failed(`${missing.length} of ${all} sentences missing, such as “${missing[0]}”`)
    },
  },
  {
    name: 'selectors',
    applies: (rehearsalCase) => scriptHas(rehearsalCase, 'admitted'),
    evaluate({ drifts }) {
      const lost = drifts.filter(({ foundBy }) => foundBy === null).map(({ part }) => part)
      if (lost.length > 0) return failed(`not found on the page: ${lost.join(', ')}`)
      return passed(
        drifts.length === 0 ? 'all found' : `${drifts.length} found by another selector`,
      )
    },
  },
  {
    name: 'left',
    applies: (rehearsalCase) => !scriptHas(rehearsalCase, 'over'),
    evaluate({ leftAfterMs }) {
      return leftAfterMs === null
        ? failed('the bot did not leave')
        : passed(formatSeconds(leftAfterMs))
    },
  },
  {
    name: 'end',
    applies: (rehearsalCase) => scriptHas(rehearsalCase, 'over'),
    evaluate({ endEvent, evidence }, rehearsalCase) {
      const expected = buildTimeline(rehearsalCase.script).map(({ event }) => event)
      const reason = expected.find((event) => event.kind === 'over')?.because
      if (endEvent?.because !== reason)
        return failed(`expected ${reason}, got ${endEvent?.because ?? 'none'}`)
      return passed(`${reason}${evidence === null ? '' : ', with evidence'}`)
    },
  },
]

/** The result of each check. The first failed check gives the reason, as far as the bot knows it. */
export function evaluateRehearsal(
  observations: RehearsalObservations,
  rehearsalCase: RehearsalCase,
): RehearsalCheckResult[] {
  const steps = CHECKS.filter(({ applies }) => applies(rehearsalCase)).map((check) => ({
    name: check.name,
    ...check.evaluate(observations, rehearsalCase),
  }))
  const first = steps.find(({ ok }) => !ok)
  if (first !== undefined) first.detail += describeEnding(observations)
  return steps
}

function describeEnding({ endEvent, evidence }: RehearsalObservations): string {
  const end =
    endEvent === null
      ? ''
      : `; it ended with ${endEvent.because}${endEvent.detail ? `: ${endEvent.detail}` : ''}`
  const page = evidence === null ? '' : `; the page state was “${evidence.state}”`
  return end + page
}

function scriptHas({ script }: RehearsalCase, what: PlatformEvent['kind']): boolean {
  return buildTimeline(script).some(({ event }) => event.kind === what)
}

function reached(
  { firstAtMs }: RehearsalObservations,
  any: ReadonlyArray<PlatformEvent['kind']>,
): Omit<RehearsalCheckResult, 'name'> {
  const times = any.flatMap((what) => firstAtMs.get(what) ?? [])
  return times.length === 0 ? failed('never') : passed(`after ${formatSeconds(Math.min(...times))}`)
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function passed(detail: string): Omit<RehearsalCheckResult, 'name'> {
  return { ok: true, detail }
}

function failed(detail: string): Omit<RehearsalCheckResult, 'name'> {
  return { ok: false, detail }
}
