import { setNewest } from '../../../lib/newest-entries.ts'
import { SPEECH_SAMPLE_RATE, type VoiceSound } from './recognition.ts'

/** A piece of the sound of one audio track. */
export type TrackPiece = {
  track: number
  /** The contributing sources, the dominant one first. */
  sources: readonly number[]
  samples: Int16Array
  /** True if the track is silent after this piece. */
  isEnd: boolean
}

export type VoiceOutput = ({ kind: 'sound' } & VoiceSound) | { kind: 'end'; voice: string }

/** Turns the sound of audio tracks into the sound of voices. On some platforms, all speakers share a few tracks. */
export type VoiceAssigner = ReturnType<typeof createVoiceAssigner>

/** A source that is dominant for a shorter time does not end another source's utterance. */
const MIN_DOMINANCE_MS = 300
/** If the earlier source is dominant again for this long, the other one was dominant only for a moment. */
const MIN_RETURN_MS = 200
/** How much of an utterance's beginning waits for its source. It starts with 400 ms of silence. */
const MAX_SOURCE_WAIT_MS = 800
/** A track that has no sound for this long no longer carries its voice. */
const STALE_MS = 1_000
/** No page has this many tracks. The ones that were silent longest are dropped first. */
const MAX_TRACKS = 500

type HeldSound = { startsAt: number; samples: Int16Array }
type TrackState = {
  track: number
  /** The voice of the current utterance; null while the track is silent. Stays the same when its name becomes known. */
  voice: string | null
  source: number | null
  /** Another source that became dominant, but not for long enough yet. */
  candidate: number | null
  /** How long the candidate was dominant, and how long the current source was dominant since then. */
  candidateMs: number
  returnMs: number
  /** Sound whose voice is not decided yet. */
  held: HeldSound[]
  /** True if the track is expected to name the sources of its sound. */
  expectsSource: boolean
  /** True if sound of the current voice was passed on. False while another track carries the same voice. */
  isHeard: boolean
  endsAt: number
}

/** No meeting has this many voices at the same time. */
const MAX_LEARNED = 500

