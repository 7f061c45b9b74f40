import { setNewest } from '../../../lib/newest-entries.ts'
import type { TrackSound } from '../bridge/messages.ts'
import type { PlatformEvent } from '../platform.ts'
import {
  type RecognizedUtterance,
  type SpeechLoss,
  type SpeechRecognition,
  type SpeechSession,
  toSpeechLostEvent,
  toUtteranceCaption,
} from '../speech/recognition.ts'
import type { SpeechMode } from '../speech/speech-mode.ts'
import { createVoiceAssigner, type VoiceAssigner } from '../speech/voice-assigner.ts'
import type { WireReader } from '../wire/wire-types.ts'
import { createSpeechSwitch, type CaptionsStatus, type SpeechTimeouts } from './speech-switch.ts'

/** Recognizes what participants say, and records it where captions are missing. */
export interface SpeechListener {
  /** Call this when the bot is in the call. */
  start(): Promise<void>
  /** Decides again whether captions or speech are recorded. */
  update(captions: CaptionsStatus): Promise<void>
  addSound(sound: TrackSound, heardAt: number): void
  /** True if speech is recorded instead of captions. */
  isRecording(): boolean
  /** True if speech is recorded, or will be if captions stay away. */
  isAvailable(): boolean
  /** True if the bot records only speech and so needs no captions. */
  needsNoCaptions(): boolean
  /** Why speech cannot be recognized, as a sentence for people; null if it can, or if it is not wanted. */
  obstacle(): string | null
  /** Stops listening and emits the last words. This takes a while on a machine that is behind. */
  finish(): Promise<void>
}

type Parts = {
  recognition?: SpeechRecognition | undefined
  mode: SpeechMode
  language: string | null
  /** Shown to people, such as `Google Meet`. */
  platformTitle: string
  reader: WireReader
  /** Makes caption ids unique across the sessions of a visit. */
  idPrefix: string
  /** True if an earlier session or bot was in the call, so that a gap is open. */
  wasAdmittedBefore: boolean
  /** Makes the page send or stop sending participants' sound; false if the page did not accept it. */
  setHearing(isOn: boolean): Promise<boolean>
  timeouts: SpeechTimeouts
  /** The language that the participants speak, if the platform says it. */
  spokenLanguage(): string | null
  emit(event: PlatformEvent): void
  now(): number
}

/** Fewer utterances are said while captions may be missing. */
const MAX_HELD = 200
const OBSTACLE_CHECK_MS = 10_000
const NOT_INSTALLED = 'This instance cannot recognize speech'

/** Fewer voices speak while one of them is recognized. */
const MAX_VOICES = 200

