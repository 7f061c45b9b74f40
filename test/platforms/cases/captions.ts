import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../../stage/meeting/staged-meeting.ts'
import type { ConformanceCase } from '../conformance.ts'
import {
  admitBot,
  leaveCall,
  startStageRun,
  waitFor,
  type StageRun,
  waitForAction,
} from '../stage-run.ts'
import { waitForParticipants } from './call.ts'
import { sendOnChannel } from './hostile.ts'

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

/** On a busy machine, the text pauses after a full stop that is corrected later, and becomes a separate segment. */
function removeRoughEnds(text: string): string {
  return text.replaceAll(/[.,?]/g, '').toLowerCase()
}

const PAGE_ONLY: KnobSettings = { wires: [] }

/** Captions come only from the page, because these variants of its rows do not exist on the wire. */
function readsRows(title: string, knobs: KnobSettings): ConformanceCase {
  return [
    `caption rows ${title} give the spoken text`,
    async (setup) => {
      const run = startStageRun(setup, { knobs: { ...PAGE_ONLY, ...knobs } })
      await admitBot(run)
      // On a busy machine, a row may be missing too long to be treated as the same row.
      const expected = await playConversation(run.show, knobs.removalGapMs === undefined)
      const simplify = knobs.correctionDepth === undefined ? undefined : removeRoughEnds
      await assertTranscript(run, expected, simplify)
      assert.ok(run.captionIds().every((id) => !setup.profile.wireIdPattern.test(id)))
      await leaveCall(run)
    },
  ]
}

export const captionCases: readonly ConformanceCase[] = [
  readsRows('whose text is a new node each time, with empty and duplicate rows', {
    textBy: 'node',
    hasSeedRows: true,
    hasTwinRows: true,
  }),
  [
    'captions and participants from the wire are published without additions from the page, even when the page shows none',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { hasTwinRows: true, hasSeedRows: true } })
      const { show } = run
      await admitBot(run)
      await waitForParticipants(run, ['Ana Ribeiro', 'Ben Carter'])
      const expected = await playConversation(show)
      await assertTranscript(run, expected)
      show.setCaptionsAvailable(false)
      show.join('chloe')
      await waitForParticipants(run, ['Ana Ribeiro', 'Ben Carter', 'Chloé Martin'])
      await show.say('chloe', 'Only the wire has this.')
      await assertTranscript(run, { ...expected, 'Chloé Martin': 'Only the wire has this.' })
      assert.ok(run.captionIds().every((id) => setup.profile.wireIdPattern.test(id)))
      show.leave('ana')
      await waitForParticipants(run, ['Ben Carter', 'Chloé Martin'])
      await leaveCall(run)
    },
  ],
  [
    'captions that a participant turns off, the platform stops or a lost connection interrupts return',
    async (setup) => {
      const timeouts = { captionsLostMs: 300 }
      const run = startStageRun(setup, { knobs: PAGE_ONLY, timeouts })
      const { show, pool } = run
      await admitBot(run)
      await show.say('ana', 'This was said before.')
      await assertTranscript(run, { 'Ana Ribeiro': 'This was said before.' })
      const [guest] = show.pages.all
      guest?.actions.delete('captions on')
      await pool.inUse()[0]?.page.keyboard.press(setup.profile.captionKeys)
      // They are turned on again in a new region.
      await waitForAction(run, 'captions on')
      await show.say('ben', 'And this was said after it.')
      const expected = {
        'Ana Ribeiro': 'This was said before.',
        'Ben Carter': 'And this was said after it.',
      }
      await assertTranscript(run, expected)
      const count = (kind: 'captions lost' | 'captions back') =>
        run.events.filter((event) => event.kind === kind).length
      const interruptions: Array<(isInterrupted: boolean) => void> = [
        (isInterrupted) => show.setCaptionsAvailable(!isInterrupted),
        (isInterrupted) => show.setConnectionLost(isInterrupted),
      ]
      for (const interrupt of interruptions) {
        // While captions are lost, another cause is not reported again.
        await waitFor(() => (count('captions lost') === count('captions back') ? true : null))
        const [lost, back] = [count('captions lost'), count('captions back')]
        interrupt(true)
        const { sinceMs } = await run.waitForEvent('captions lost', lost + 1)
        assert.ok(sinceMs !== undefined && sinceMs >= 300)
        interrupt(false)
        await run.waitForEvent('captions back', back + 1)
      }
      await show.say('chloe', 'Can you hear me?')
      await assertTranscript(run, { ...expected, 'Chloé Martin': 'Can you hear me?' })
      // The bot waited for the connection and did not rejoin.
      assert.equal(run.events.filter(({ kind }) => kind === 'admitted').length, 1)
      await leaveCall(run)
    },
  ],
  setsLanguage({}),
]

/** The caption language is set at the start, and again if a participant changes it. */
export function setsLanguage(knobs: KnobSettings): ConformanceCase {
  const way = knobs.hasInternals === false ? ', with the settings menu only' : ''
  return [
    `the caption language is set at the start, and again when a participant changes it${way}`,
    async (setup) => {
      const run = startStageRun(setup, { joinRequest: { language: 'de-DE' }, knobs })
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
      await leaveCall(run)
    },
  ]
}

// The same code runs on all platforms, so one of them is enough for each of the following.

export const correctedRowsCase = readsRows(
  'that are rewritten at their end and disappear for a short time',
  { correctionDepth: 12, removalGapMs: 300 },
)

export const recycledRowsCase = readsRows(
  'of an earlier page, in a list that reuses its elements',
  { generation: 'earlier', keptRows: 2, recyclesRows: true },
)

export const unavailableCaptionsCase: ConformanceCase = [
  'an empty area without captions ends the visit with captions_unavailable and evidence',
  async (setup) => {
    const timeouts = { captionsMs: 1_500, captionsBackMs: 1_500, captionsLostMs: 300 }
    const run = startStageRun(setup, {
      knobs: { ...PAGE_ONLY, hasCaptions: false, hasEmptyCaptionArea: true },
      timeouts,
    })
    await waitForAction(run, 'knocked')
    run.show.admit()
    assert.equal((await run.finished)?.because, 'captions_unavailable')
    assert.equal(run.evidence().length, 1)
  },
]

export const lostWireCase: ConformanceCase = [
  'when the wire stops in mid-sentence and sends noise the page continues, and later the wire again',
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
    const noise = Array.from({ length: 50 }, () => Buffer.alloc(500, 0xff).toString('base64'))
    await sendOnChannel(run, setup.profile.channels[0], noise)
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
    await leaveCall(run)
  },
]

export const translatedCaptionsCase: ConformanceCase = [
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
    await leaveCall(run)
  },
]

export const captionProblemsCase: ConformanceCase = [
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
    await leaveCall(run)
  },
]