export function createVoiceAssigner({
  speakerIdOfSource = () => null,
}: {
  /** The participant of a source; null while unknown. */
  speakerIdOfSource?: ((source: number) => string | null) | undefined
} = {}) {
  const states = new Map<number, TrackState>()
  const identities = createVoiceIdentities(speakerIdOfSource)
  const { identify, learnSource } = identities

  function isSameVoice(a: number | null, b: number | null): boolean {
    return a !== null && b !== null && identify(a) === identify(b)
  }
  function stateOf(track: number): TrackState {
    const state = states.get(track) ?? createTrackState(track)
    setNewest(states, track, state, MAX_TRACKS)
    return state
  }
  function begin(state: TrackState, source: number | null): void {
    state.voice = source === null ? identities.createUnknown(state.track) : identify(source)
    state.source = source
    state.candidate = null
    state.isHeard = false
  }
  function end(state: TrackState): VoiceOutput[] {
    const { voice, isHeard } = state
    state.voice = null
    state.candidate = null
    return voice !== null && isHeard ? [{ kind: 'end', voice }] : []
  }
  /** Another track that now carries the same voice. */
  function findOtherTrack(state: TrackState): TrackState | undefined {
    return [...states.values()].find(
      (other) =>
        other !== state &&
        other.isHeard &&
        other.voice !== null &&
        state.endsAt - other.endsAt < STALE_MS &&
        isSameVoice(other.source, state.source),
    )
  }
  /** Passes on the held sound as the current voice, unless another track already carries that voice. */
  function passHeld(state: TrackState, sounds = state.held.splice(0)): VoiceOutput[] {
    const { voice } = state
    if (voice === null || sounds.length === 0) return []
    const output: VoiceOutput[] = []
    const other = state.isHeard ? undefined : findOtherTrack(state)
    if (other !== undefined) {
      if (other.candidate === null) return []
      // The voice has moved from the other track to this one, so the other track has a new voice.
      begin(other, other.candidate)
      output.push(...passHeld(other))
    }
    state.isHeard = true
    output.push(...sounds.map((sound) => ({ kind: 'sound' as const, voice, ...sound })))
    return output
  }
  function startUtterance(state: TrackState, source: number | null, isEnd: boolean): VoiceOutput[] {
    const mayWait = state.expectsSource && !isEnd && durationMs(state.held) < MAX_SOURCE_WAIT_MS
    if (source === null && mayWait) return []
    state.expectsSource = source !== null
    begin(state, source)
    return passHeld(state)
  }
  /** Called if the current voice's source is dominant, or if no source is named. */
  function continueVoice(state: TrackState, source: number | null, ms: number): VoiceOutput[] {
    state.source ??= source
    state.returnMs += ms
    if (state.candidate !== null && state.returnMs < MIN_RETURN_MS) return []
    state.candidate = null
    return passHeld(state)
  }
  /** Called if another source than the current voice's is dominant. */
  function considerSource(state: TrackState, source: number, ms: number): VoiceOutput[] {
    const output: VoiceOutput[] = []
    if (!isSameVoice(state.candidate, source)) {
      output.push(...passHeld(state, state.held.splice(0, state.held.length - 1)))
      Object.assign(state, { candidate: source, candidateMs: 0, returnMs: 0 })
    }
    state.candidateMs += ms
    if (state.candidateMs < MIN_DOMINANCE_MS) return output
    output.push(...end(state))
    begin(state, source)
    return [...output, ...passHeld(state)]
  }

  return {
    /** `startsAt` is when the first sample was heard. */
    addPiece({ track, sources, samples, isEnd }: TrackPiece, startsAt: number): VoiceOutput[] {
      const state = stateOf(track)
      const source = sources[0] ?? null
      if (samples.length > 0) state.held.push({ startsAt, samples })
      const ms = durationMs([{ samples }])
      state.endsAt = startsAt + ms
      const output: VoiceOutput[] = []
      if (state.source === null && source !== null) learnSource(state.voice, source)
      if (state.voice === null) output.push(...startUtterance(state, source, isEnd))
      else if (source === null || state.source === null || isSameVoice(source, state.source))
        output.push(...continueVoice(state, source, ms))
      else output.push(...considerSource(state, source, ms))
      if (isEnd) output.push(...passHeld(state), ...end(state))
      return output
    },
    /** The participant of a voice, even if it became known only after the voice began; null while unknown. */
    participantOf: identities.participantOf,
  }
}

function createTrackState(track: number): TrackState {
  return {
    track,
    voice: null,
    source: null,
    candidate: null,
    candidateMs: 0,
    returnMs: 0,
    held: [],
    expectsSource: true,
    isHeard: false,
    endsAt: -Infinity,
  }
}

function durationMs(sounds: ReadonlyArray<{ samples: Int16Array }>): number {
  const samples = sounds.reduce((sum, sound) => sum + sound.samples.length, 0)
  return (samples * 1_000) / SPEECH_SAMPLE_RATE
}

/**
 * The ids of voices: `participant:` with the id on the wire, `source:` with a contributing source that has no
 * participant yet, or `track:` with the track and a number if the sound has no source.
 */
function createVoiceIdentities(speakerIdOfSource: (source: number) => string | null) {
  /** The sources of voices that began without one. */
  const learnedSources = new Map<string, number>()
  let unknownVoices = 0
  return {
    identify(source: number): string {
      const speakerId = speakerIdOfSource(source)
      return speakerId === null ? `source:${source}` : `participant:${speakerId}`
    },
    createUnknown: (track: number): string => `track:${track}/${++unknownVoices}`,
    learnSource(voice: string | null, source: number): void {
      if (voice !== null) setNewest(learnedSources, voice, source, MAX_LEARNED)
    },
    /** The participant of a voice; null while unknown. */
    participantOf(voice: string): string | null {
      const [, kind, id = ''] = /^(participant|source|track):(.*)$/s.exec(voice) ?? []
      if (kind === 'participant') return id
      const source = kind === 'source' ? Number(id) : learnedSources.get(voice)
      return source === undefined ? null : speakerIdOfSource(source)
    },
  }
}
