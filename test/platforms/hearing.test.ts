import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPageBridge } from '../../src/bots/platforms/bridge/bridge.ts'
import { toPageWatcherConfig } from '../../src/bots/platforms/bridge/build-scripts.ts'
import type { TrackSound } from '../../src/bots/platforms/bridge/messages.ts'
import { GOOGLE_MEET_PAGE_MODEL } from '../../src/bots/platforms/google-meet/page-model.ts'
import {
  createGoogleMeetWireReader,
  GOOGLE_MEET_TRAFFIC_FILTER,
} from '../../src/bots/platforms/google-meet/wire/wire-reader.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../../src/bots/platforms/microsoft-teams/page-model.ts'
import {
  createMicrosoftTeamsWireReader,
  MICROSOFT_TEAMS_TRAFFIC_FILTER,
} from '../../src/bots/platforms/microsoft-teams/wire/wire-reader.ts'
import type { JoinRequest } from '../../src/bots/platforms/platform.ts'
import { createVoiceAssigner } from '../../src/bots/platforms/speech/voice-assigner.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import {
  admitGuests,
  askToJoinMeet,
  askToJoinTeams,
  CAST,
  newMeetUrl,
  newTeamsUrl,
  openSharedStageBrowser,
} from '../stage/stage-browser.ts'
import { createSingleBrowserPool } from '../support/browser/single-browser-pool.ts'
import { speakTones, type ToneOptions } from '../support/speech/tone-language.ts'
import { createToneRecognition } from '../support/speech/tone-recognition.ts'
import { waitFor } from './stage-run.ts'

const MEET = {
  address: newMeetUrl,
  askToJoin: askToJoinMeet,
  pageModel: GOOGLE_MEET_PAGE_MODEL,
  trafficFilter: GOOGLE_MEET_TRAFFIC_FILTER,
  createWireReader: createGoogleMeetWireReader,
  ana: 'participant:spaces/stage/devices/1',
  ben: 'participant:spaces/stage/devices/2',
}
const TEAMS = {
  address: newTeamsUrl,
  askToJoin: askToJoinTeams,
  pageModel: MICROSOFT_TEAMS_PAGE_MODEL,
  trafficFilter: MICROSOFT_TEAMS_TRAFFIC_FILTER,
  createWireReader: () =>
    createMicrosoftTeamsWireReader({ displayName: 'Notes Bot' } as JoinRequest),
  ana: 'participant:8:orgid:00000001-5eed-4000-8000-000000000000',
  ben: 'participant:8:orgid:00000002-5eed-4000-8000-000000000000',
}

/** If no word was heard for this long, participants speak again. */
const REPEAT_MS = 5_000

type Spoken = [id: 'ana' | 'ben', text: string, options?: ToneOptions]