export function createSpeechListener(parts: Parts): SpeechListener {
  const { recognition, mode, reader, emit, now } = parts
  const voices = createVoiceAssigner({
    speakerIdOfSource: (source) => reader.speakerIdOfSource?.(source) ?? null,
  })
  const names = createVoiceNames(reader, voices)
  const obstacles = createObstacleCheck(parts)
  const speechSwitch = mode === 'off' ? null : createSpeechSwitch(mode, parts.timeouts)
  let session: SpeechSession | null = null
  let held: RecognizedUtterance[] = []
  let isHearing = false
  let hearingSince = -Infinity
  let lastSoundAt = -Infinity
  let captionCount = 0
  let reported = new Set<string>()
  let isGapOpen = parts.wasAdmittedBefore
  /** Since when captions are missing or unusable; otherwise Infinity. */
  let wantedSince = Infinity

  function emitUtterance(utterance: RecognizedUtterance): void {
    const captionId = `${parts.idPrefix}/speech-${++captionCount}`
    const speaker = names.nameOf(utterance.voice)
    emit({ kind: 'caption', ...toUtteranceCaption(utterance, { captionId, speaker, now: now() }) })
  }
  function onUtterance(utterance: RecognizedUtterance): void {
    if (speechSwitch?.state() === 'active') emitUtterance(utterance)
    else if (speechSwitch?.state() === 'standby') held = [...held, utterance].slice(-MAX_HELD)
  }
  function report(code: 'speech_used' | 'speech_unavailable', detail: string) {
    if (reported.has(`${code} ${detail}`)) return
    reported = new Set([...reported, `${code} ${detail}`].slice(-100))
    emit({ kind: 'caption problem', code, detail })
  }
  function onLoss(loss: SpeechLoss): void {
    if (speechSwitch?.state() === 'active') emit(toSpeechLostEvent(loss, now()))
  }
  function onDelay(behindMs: number): void {
    const isRecorded = speechSwitch?.state() === 'active'
    if (isRecorded || behindMs === 0) emit({ kind: 'speech delay', behindMs })
  }
  function openSession(): void {
    const language = parts.language ?? parts.spokenLanguage()
    session ??= recognition?.openSession({ language, onUtterance, onLoss, onDelay }) ?? null
  }
  async function setHearing(isOn: boolean): Promise<void> {
    if (isHearing === isOn) return
    isHearing = isOn
    if (isOn) {
      openSession()
      hearingSince = now()
    }
    await parts.setHearing(isOn)
  }
  function becomeActive(detail: string): void {
    if (mode !== 'always') report('speech_used', detail)
    if (isGapOpen) emit({ kind: 'captions back', sinceMs: now() - hearingSince })
    isGapOpen = false
    for (const utterance of held) emitUtterance(utterance)
    held = []
  }
  return {
    async start() {
      if (speechSwitch !== null) await obstacles.check()
    },
    async update(captions) {
      if (speechSwitch === null) return
      const before = speechSwitch.state()
      const { areOn, areProven, areInWrongLanguage } = captions
      const wantsSpeech = mode === 'always' || !areOn || !areProven || areInWrongLanguage
      if (before === 'off' && wantsSpeech) await obstacles.check()
      wantedSince = wantsSpeech ? Math.min(wantedSince, now()) : Infinity
      const obstacle = obstacles.latest()
      if (before === 'off' && obstacle !== null) {
        const isLate = now() - wantedSince >= parts.timeouts.firstCaptionsMs
        if (isLate) report('speech_unavailable', obstacle)
        return
      }
      const isBusy = session?.isBusy() ?? false
      const heldSince = held[0]?.endedAt ?? Infinity
      const state = speechSwitch.update(captions, { isBusy, lastSoundAt, heldSince }, now())
      if (state === before) return
      await setHearing(state !== 'off')
      if (state === 'active') becomeActive(describeUse(captions, parts.platformTitle))
      // A caption that is recorded again needs no gap before it.
      if (before === 'active') emit({ kind: 'captions back' })
      if (state === 'off') held = []
    },
    addSound(sound, heardAt) {
      if (!isHearing || session === null) return
      lastSoundAt = now()
      for (const piece of voices.addPiece(sound, heardAt - sound.ageMs)) {
        if (names.isBot(piece.voice)) continue
        names.noteSound(piece.voice)
        if (piece.kind === 'end') session.endVoice(piece.voice)
        else session.addSound(piece)
      }
    },
    isRecording: () => speechSwitch?.state() === 'active',
    isAvailable: () => speechSwitch !== null && obstacles.latest() === null,
    needsNoCaptions: () => mode === 'always' && obstacles.latest() === null,
    obstacle: () => (speechSwitch === null ? null : obstacles.latest()),
    async finish() {
      const wasHearing = isHearing
      isHearing = false
      if (wasHearing) await session?.finish()
      // Captions did not return before the end, so only speech has these words.
      if (speechSwitch?.state() === 'standby') held.forEach(emitUtterance)
      await session?.[Symbol.asyncDispose]()
    },
  }
}

/** Checks from time to time why speech cannot be recognized, because an administrator may have changed that. */
function createObstacleCheck({ recognition, language, spokenLanguage, now }: Parts) {
  let obstacle: string | null = NOT_INSTALLED
  let checkedAt = -Infinity
  return {
    async check(): Promise<void> {
      if (recognition === undefined || now() - checkedAt < OBSTACLE_CHECK_MS) return
      checkedAt = now()
      obstacle = await recognition.findObstacle(language ?? spokenLanguage())
    },
    latest: () => obstacle,
  }
}

/** Tells people why the bot recognizes speech. */
function describeUse({ areInWrongLanguage }: CaptionsStatus, platformTitle: string): string {
  const why = areInWrongLanguage
    ? `The captions of ${platformTitle} are in another language.`
    : `${platformTitle} shows no captions.`
  return `${why} Hansard recognizes the speech itself`
}

/** Names voices by the wire's roster. */
function createVoiceNames(
  { roster }: Pick<WireReader, 'roster'>,
  { participantOf }: Pick<VoiceAssigner, 'participantOf'>,
) {
  /** By voice: the only participant besides the bot while the voice spoke. */
  const onlyNames = new Map<string, string>()
  return {
    /** If a voice has no participant, notes who can have it now. */
    noteSound(voice: string): void {
      if (onlyNames.has(voice) || participantOf(voice) !== null) return
      const [only, ...others] = roster.presentParticipants()
      setNewest(onlyNames, voice, others.length === 0 ? (only?.name ?? '') : '', MAX_VOICES)
    },
    /** The speaker's name; empty if it is unknown. */
    nameOf(voice: string): string {
      const id = participantOf(voice)
      return id === null ? (onlyNames.get(voice) ?? '') : (roster.nameOf(id) ?? '')
    },
    isBot(voice: string): boolean {
      const id = participantOf(voice)
      return id !== null && roster.isSelf(id)
    },
  }
}
