import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../../stage/meeting/staged-meeting.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

/** Plays a short conversation with corrections and overlapping speakers, and returns the expected text. */
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

/** Waits until the transcript has all of the text, each word once. `simplify` removes what may differ. */
async function assertTranscript(
  run: StageRun,
  expected: Record<string, string>,
  simplify = (text: string) => text,
): Promise<void> {
  const isComplete = () =>
    simplify(JSON.stringify(sorted(run.wordsBySpeaker()))) ===
    simplify(JSON.stringify(sorted(expected)))
  await waitFor(() => (isComplete() ? true : null)).catch((error: unknown) => {
    const others = run.events.filter(({ kind }) => kind !== 'caption')
    const summary = `${others.map(({ kind }) => kind).join(', ')}; ${run.captionIds().join(', ')}`
    assert.deepEqual(run.wordsBySpeaker(), expected, `${String(error)}: ${summary}`)
  })
}

function sorted(words: Record<string, string>): Array<[string, string]> {
  return Object.entries(words).toSorted(([a], [b]) => a.localeCompare(b))
}

/** On a busy machine the text pauses after a full stop that is corrected later, and is then a segment of its own. */
function removeRoughEnds(text: string): string {
  return text.replaceAll(/[.,?]/g, '').toLowerCase()
}

async function stopRun({ stop, finished }: StageRun): Promise<void> {
  stop()
  await finished
}

const PAGE_ONLY: KnobSettings = { wires: [] }
/** Variants of caption rows. Captions come from the page only, because these variants do not exist on the wire. */
const ROW_VARIANTS: ReadonlyArray<[title: string, knobs: KnobSettings]> = [
  ['that grow', {}],
  ['that are rewritten at their end', { correctionDepth: 12 }],
  ['whose text is a new node each time', { textBy: 'node' }],
  ['with empty and duplicate rows', { hasSeedRows: true, hasTwinRows: true }],
  ['that disappear for a short time', { removalGapMs: 300 }],
  ['of an earlier page', { generation: 'earlier' }],
  ['in a list that reuses its elements', { keptRows: 2, recyclesRows: true }],
]

const rough: ConformanceCase[] = ROW_VARIANTS.map(([title, knobs]) => [
  `caption rows ${title} give the spoken text`,
  async (setup) => {
    const run = startStageRun(setup, { knobs: { ...PAGE_ONLY, ...knobs } })
    await admitBot(run)
    // On a busy machine a row may be missing too long to count as the same row.
    const expected = await playConversation(run.show, knobs.removalGapMs === undefined)
    const simplify = knobs.correctionDepth === undefined ? undefined : removeRoughEnds
    await assertTranscript(run, expected, simplify)
    assert.ok(run.captionIds().every((id) => !setup.profile.wireIdPattern.test(id)))
    await stopRun(run)
  },
])

