import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../../stage/meeting/staged-meeting.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

/** A short conversation in which everything can go wrong; answers what was said. */
async function playConversation(
  show: StagedMeeting,
  isRewritten = true,
): Promise<Record<string, string>> {
  await show.say('ana', ...(isRewritten ? ['so two plus two'] : []), 'So 2 + 2 is 4, I think.')
  await show.say('ben', 'Right, and everybody agrees with that now.')
  await Promise.all([
    show.say('ana', 'Shall we go on to the next question then?'),
    show.say('ben', 'Yes please, before the coffee gets cold.'),
  ])
  return {
    'Ana Ribeiro': 'So 2 + 2 is 4, I think. Shall we go on to the next question then?',
    'Ben Carter':
      'Right, and everybody agrees with that now. Yes please, before the coffee gets cold.',
  }
}

/** All of it and nothing twice; what is still being told may take a moment. */
async function assertTranscript(
  rehearsal: StageRun,
  expected: Record<string, string>,
): Promise<void> {
  const isTold = () =>
    JSON.stringify(sorted(rehearsal.wordsBySpeaker())) === JSON.stringify(sorted(expected))
  await waitFor(() => (isTold() ? true : null)).catch((error: unknown) => {
    const others = rehearsal.events.filter(({ kind }) => kind !== 'caption')
    const told = `${others.map(({ kind }) => kind).join(', ')}; ${rehearsal.captionIds().join(', ')}`
    assert.deepEqual(rehearsal.wordsBySpeaker(), expected, `${String(error)}: ${told}`)
  })
}

function sorted(words: Record<string, string>): Array<[string, string]> {
  return Object.entries(words).toSorted(([a], [b]) => a.localeCompare(b))
}

async function stopRun({ stop, finished }: StageRun): Promise<void> {
  stop()
  await finished
}

const PAGE_ONLY: KnobSettings = { wires: [] }
/** Each with the page alone, as the wire knows none of this. */
const ROW_VARIANTS: ReadonlyArray<[title: string, knobs: KnobSettings]> = [
  ['that grow', {}],
  ['that are rewritten at their end', { correctionDepth: 12 }],
  ['whose text is a new node each time', { textBy: 'node' }],
  ['with seeds and twins', { hasSeedRows: true, hasTwinRows: true }],
  ['that vanish for a moment', { removalGapMs: 300 }],
  ['of an earlier page', { generation: 'earlier' }],
  ['in a list that uses its rows again', { keptRows: 2, recyclesRows: true }],
]

const rough: ConformanceCase[] = ROW_VARIANTS.map(([title, knobs]) => [
  `rows of the page ${title} become the words that were said`,
  async (company) => {
    const rehearsal = startStageRun(company, { knobs: { ...PAGE_ONLY, ...knobs } })
    await admitBot(rehearsal)
    // On a machine with much to do a row may be away for longer than one that comes back.
    await assertTranscript(
      rehearsal,
      await playConversation(rehearsal.show, knobs.removalGapMs === undefined),
    )
    assert.ok(rehearsal.captionIds().every((id) => !company.profile.wireIdPattern.test(id)))
    await stopRun(rehearsal)
  },
])

