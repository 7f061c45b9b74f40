import type { BrowserPool, BrowserSlot } from '../../../src/bots/browser/pool/browser-slot.ts'
import { createGoogleMeet } from '../../../src/bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import type { Platform } from '../../../src/bots/platforms/platform.ts'
import { extractWordKeys } from '../../../src/lib/text/words.ts'
import { createLog } from '../../../src/log.ts'
import type { ConnectedPage } from '../../../stage/meeting/connected-page.ts'
import type { StagedMeeting } from '../../../stage/meeting/staged-meeting.ts'
import { openStage } from '../../../stage/stage.ts'
import { openTestPool, stageNetworkOptions } from '../../browser/open-test-pool.ts'
import { newMeetUrl, newTeamsUrl } from '../../stage/stage-browser.ts'
import { findBrowserProcess } from '../browser/browser-process.ts'
import { eventually } from '../time/eventually.ts'

const PARTICIPANTS = 60
const PRESENT_AT_ONCE = 20
/** A bot that knows that captions are off turns them on within this time. */
const ASSUMED_ON_MS = 30_000
const WAIT_MS = 150_000
/** In seconds of the meeting. No one speaks, so that the bot can return from the page to the wire. */
const BREAK_SECONDS = 300
/** In real seconds. After the page has turned captions on, a bot may take this long to read them. */
const READY_SECONDS = 2

/** What happens in the meeting, by the share of sentences spoken before it. */
const HAPPENINGS = {
  captionsOff: 0.15,
  wireLost: 0.3,
  wireBack: 0.5,
  browserKilled: 0.7,
} as const
type Happening = keyof typeof HAPPENINGS

/** Both platforms, with the keys that toggle captions. */
const PLATFORMS = {
  google_meet: { create: createGoogleMeet, address: newMeetUrl, captionKeys: 'c' },
  microsoft_teams: {
    create: createMicrosoftTeams,
    address: newTeamsUrl,
    captionKeys: 'Alt+Shift+C',
  },
} as const

export type LongMeetingOptions = {
  platform: keyof typeof PLATFORMS
  minutes: number
  secondsPerSentence: number
  /** How much faster than real time the meeting takes place. */
  speed: number
  /** Starts a service with these platforms. */
  openService(platforms: readonly Platform[]): Promise<LongMeetingService>
  /** Called ten times during the meeting, after garbage collection in the page. */
  onSample?(sample: { share: number; pageHeapBytes: number }): void
}

