import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPageBridge } from '../../src/bots/platforms/bridge/bridge.ts'
import type { TrackSound } from '../../src/bots/platforms/bridge/messages.ts'
import { toPageWatcherConfig } from '../../src/bots/platforms/bridge/watch-config.ts'
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
  openStageBrowser,
  type StageBrowser,
} from '../stage/stage-browser.ts'
import { createSingleBrowserPool } from '../support/browser/single-browser-pool.ts'
import { speakTones } from '../support/speech/tone-language.ts'
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

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openStageBrowser()
})
after(() => stageBrowser[Symbol.asyncDispose]())

/** A page in the call with two participants, and what it hears of them. */
async function openCall(platform: typeof MEET | typeof TEAMS, knobs: KnobSettings = {}) {
  const { stage, browser } = stageBrowser
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
    /** Waits for as many utterances, and returns them. */
    async takeUtterances(count: number) {
      await waitFor(() => (utterances.length >= count && !session.isBusy() ? true : null))
      return utterances.splice(0).toSorted(([a], [b]) => (a < b ? -1 : 1))
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** What a page could notice of our scripts. */
function readTraces(page: Page) {
  return page.evaluate(
    `[Object.getOwnPropertyNames(window).filter((name) => /^h\\w{24}$/.test(name)).length, document.querySelectorAll('audio').length]`,
  )
}

test('each speaker of a Google Meet call is heard under its own name, although they share tracks', async () => {
  await using call = await openCall(MEET)
  const { meeting, bridge, sounds, takeUtterances } = call
  await meeting.speak('ana', speakTones('papa papa'))
  assert.equal(sounds.length, 0, 'hearing is off at first')

  await bridge.setHearing(true)
  await meeting.speak('ana', speakTones('alpha bravo'))
  assert.deepEqual(await takeUtterances(1), [[MEET.ana, 'alpha bravo']])
  await Promise.all([
    meeting.speak('ben', speakTones('charlie delta echo')),
    meeting.speak('ana', speakTones('foxtrot golf hotel')),
  ])
  assert.deepEqual(await takeUtterances(2), [
    [MEET.ana, 'foxtrot golf hotel'],
    [MEET.ben, 'charlie delta echo'],
  ])
  // Ana and Ben have both been heard on the first track.
  const sources = sounds.filter(({ track }) => track === 1).map((sound) => sound.sources[0])
  assert.deepEqual([...new Set(sources)], [1_001, 1_002])

  meeting.setTracksLost(true)
  meeting.setTracksLost(false)
  await meeting.speak('ben', speakTones('india juliet', { amplitude: 3 }))
  assert.deepEqual(await takeUtterances(1), [[MEET.ben, 'india juliet']])
  assert.equal(sounds.at(-1)?.track, 4)
  for (const { samples } of sounds) assert.ok(samples.length <= 3_200)

  await bridge.setHearing(false)
  const before = sounds.length
  await meeting.speak('ana', speakTones('papa papa'))
  assert.equal(sounds.length, before)
  await bridge.setHearing(true)
  await meeting.speak('ana', speakTones('kilo lima'))
  assert.deepEqual(await takeUtterances(1), [[MEET.ana, 'kilo lima']])
  assert.deepEqual(await readTraces(call.page), [0, 3])
  assert.deepEqual(call.errors, [])
})

test('the speakers of a Microsoft Teams call are told apart in the one track that mixes them', async () => {
  await using call = await openCall(TEAMS)
  const { meeting, bridge, sounds, takeUtterances } = call
  await bridge.setHearing(true)
  await meeting.speak('ana', speakTones('alpha bravo charlie'))
  await meeting.speak('ben', speakTones('delta echo foxtrot'))
  assert.deepEqual(await takeUtterances(2), [
    [TEAMS.ana, 'alpha bravo charlie'],
    [TEAMS.ben, 'delta echo foxtrot'],
  ])
  meeting.setTracksLost(true)
  meeting.setTracksLost(false)
  await meeting.speak('ben', speakTones('golf hotel', { sampleRate: 8_000 }))
  assert.deepEqual(await takeUtterances(1), [[TEAMS.ben, 'golf hotel']])
  assert.deepEqual([...new Set(sounds.map(({ track }) => track))], [1, 2])
  assert.deepEqual(call.errors, [])
})

test('telephone sound is heard in a page that plays nothing', async () => {
  await using call = await openCall(MEET, { audioCodec: 'pcmu', hasAudioElements: false })
  await call.bridge.setHearing(true)
  // The first words are lost until the browser produces sound, so the test repeats them.
  await waitFor(async () => {
    await call.meeting.speak('ben', speakTones('mike november oscar'))
    return call.sounds.length > 0 ? true : null
  })
  await call.takeUtterances(1)
  await call.meeting.speak('ben', speakTones('mike november oscar'))
  assert.deepEqual(await call.takeUtterances(1), [[MEET.ben, 'mike november oscar']])
  assert.deepEqual(await readTraces(call.page), [0, 0])
  assert.deepEqual(call.errors, [])
})