export const captionCases: readonly ConformanceCase[] = [
  ...rough,
  [
    'captions come by the wire, and the page adds nothing to them',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { hasTwinRows: true, hasSeedRows: true } })
      await admitBot(rehearsal)
      await assertTranscript(rehearsal, await playConversation(rehearsal.show))
      assert.ok(rehearsal.captionIds().some((id) => company.profile.wireIdPattern.test(id)))
      await stopRun(rehearsal)
    },
  ],
  [
    'the wire alone is enough when the page shows no captions',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      rehearsal.show.captions(false)
      await assertTranscript(rehearsal, await playConversation(rehearsal.show))
      await stopRun(rehearsal)
    },
  ],
  [
    'when the wire falls silent in mid-sentence the page goes on, and the wire again later',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { speed: 2 } })
      const { show } = rehearsal
      await admitBot(rehearsal)
      const speaking = show.say(
        'ana',
        'One two three four five six seven eight nine ten eleven twelve.',
      )
      await waitFor(() => (rehearsal.captionIds().length > 0 ? true : null))
      show.hush(true)
      await speaking
      await show.say('ben', 'Only the page tells of this.')
      const told = {
        'Ana Ribeiro': 'One two three four five six seven eight nine ten eleven twelve.',
        'Ben Carter': 'Only the page tells of this.',
      }
      await assertTranscript(rehearsal, told)
      show.hush(false)
      await show.say('ana', 'Both tell of this, and the page is believed.')
      const more = `${told['Ana Ribeiro']} Both tell of this, and the page is believed.`
      await assertTranscript(rehearsal, { ...told, 'Ana Ribeiro': more })
      const before = rehearsal.captionIds().length
      // Silence, after which the wire leads again.
      await waitFor(async () => {
        await show.say('ben', 'Hm.')
        await show.timers.sleep(4_000)
        return rehearsal
          .captionIds()
          .slice(before)
          .some((id) => company.profile.wireIdPattern.test(id))
          ? true
          : null
      })
      await stopRun(rehearsal)
    },
  ],
  [
    'captions that somebody turns off are turned on again, in a region of their own',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: PAGE_ONLY })
      const { show, pool } = rehearsal
      await admitBot(rehearsal)
      await show.say('ana', 'This was said before.')
      await assertTranscript(rehearsal, { 'Ana Ribeiro': 'This was said before.' })
      const [guest] = show.audience.guests
      guest?.actions.delete('captions on')
      const page = pool.inUse()[0]?.page
      await page?.keyboard.press(company.profile.captionKeys)
      await show.until('captions on')
      await show.say('ben', 'And this was said after it.')
      await assertTranscript(rehearsal, {
        'Ana Ribeiro': 'This was said before.',
        'Ben Carter': 'And this was said after it.',
      })
      await stopRun(rehearsal)
    },
  ],
  [
    'captions that the platform loses are reported lost and back',
    async (company) => {
      const timeouts = { captionsLostMs: 300 }
      const rehearsal = startStageRun(company, { knobs: PAGE_ONLY, timeouts })
      await admitBot(rehearsal)
      await rehearsal.show.say('ana', 'Captions are here.')
      await rehearsal.waitForEvent('caption')
      rehearsal.show.captions(false)
      await rehearsal.waitForEvent('captions lost')
      rehearsal.show.captions(true)
      await rehearsal.waitForEvent('captions back')
      await stopRun(rehearsal)
    },
  ],
  [
    'captions that never come end in captions_unavailable',
    async (company) => {
      const timeouts = { captionsMs: 2_500, captionsBackMs: 2_500, captionsLostMs: 300 }
      const rehearsal = startStageRun(company, {
        knobs: { ...PAGE_ONLY, hasCaptions: false },
        timeouts,
      })
      await rehearsal.show.until('knocked')
      rehearsal.show.admit()
      assert.equal((await rehearsal.finished)?.because, 'captions_unavailable')
      assert.equal(rehearsal.evidence().length, 1)
    },
  ],
  ...[true, false].map((hasInternals): ConformanceCase => [
    `the language of captions is set at the start, and again when somebody sets it back${hasInternals ? '' : ', by the settings alone'}`,
    async (company) => {
      const rehearsal = startStageRun(company, {
        joinRequest: { language: 'de-DE' },
        knobs: { hasInternals, view: hasInternals ? 'guest' : 'host' },
      })
      const { show } = rehearsal
      await admitBot(rehearsal)
      const isGerman = () =>
        show.audience.guests[0]?.language?.toLowerCase() === 'de-de' ? true : null
      await waitFor(isGerman)
      const [guest] = show.audience.guests
      await company.profile.resetLanguage(rehearsal)
      await waitFor(async () => {
        if (guest?.language === 'en-us') await show.say('ana', 'Das ist kein Englisch.')
        return isGerman()
      })
      await stopRun(rehearsal)
    },
  ]),
]
