import type { PlatformEvent } from '../platforms/platform.ts'
import { expectedTranscript, buildTimeline } from '../platforms/practice/timeline.ts'
import { missingParticipants, missingSentences, type RehearsalObservations } from './run-case.ts'
import type { RehearsalCase } from './rehearsal-cases.ts'

export type RehearsalStep = { name: string; ok: boolean; detail: string }

type RehearsalCheck = {
  name: string
  /** Whether the script contains what this check is about. */
  isAsked(play: RehearsalCase): boolean
  judge(seen: RehearsalObservations, play: RehearsalCase): Omit<RehearsalStep, 'name'>
}

/** In the order of a visit. */
const CHECKS: readonly RehearsalCheck[] = [
  {
    name: 'page loaded',
    isAsked: () => true,
    judge: (seen) => reached(seen, ['door', 'not started', 'lobby', 'admitted']),
  },
  {
    name: 'joined',
    isAsked: (play) => scriptHas(play, 'admitted'),
    judge: (seen) => reached(seen, ['admitted']),
  },
  {
    name: 'people',
    isAsked: (play) => scriptHas(play, 'people'),
    judge(seen, play) {
      const missing = missingParticipants(seen, play)
      if (missing.length > 0) return failed(`not seen: ${missing.join(', ')}`)
      return passed([...seen.participantNames].join(', '))
    },
  },
  {
    name: 'captions',
    isAsked: (play) => scriptHas(play, 'caption'),
    judge(seen, { source }) {
      const { ok, detail } = reached(seen, ['caption'])
      if (!ok || source === null) return { ok, detail }
      const isByWire = [...seen.captions.values()].some(({ version }) => version !== undefined)
      if (isByWire === (source === 'wire')) return passed(`by ${source}, first ${detail}`)
      return failed(`they came, but not by the ${source}`)
    },
  },
  {
    name: 'words',
    isAsked: (play) => scriptHas(play, 'caption'),
    judge(seen, play) {
      const all = expectedTranscript(play.script).length
      const missing = missingSentences(seen, play)
      if (missing.length === 0) return passed(`all ${all} sentences`)
      return failed(`${missing.length} of ${all} sentences missing, such as “${missing[0]}”`)
    },
  },
  {
    name: 'selectors',
    isAsked: (play) => scriptHas(play, 'admitted'),
    judge({ drifts }) {
      const lost = drifts.filter(({ foundBy }) => foundBy === null).map(({ part }) => part)
      if (lost.length > 0) return failed(`not found on the page: ${lost.join(', ')}`)
      return passed(drifts.length === 0 ? 'all found' : `${drifts.length} found in another way`)
    },
  },
  {
    name: 'left',
    isAsked: (play) => !scriptHas(play, 'over'),
    judge({ leftAfterMs }) {
      return leftAfterMs === null
        ? failed('the bot did not come to leave')
        : passed(formatSeconds(leftAfterMs))
    },
  },
  {
    name: 'end',
    isAsked: (play) => scriptHas(play, 'over'),
    judge({ endEvent, evidence }, play) {
      const expected = buildTimeline(play.script).map(({ event }) => event)
      const reason = expected.find((event) => event.kind === 'over')?.because
      if (endEvent?.because !== reason)
        return failed(`expected ${reason}, got ${endEvent?.because ?? 'none'}`)
      return passed(`${reason}${evidence === null ? '' : ', with evidence'}`)
    },
  },
]

/** The result of each check. The first failed check explains why, as far as the bot knows. */
export function evaluateRehearsal(
  seen: RehearsalObservations,
  play: RehearsalCase,
): RehearsalStep[] {
  const steps = CHECKS.filter(({ isAsked }) => isAsked(play)).map((check) => ({
    name: check.name,
    ...check.judge(seen, play),
  }))
  const first = steps.find(({ ok }) => !ok)
  if (first !== undefined) first.detail += describeEnding(seen)
  return steps
}

function describeEnding({ endEvent, evidence }: RehearsalObservations): string {
  const end =
    endEvent === null
      ? ''
      : `; it ended with ${endEvent.because}${endEvent.detail ? `: ${endEvent.detail}` : ''}`
  const page = evidence === null ? '' : `; the page was taken for “${evidence.state}”`
  return end + page
}

function scriptHas({ script }: RehearsalCase, what: PlatformEvent['kind']): boolean {
  return buildTimeline(script).some(({ event }) => event.kind === what)
}

function reached(
  { firstAtMs }: RehearsalObservations,
  any: ReadonlyArray<PlatformEvent['kind']>,
): Omit<RehearsalStep, 'name'> {
  const times = any.flatMap((what) => firstAtMs.get(what) ?? [])
  return times.length === 0 ? failed('never') : passed(`after ${formatSeconds(Math.min(...times))}`)
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function passed(detail: string): Omit<RehearsalStep, 'name'> {
  return { ok: true, detail }
}

function failed(detail: string): Omit<RehearsalStep, 'name'> {
  return { ok: false, detail }
}