/** A running service. `request` takes a path under /api/v1/meetings and returns the body of the response. */
export type LongMeetingService = AsyncDisposable & {
  request(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>>
}

export type LongMeetingResult = {
  sentences: number
  /** Sentences that were spoken while no browser was in the meeting. */
  spokenInOutage: number
  /** Sentences outside the outage that are missing in the transcript, or have another speaker there. */
  missing: string[]
  /** Sentences that are in the transcript more than once. */
  repeated: string[]
}

type SpokenSentence = { speaker: string; text: string; isInOutage: boolean }
type TranscriptLine = { speaker: string; text: string }

/**
 * One bot in one long meeting: 60 participants join and leave, captions are turned off, the wire loses its captions and
 * gets them back, and the browser is killed once.
 */
export async function runLongMeeting(options: LongMeetingOptions): Promise<LongMeetingResult> {
  const { create, address, captionKeys } = PLATFORMS[options.platform]
  await using stage = await openStage()
  await using pool = watchSlots(await openTestPool(stageNetworkOptions(stage)))
  await using service = await options.openService([create({ pool, log: createLog('silent') })])
  const url = address()
  const cast = Array.from({ length: PARTICIPANTS }, (_, i) => ({
    id: `p${i}`,
    name: `Person ${String(i).padStart(2, '0')}`,
    ...(i === 0 && { isHost: true }),
  }))
  const show = stage.open(url, { cast, knobs: { speed: options.speed, door: 'call' } })
  show.join(...cast.slice(0, PRESENT_AT_ONCE).map(({ id }) => id))
  const start = { url, callbackUrl: 'http://127.0.0.1:9/hook' }
  const { meetingId } = await service.request('POST', '/start', start)
  const readTranscript = async () =>
    (await service.request('GET', `/${String(meetingId)}/transcript`))[
      'segments'
    ] as TranscriptLine[]
  const spoken = await speak(options, {
    show,
    readTranscript,
    async pressCaptionKeys() {
      await pool.newest()?.page.keyboard.press(captionKeys)
    },
    killBrowser: async () => {
      const browser = pool.newest()?.context.browser() ?? null
      process.kill(await findBrowserProcess(browser), 'SIGKILL')
    },
    async sample(share) {
      const pageHeapBytes = await readPageHeap(pool.newest())
      options.onSample?.({ share, pageHeapBytes })
    },
  })
  const result = await waitForTranscript(spoken, readTranscript)
  show.end()
  await eventually(async () => {
    const { meeting } = await service.request('GET', `/${String(meetingId)}`)
    return (meeting as { status: string }).status === 'ended' ? true : null
  }, WAIT_MS)
  return result
}

/** Waits until the transcript is complete. Fails with the missing sentences. */
async function waitForTranscript(
  spoken: readonly SpokenSentence[],
  readTranscript: () => Promise<TranscriptLine[]>,
): Promise<LongMeetingResult> {
  let latest: LongMeetingResult | null = null
  let lines: TranscriptLine[] = []
  try {
    return await eventually(async () => {
      lines = await readTranscript()
      latest = compare(spoken, lines)
      return latest.missing.length === 0 ? latest : null
    }, WAIT_MS)
  } catch (error) {
    const why = JSON.stringify({ latest, transcript: lines.slice(-20) })
    throw new Error(`the transcript is not complete: ${why.slice(0, 6_000)}`, { cause: error })
  }
}

type MeetingControls = {
  show: StagedMeeting
  readTranscript(): Promise<TranscriptLine[]>
  pressCaptionKeys(): Promise<void>
  killBrowser(): Promise<void>
  sample(share: number): Promise<void>
}

/** Plays the whole meeting and returns the spoken sentences. */
async function speak(
  { minutes, secondsPerSentence, speed }: LongMeetingOptions,
  controls: MeetingControls,
): Promise<SpokenSentence[]> {
  const { show, readTranscript, sample } = controls
  const count = Math.ceil((minutes * 60) / secondsPerSentence)
  const readySentences = Math.ceil((speed * READY_SECONDS) / secondsPerSentence)
  const spoken: SpokenSentence[] = []
  let first = 0

  /** Lets the next participant speak. After every second sentence, one participant leaves and another joins. */
  async function saySentence(isInOutage: boolean): Promise<void> {
    const number = spoken.length
    const speaker = (first + (number % PRESENT_AT_ONCE)) % PARTICIPANTS
    const text = sentenceOf(number)
    const name = `Person ${String(speaker).padStart(2, '0')}`
    spoken.push({ speaker: name, text, isInOutage })
    const startedAt = show.timers.now()
    await show.say(`p${speaker}`, text)
    if (number % 2 === 1) {
      show.leave(`p${first}`)
      show.join(`p${(first + PRESENT_AT_ONCE) % PARTICIPANTS}`)
      first = (first + 1) % PARTICIPANTS
    }
    await show.timers.sleep(Math.max(0, startedAt + secondsPerSentence * 1_000 - show.timers.now()))
  }
  const happenings: Record<Happening, () => Promise<void>> = {
    async captionsOff() {
      for (const { actions } of show.pages.all) actions.delete('captions on')
      await controls.pressCaptionKeys()
    },
    async wireLost() {
      // Until the page has captions again, only the wire has the spoken words. If captions were turned off before the bot saw
      // any, it takes their absence for silence, and only a person turns them on.
      const areOn = () => (hasCaptions(show) ? true : null)
      await eventually(areOn, ASSUMED_ON_MS).catch(() => controls.pressCaptionKeys())
      await eventually(areOn, WAIT_MS)
      for (let i = 0; i < readySentences; i += 1) await saySentence(false)
      show.setWireCaptionsMuted(true)
    },
    async wireBack() {
      show.setWireCaptionsMuted(false)
      await show.timers.sleep(BREAK_SECONDS * 1_000)
    },
    async browserKilled() {
      // Everything said before the browser dies must have arrived.
      await waitForTranscript(spoken, readTranscript)
      const killed = new Set(show.pages.all)
      await controls.killBrowser()
      const latest = Date.now() + WAIT_MS
      while (!hasCaptions(show, killed)) {
        if (Date.now() > latest) throw new Error('no bot came back after the browser was killed')
        await saySentence(true)
      }
      // The bot reads captions a moment after the page shows them.
      for (let i = 0; i < readySentences; i += 1) await saySentence(true)
    },
  }
  await eventually(() => (hasCaptions(show) ? true : null), WAIT_MS)
  for (let i = 0; i < count; i += 1) {
    for (const [happening, share] of Object.entries(HAPPENINGS) as Array<[Happening, number]>)
      if (i === Math.floor(share * count)) await happenings[happening]()
    if (i % Math.ceil(count / 10) === 0) await sample(i / count)
    await saySentence(false)
  }
  return spoken
}

/**
 * A sentence whose words are in no other sentence. In a compressed meeting, sentences follow each other so fast that
 * equal words of one speaker could not be told apart.
 */
function sentenceOf(number: number): string {
  const nth = String(number + 1_000)
  return `Item${nth} costs${nth} more${nth} than${nth} we${nth} planned${nth} for${nth} it${nth}.`
}

/** True if a page of the meeting, other than these, has turned captions on. */
function hasCaptions(
  { pages }: StagedMeeting,
  others: ReadonlySet<ConnectedPage> = new Set(),
): boolean {
  return pages.all.some((page) => !others.has(page) && page.actions.has('captions on'))
}

function compare(
  spoken: readonly SpokenSentence[],
  lines: readonly TranscriptLine[],
): LongMeetingResult {
  const texts = new Map<string, string>()
  for (const { speaker, text } of lines)
    texts.set(speaker, `${texts.get(speaker) ?? ''} ${extractWordKeys(text).join(' ')} `)
  const timesWritten = ({ speaker, text }: SpokenSentence) =>
    (texts.get(speaker) ?? '').split(extractWordKeys(text).join(' ')).length - 1
  const describe = ({ speaker, text }: SpokenSentence) => `${speaker}: ${text}`
  return {
    sentences: spoken.length,
    spokenInOutage: spoken.filter(({ isInOutage }) => isInOutage).length,
    missing: spoken
      .filter((sentence) => !sentence.isInOutage && timesWritten(sentence) === 0)
      .map(describe),
    repeated: spoken.filter((sentence) => timesWritten(sentence) > 1).map(describe),
  }
}

async function readPageHeap(slot: BrowserSlot | null): Promise<number> {
  if (slot === null) return 0
  await slot.cdpSession.send('HeapProfiler.collectGarbage')
  const { usedSize } = await slot.cdpSession.send('Runtime.getHeapUsage')
  return usedSize
}

/** A pool that remembers the slot that was acquired last. */
function watchSlots(pool: BrowserPool) {
  let newest: BrowserSlot | null = null
  return {
    async acquire(...given: Parameters<BrowserPool['acquire']>) {
      newest = await pool.acquire(...given)
      return newest
    },
    newest: () => newest,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
