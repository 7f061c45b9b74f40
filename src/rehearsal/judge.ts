import type { Sighting } from '../platforms/platform.ts'
import { expectedTranscript, timelineOf } from '../platforms/practice/timeline.ts'
import { missingPeople, missingWords, type Seen } from './observe.ts'
import type { Play } from './programme.ts'

export type Step = { name: string; ok: boolean; detail: string }

type Check = {
  name: string
  /** Whether the script asks for it. */
  isAsked(play: Play): boolean
  judge(seen: Seen, play: Play): Omit<Step, 'name'>
}

/** In the order in which an operator thinks of them. */
const CHECKS: readonly Check[] = [
  {
    name: 'page loaded',
    isAsked: () => true,
    judge: (seen) => reached(seen, ['door', 'not started', 'lobby', 'admitted']),
  },
  {
    name: 'joined',
    isAsked: (play) => says(play, 'admitted'),
    judge: (seen) => reached(seen, ['admitted']),
  },
  {
    name: 'people',
    isAsked: (play) => says(play, 'people'),
    judge(seen, play) {
      const missing = missingPeople(seen, play)
      if (missing.length > 0) return bad(`not seen: ${missing.join(', ')}`)
      return good([...seen.names].join(', '))
    },
  },
  {
    name: 'captions',
    isAsked: (play) => says(play, 'caption'),
    judge(seen, { source }) {
      const { ok, detail } = reached(seen, ['caption'])
      if (!ok || source === null) return { ok, detail }
      const isByWire = [...seen.captions.values()].some(({ version }) => version !== undefined)
      if (isByWire === (source === 'wire')) return good(`by ${source}, first ${detail}`)
      return bad(`they came, but not by the ${source}`)
    },
  },
  {
    name: 'words',
    isAsked: (play) => says(play, 'caption'),
    judge(seen, play) {
      const all = expectedTranscript(play.script).length
      const missing = missingWords(seen, play)
      if (missing.length === 0) return good(`all ${all} sentences`)
      return bad(`${missing.length} of ${all} sentences missing, such as “${missing[0]}”`)
    },
  },
  {
    name: 'selectors',
    isAsked: (play) => says(play, 'admitted'),
    judge({ drifts }) {
      const lost = drifts.filter(({ foundBy }) => foundBy === null).map(({ part }) => part)
      if (lost.length > 0) return bad(`not found on the page: ${lost.join(', ')}`)
      return good(drifts.length === 0 ? 'all found' : `${drifts.length} found in another way`)
    },
  },
  {
    name: 'left',
    isAsked: (play) => !says(play, 'over'),
    judge({ leftAfterMs }) {
      return leftAfterMs === null ? bad('the bot did not come to leave') : good(took(leftAfterMs))
    },
  },
  {
    name: 'end',
    isAsked: (play) => says(play, 'over'),
    judge({ over, evidence }, play) {
      const expected = timelineOf(play.script).map(({ sighting }) => sighting)
      const reason = expected.find((sighting) => sighting.seen === 'over')?.because
      if (over?.because !== reason) return bad(`expected ${reason}, got ${over?.because ?? 'none'}`)
      return good(`${reason}${evidence === null ? '' : ', with evidence'}`)
    },
  },
]

/** What worked, step by step. The first thing that did not tells why, as far as the bot knows. */
export function judge(seen: Seen, play: Play): Step[] {
  const steps = CHECKS.filter(({ isAsked }) => isAsked(play)).map((check) => ({
    name: check.name,
    ...check.judge(seen, play),
  }))
  const first = steps.find(({ ok }) => !ok)
  if (first !== undefined) first.detail += whyNot(seen)
  return steps
}

function whyNot({ over, evidence }: Seen): string {
  const end =
    over === null ? '' : `; it ended with ${over.because}${over.detail ? `: ${over.detail}` : ''}`
  const page = evidence === null ? '' : `; the page was taken for “${evidence.state}”`
  return end + page
}

function says({ script }: Play, what: Sighting['seen']): boolean {
  return timelineOf(script).some(({ sighting }) => sighting.seen === what)
}

function reached({ at }: Seen, any: ReadonlyArray<Sighting['seen']>): Omit<Step, 'name'> {
  const times = any.flatMap((what) => at.get(what) ?? [])
  return times.length === 0 ? bad('never') : good(`after ${took(Math.min(...times))}`)
}

function took(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function good(detail: string): Omit<Step, 'name'> {
  return { ok: true, detail }
}

function bad(detail: string): Omit<Step, 'name'> {
  return { ok: false, detail }
}