/** A page in the call with two participants, and what it hears from them. */
async function openCall(platform: typeof MEET | typeof TEAMS, knobs: KnobSettings = {}) {
  const { stage, browser } = await openSharedStageBrowser()
  const address = platform.address()
  const meeting = stage.open(address, { cast: CAST, knobs: { hasSound: true, ...knobs } })
  const pool = createSingleBrowserPool(browser, { initScript: stage.initScript })
  const mediaOrigins = [new URL(address).origin]
  const slot = await pool.acquire({ locale: 'en-US', mediaOrigins }, new AbortController().signal)
  const reader = platform.createWireReader()
  const sounds: TrackSound[] = []
  const errors: string[] = []
  const utterances: Array<[voice: string, text: string]> = []
  const assigner = createVoiceAssigner(reader)
  const session = createToneRecognition().openSession({
    language: null,
    onUtterance: ({ voice, text }) => utterances.push([voice, text]),
    onLoss: () => undefined,
  })
  const bridge = await openPageBridge(slot, {
    trafficFilter: platform.trafficFilter,
    watchConfig: toPageWatcherConfig(platform.pageModel, 200),
    onMessage(message, sentAt) {
      if (message.kind === 'traffic') reader.read(message.traffic)
      if (message.kind === 'error') errors.push(message.text)
      if (message.kind !== 'sound') return
      sounds.push(message.sound)
      for (const output of assigner.addPiece(message.sound, sentAt - message.sound.ageMs)) {
        if (output.kind === 'sound') session.addSound(output)
        else session.endVoice(output.voice)
      }
    },
  })
  slot.page.on('pageerror', ({ message }) => errors.push(message))
  await slot.page.goto(address, { waitUntil: 'commit' })
  await platform.askToJoin(slot.page)
  await admitGuests(meeting)
  return {
    meeting,
    bridge,
    page: slot.page,
    sounds,
    errors,
    /**
     * Lets participants speak repeatedly until all of them were understood, because a busy machine may interrupt sound.
     * No word may ever be heard from another voice.
     */
    async hear(said: readonly Spoken[], { isInTurn = false } = {}) {
      const speak = ([id, ...tones]: Spoken) => meeting.speak(id, speakTones(...tones))
      await waitFor(async () => {
        if (isInTurn) for (const one of said) await speak(one)
        else await Promise.all(said.map(speak))
        const repeatAt = performance.now() + REPEAT_MS
        const isDone = () =>
          (utterances.length > 0 && !session.isBusy()) || performance.now() > repeatAt
        await waitFor(() => (isDone() ? true : null))
        const heard = utterances.splice(0)
        for (const [voice, text] of heard) {
          const own = said.flatMap(([id, words]) =>
            platform[id] === voice ? words.split(' ') : [],
          )
          assert.deepEqual(new Set(text.split(' ')).difference(new Set(own)), new Set(), voice)
        }
        const isHeard = said.every(([id, text]) =>
          heard.some(([voice, words]) => voice === platform[id] && words === text),
        )
        return isHeard ? true : null
      })
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Traces of our scripts that a page could notice. */
function readTraces(page: Page) {
  return page.evaluate(
    `[Object.getOwnPropertyNames(window).filter((name) => /^h\\w{24}$/.test(name)).length, document.querySelectorAll('audio').length]`,
  )
}

test('each speaker of a Google Meet call is heard under its own name, although they share tracks', async () => {
  await using call = await openCall(MEET)
  const { meeting, bridge, sounds, hear } = call
  await meeting.speak('ana', speakTones('papa oscar', { silenceMs: 1_000 }))
  assert.equal(sounds.length, 0, 'hearing is off at first')

  await bridge.setHearing(true)
  await hear([['ana', 'alpha bravo']])
  await hear([
    ['ben', 'charlie delta echo'],
    ['ana', 'foxtrot golf hotel'],
  ])
  // Ana and Ben have both been heard on the first track.
  const sources = sounds.filter(({ track }) => track === 1).map((sound) => sound.sources[0])
  assert.deepEqual([...new Set(sources)], [1_001, 1_002])
  for (const { samples } of sounds) assert.ok(samples.length <= 3_200)

  meeting.setTracksLost(true)
  meeting.setTracksLost(false)
  await bridge.setHearing(false)
  await bridge.setHearing(true)
  await hear([['ben', 'india juliet', { amplitude: 3 }]])
  assert.equal(sounds.at(-1)?.track, 4)

  await bridge.setHearing(false)
  const before = sounds.length
  await meeting.speak('ana', speakTones('papa oscar'))
  assert.equal(sounds.length, before)
  assert.deepEqual(await readTraces(call.page), [0, 3])
  assert.deepEqual(call.errors, [])
})

test('the speakers of a Microsoft Teams call are told apart in the one track that mixes them', async () => {
  await using call = await openCall(TEAMS)
  const { meeting, bridge, sounds, hear } = call
  await bridge.setHearing(true)
  // Ben begins soon after Ana, so that no silence separates the two.
  const turns: Spoken[] = [
    ['ana', 'alpha bravo charlie', { silenceMs: 250 }],
    ['ben', 'delta echo foxtrot'],
  ]
  await hear(turns, { isInTurn: true })
  meeting.setTracksLost(true)
  meeting.setTracksLost(false)
  await hear([['ben', 'golf hotel', { sampleRate: 8_000 }]])
  assert.deepEqual([...new Set(sounds.map(({ track }) => track))], [1, 2])
  assert.deepEqual(call.errors, [])
})

test('telephone sound is heard in a page that plays nothing', async () => {
  await using call = await openCall(MEET, { audioCodec: 'pcmu', hasAudioElements: false })
  await call.bridge.setHearing(true)
  await call.hear([['ben', 'mike november oscar']])
  assert.deepEqual(await readTraces(call.page), [0, 0])
  assert.deepEqual(call.errors, [])
})