export const captionCases: readonly ConformanceCase[] = [
  ...rough,
  [
    'captions from the wire are published without additions from the page',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { hasTwinRows: true, hasSeedRows: true } })
      await admitBot(run)
      await assertTranscript(run, await playConversation(run.show))
      assert.ok(run.captionIds().some((id) => setup.profile.wireIdPattern.test(id)))
      await stopRun(run)
    },
  ],
  [
    'captions from the wire suffice when the page shows none',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      run.show.setCaptionsAvailable(false)
      await assertTranscript(run, await playConversation(run.show))
      await stopRun(run)
    },
  ],
  [
    'when the wire stops in mid-sentence the page continues, and later the wire again',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { speed: 2 } })
      const { show } = run
      await admitBot(run)
      const speaking = show.say(
        'ana',
        'One two three four five six seven eight nine ten eleven twelve.',
      )
      await waitFor(() => (run.captionIds().length > 0 ? true : null))
      show.setWireCaptionsMuted(true)
      await speaking
      await show.say('ben', 'Only the page tells of this.')
      const expected = {
        'Ana Ribeiro': 'One two three four five six seven eight nine ten eleven twelve.',
        'Ben Carter': 'Only the page tells of this.',
      }
      await assertTranscript(run, expected)
      show.setWireCaptionsMuted(false)
      await show.say('ana', 'Both tell of this, and the page is believed.')
      const more = `${expected['Ana Ribeiro']} Both tell of this, and the page is believed.`
      await assertTranscript(run, { ...expected, 'Ana Ribeiro': more })
      const before = run.captionIds().length
      // A pause, after which the wire becomes active again.
      await waitFor(async () => {
        await show.say('ben', 'Hm.')
        await show.timers.sleep(4_000)
        return run
          .captionIds()
          .slice(before)
          .some((id) => setup.profile.wireIdPattern.test(id))
          ? true
          : null
      })
      await stopRun(run)
    },
  ],
  [
    'captions that a participant turns off are turned on again in a new region',
    async (setup) => {
      const run = startStageRun(setup, { knobs: PAGE_ONLY })
      const { show, pool } = run
      await admitBot(run)
      await show.say('ana', 'This was said before.')
      await assertTranscript(run, { 'Ana Ribeiro': 'This was said before.' })
      const [guest] = show.pages.all
      guest?.actions.delete('captions on')
      const page = pool.inUse()[0]?.page
      await page?.keyboard.press(setup.profile.captionKeys)
      await show.waitFor('captions on')
      await show.say('ben', 'And this was said after it.')
      await assertTranscript(run, {
        'Ana Ribeiro': 'This was said before.',
        'Ben Carter': 'And this was said after it.',
      })
      await stopRun(run)
    },
  ],
  [
    'captions that the platform stops and resumes are reported lost and back',
    async (setup) => {
      const timeouts = { captionsLostMs: 300 }
      const run = startStageRun(setup, { knobs: PAGE_ONLY, timeouts })
      await admitBot(run)
      await run.show.say('ana', 'Captions are here.')
      await run.waitForEvent('caption')
      run.show.setCaptionsAvailable(false)
      await run.waitForEvent('captions lost')
      run.show.setCaptionsAvailable(true)
      await run.waitForEvent('captions back')
      await stopRun(run)
    },
  ],
  [
    'captions are reported lost while the page reconnects, and back afterwards',
    async (setup) => {
      const run = startStageRun(setup, { timeouts: { captionsLostMs: 300 } })
      await admitBot(run)
      await run.show.say('ana', 'The connection is good.')
      await run.waitForEvent('caption')
      run.show.setConnectionLost(true)
      const { sinceMs } = await run.waitForEvent('captions lost')
      assert.ok(sinceMs !== undefined && sinceMs >= 300)
      run.show.setConnectionLost(false)
      await run.waitForEvent('captions back')
      await stopRun(run)
    },
  ],
  [
    'captions that never appear end the visit with captions_unavailable',
    async (setup) => {
      const timeouts = { captionsMs: 2_500, captionsBackMs: 2_500, captionsLostMs: 300 }
      const run = startStageRun(setup, {
        knobs: { ...PAGE_ONLY, hasCaptions: false },
        timeouts,
      })
      await run.show.waitFor('knocked')
      run.show.admit()
      assert.equal((await run.finished)?.because, 'captions_unavailable')
      assert.equal(run.evidence().length, 1)
    },
  ],
  [
    'translated captions are set to the spoken language',
    async (setup) => {
      const knobs = { captionLanguage: 'en-US', spokenLanguage: 'de-DE' }
      const run = startStageRun(setup, { knobs })
      const { show } = run
      await admitBot(run)
      await waitFor(async () => {
        await show.say('ana', 'This was said in German.')
        return show.pages.all[0]?.language?.toLowerCase() === 'de-de' ? true : null
      })
      await stopRun(run)
    },
  ],
  [
    'captions that stay translated and captions without names are reported',
    async (setup) => {
      const run = startStageRun(setup, {
        knobs: { spokenLanguage: 'de-DE', isCaptionLanguageFixed: true, captionsHaveNames: false },
        timeouts: { languageMs: 100 },
      })
      const { show } = run
      await admitBot(run)
      const problems = () =>
        run.events.flatMap((event) => (event.kind === 'caption problem' ? [event] : []))
      await waitFor(async () => {
        await show.say('ana', 'This was said in German.')
        return problems().length === 1 ? true : null
      })
      show.setWireCaptionsMuted(true)
      let count = 0
      await waitFor(async () => {
        for (const speaker of ['ana', 'ben']) await show.say(speaker, `Sentence ${(count += 1)}.`)
        return problems().length === 2 ? true : null
      })
      assert.deepEqual(
        problems().map(({ code, detail }) => [code, detail]),
        [
          ['caption_language', 'The captions are translated from de-DE into en-US'],
          ['speaker_names', 'The captions do not say who is speaking'],
        ],
      )
      await stopRun(run)
    },
  ],
  [
    'an empty area without captions ends the visit with captions_unavailable',
    async (setup) => {
      const timeouts = { captionsMs: 2_500, captionsBackMs: 2_500, captionsLostMs: 300 }
      const run = startStageRun(setup, {
        knobs: { ...PAGE_ONLY, hasCaptions: false, hasEmptyCaptionArea: true },
        timeouts,
      })
      await run.show.waitFor('knocked')
      run.show.admit()
      assert.equal((await run.finished)?.because, 'captions_unavailable')
    },
  ],
  ...[true, false].map((hasInternals): ConformanceCase => [
    `the caption language is set at the start, and again when a participant changes it${hasInternals ? '' : ', with the settings menu only'}`,
    async (setup) => {
      const run = startStageRun(setup, {
        joinRequest: { language: 'de-DE' },
        knobs: { hasInternals, view: hasInternals ? 'guest' : 'host' },
      })
      const { show } = run
      await admitBot(run)
      const isGerman = () => (show.pages.all[0]?.language?.toLowerCase() === 'de-de' ? true : null)
      await waitFor(isGerman)
      const [guest] = show.pages.all
      await setup.profile.resetLanguage(run)
      await waitFor(async () => {
        if (guest?.language === 'en-us') await show.say('ana', 'Das ist kein Englisch.')
        return isGerman()
      })
      await stopRun(run)
    },
  ]),
]
