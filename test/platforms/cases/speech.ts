import { strict as assert } from 'node:assert'
import type { SpokenSound } from '../../../stage/meeting/sounds.ts'
import { speakTones } from '../../support/speech/tone-language.ts'
import { createToneRecognition } from '../../support/speech/tone-recognition.ts'
import type { ConformanceCase } from '../conformance.ts'
import {
  admitBot,
  leaveCall,
  startStageRun,
  waitFor,
  type StageRun,
  waitForAction,
} from '../stage-run.ts'

/** The first captions may take long on a slow machine, and must not be replaced by speech. */
const TIMEOUTS = { firstCaptionsMs: 60_000, captionsLostMs: 300, captionsQuietMs: 500 }

/** Sound with a pause at its end. Without a pause, repeated words would be one endless utterance. */
function withPause({ samples, sampleRate }: SpokenSound): SpokenSound {
  const longer = new Int16Array(samples.length + sampleRate)
  longer.set(samples)
  return { samples: longer, sampleRate }
}

async function waitForAllWords(run: StageRun, expected: Record<string, string>): Promise<void> {
  await waitFor(() =>
    Object.entries(expected).every(([name, words]) => wordsOf(run, name) === words) ? true : null,
  ).catch(() => assert.deepEqual(run.wordsBySpeaker(), expected))
}

/** The words of a speaker, without the word that is repeated until speech is recorded. */
function wordsOf(run: StageRun, name: string): string {
  return (run.wordsBySpeaker()[name] ?? '').replaceAll(/\bpapa\b ?/g, '').trim()
}

function problemsOf(run: StageRun): string[] {
  return run.events.flatMap((event) => (event.kind === 'caption problem' ? [event.code] : []))
}

// The same code runs on all platforms, so one of them is enough for each of the following.

export const fallbackSpeechCase: ConformanceCase = [
  'speech is recorded while captions are missing, with names, and captions afterwards, no word twice',
  async (setup) => {
    const run = startStageRun(setup, {
      knobs: { hasSound: true },
      joinRequest: { speech: 'fallback' },
      timeouts: TIMEOUTS,
      parts: { speech: createToneRecognition() },
    })
    const { show } = run
    await admitBot(run)
    await show.say('ana', 'Captions are here.')
    await run.waitForEvent('caption')
    show.setCaptionsAvailable(false)
    await waitFor(async () => {
      await show.speak('ana', withPause(speakTones('papa')))
      return problemsOf(run).includes('speech_used') ? true : null
    })
    await show.speak('ana', speakTones('alpha bravo charlie'))
    await waitForAllWords(run, { 'Ana Ribeiro': 'Captions are here. alpha bravo charlie' })
    await show.speak('ben', speakTones('delta echo'))
    await waitForAllWords(run, {
      'Ana Ribeiro': 'Captions are here. alpha bravo charlie',
      'Ben Carter': 'delta echo',
    })
    show.setCaptionsAvailable(true)
    await run.waitForEvent('captions back')
    await show.say('ben', 'And captions are here again.')
    await waitForAllWords(run, {
      'Ana Ribeiro': 'Captions are here. alpha bravo charlie',
      'Ben Carter': 'delta echo And captions are here again.',
    })
    assert.ok(!run.events.some(({ kind }) => kind === 'captions lost'))
    await leaveCall(run)
  },
]

export const wrongLanguageCase: ConformanceCase = [
  'captions that stay in another language are replaced by speech',
  async (setup) => {
    const run = startStageRun(setup, {
      knobs: { hasSound: true, spokenLanguage: 'de-DE', isCaptionLanguageFixed: true },
      joinRequest: { speech: 'fallback' },
      timeouts: { ...TIMEOUTS, languageMs: 100 },
      parts: { speech: createToneRecognition() },
    })
    const { show } = run
    await admitBot(run)
    await waitFor(async () => {
      await show.say('ana', 'This was said in German.')
      return problemsOf(run).includes('speech_used') ? true : null
    })
    const before = run.wordsBySpeaker()['Ben Carter'] ?? ''
    await show.say('ben', 'A translation that nobody needs.')
    await show.speak('ben', speakTones('golf hotel india'))
    await waitForAllWords(run, { 'Ben Carter': `${before} golf hotel india`.trim() })
    await leaveCall(run)
  },
]

export const onlySpeechCase: ConformanceCase = [
  'with speech instead of captions the bot leaves captions off',
  async (setup) => {
    const run = startStageRun(setup, {
      knobs: { hasSound: true },
      joinRequest: { speech: 'always' },
      timeouts: TIMEOUTS,
      parts: { speech: createToneRecognition() },
    })
    const { show } = run
    await waitForAction(run, 'knocked')
    show.join('ana', 'ben')
    show.admit()
    await run.waitForEvent('admitted')
    await waitFor(async () => {
      await show.speak('ana', withPause(speakTones('juliet')))
      return run.events.some(({ kind }) => kind === 'caption') ? true : null
    })
    // The stage names the speaker of a track by the time, so the next speaker waits until the last words have arrived.
    await show.speak('ana', speakTones('mike'))
    await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro']?.endsWith('mike') ? true : null))
    await show.speak('ben', speakTones('kilo lima'))
    await waitForAllWords(run, { 'Ben Carter': 'kilo lima' })
    await leaveCall(run)
    assert.ok(show.pages.all.every((page) => !page.actions.has('captions on')))
  },
]
