import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../../google-meet/page-model.ts'
import type { PlatformEvent } from '../../platform.ts'
import type { SpeechRecognition, SpeechSessionOptions } from '../../speech/recognition.ts'
import { createWireRoster } from '../../wire/wire-roster.ts'
import type { PageSession } from '../page-session.ts'
import { createPageStateTracker } from '../page-state.ts'
import { createSpeechListener } from '../speech-listener.ts'
import { SESSION_TIMEOUTS } from '../timeouts.ts'
import { createKeepCaptionsOnTask } from './keep-captions-on.ts'

const CALL = { leaveButton: '', chatButton: '', captionsButton: '' }

/** A call without a browser. `act` is the effect on the page when captions are turned on. */
function openCall(
  parts: Record<string, string>,
  act: (show: (parts: Record<string, string>) => void) => boolean = () => false,
  recognition?: SpeechRecognition,
  { appearsOnlyWithSpeech = false, turnOnAgain = null as (() => Promise<boolean>) | null } = {},
) {
  const clock = { now: 0 }
  const heard = { at: -Infinity }
  const pageState = createPageStateTracker(GOOGLE_MEET_PAGE_MODEL)
  const events: PlatformEvent[] = []
  let attempts = 0
  const show = (next: Record<string, string>, words = '') => {
    const address = 'https://meet.google.com/abc-defg-hij'
    const observation = { address, language: 'en', words, parts: next, found: {}, count: null }
    pageState.update(observation, clock.now)
  }
  pageState.setContext({ phase: 'inside' }, 0)
  show(parts)
  const emit = (event: PlatformEvent) => void events.push(event)
  const now = () => clock.now
  const session = {
    speech: createSpeechListener({
      recognition,
      mode: 'fallback',
      language: null,
      platformTitle: 'Google Meet',
      reader: { roster: createWireRoster(), read: () => ({}) },
      idPrefix: 'session',
      wasAdmittedBefore: false,
      setHearing: async () => true,
      timeouts: SESSION_TIMEOUTS,
      spokenLanguage: () => null,
      emit,
      now,
    }),
    captionLanguage: { isWrong: false },
    platform: {
      title: 'Google Meet',
      captions: {
        turnOn: [() => Promise.resolve((attempts += 1) > 0 && act(show))],
        turnOnAgain,
        appearsOnlyWithSpeech,
        offPart: 'captionsTurnOn',
        onPart: 'captionsTurnOff',
      },
    },
    wasAdmittedBefore: false,
    pageState,
    captionReader: { lastCaptionAt: () => heard.at },
    timeouts: { captionsMs: 120_000, captionsBackMs: 300_000, captionsLostMs: 5_000 },
    now,
    observedAt: () => clock.now,
    emit,
    tryOnPage: (step: string, run: () => Promise<boolean>) =>
      step === 'disable low power' ? Promise.resolve(true) : run(),
    movePointer: () => Promise.resolve(true),
  }
  const runTask = createKeepCaptionsOnTask(session as unknown as PageSession)
  return {
    show,
    hear: () => void (heard.at = clock.now),
    events,
    attempts: () => attempts,
    /** Runs the task once a second, and returns how it ended. */
    async runFor(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        const end = await runTask()
        if (end !== null) return end
        clock.now += 1_000
      }
      return null
    },
  }
}

test('captions are turned on although the page has an empty caption area', async () => {
  const off = { ...CALL, captionsRegion: '', captionsTurnOn: '' }
  const call = openCall(off, (show) => {
    show({ ...CALL, captionsRegion: '', captionsTurnOff: '' })
    return true
  })
  assert.equal(await call.runFor(600), null)
  assert.equal(call.attempts(), 1)
})

test('an empty caption area whose button stays off ends the visit with captions_unavailable', async () => {
  const call = openCall({ ...CALL, captionsRegion: '', captionsTurnOn: '' }, () => true)
  const end = await call.runFor(600)
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'captions_unavailable' })
  assert.match((end as { detail: string }).detail, /turned on.*cannot recognize speech$/)
  assert.ok(call.attempts() > 3)
})

test('captions that the button says are on are left alone, however long nobody speaks', async () => {
  const call = openCall({ ...CALL, captionsRegion: '', captionsTurnOff: '' })
  assert.equal(await call.runFor(600), null)
  assert.equal(call.attempts(), 0)
})

test('a call without captions goes on with recognized speech, from the moment when they were missing', async () => {
  let session: SpeechSessionOptions | null = null
  const recognition: SpeechRecognition = {
    findObstacle: async () => null,
    openSession(options) {
      session = options
      return {
        addSound: () => undefined,
        endVoice: () => undefined,
        isBusy: () => false,
        finish: async () => undefined,
        [Symbol.asyncDispose]: async () => undefined,
      }
    },
  }
  const call = openCall({ ...CALL, captionsTurnOn: '' }, () => false, recognition)
  assert.equal(await call.runFor(5), null)
  const said = { voice: 'track:1', startedAt: 1_000, endedAt: 3_000, incompleteReason: null }
  session!.onUtterance({ ...said, text: 'Before it was clear.' })
  assert.equal(call.events.length, 0)
  assert.equal(await call.runFor(600), null)
  session!.onUtterance({ ...said, text: 'And after.' })
  assert.deepEqual(
    call.events.map((event) => (event.kind === 'caption' ? event.text : event.kind)),
    ['caption problem', 'Before it was clear.', 'And after.'],
  )
})

test('captions of a page that shows them only with speech are turned on again until words prove them', async () => {
  let again = 0
  const turnOnAgain = async () => (again += 1) > 0
  // The page ignores the first action, or a participant turns captions off before the bot has seen them.
  const options = { appearsOnlyWithSpeech: true, turnOnAgain }
  const call = openCall(CALL, () => true, undefined, options)
  assert.equal(await call.runFor(31), null)
  assert.deepEqual([call.attempts(), again], [1, 3])
  call.hear()
  call.show({ ...CALL, captionsRegion: '' })
  assert.equal(await call.runFor(600), null)
  assert.deepEqual([call.attempts(), again], [1, 3])
})
