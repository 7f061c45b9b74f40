import type { SpeechMode } from './speech/speech-mode.ts'

/** What the service needs from a meeting platform. Platforms know nothing about storage, callbacks or HTTP. */
export interface Platform {
  readonly name: PlatformName
  /** Shown to people, such as `Google Meet`. */
  readonly title: string
  /** Examples of meeting links, for the hint when a link is rejected. */
  readonly linkExamples: readonly string[]
  /** The meeting that a link names; null if the link is not one of this platform. Opens nothing. */
  parseLink(given: string): MeetingLink | null
  /** How many seconds of the meeting pass in one second; 1 by default. Only practice meetings can be faster. */
  speedOf?(link: MeetingLink): number
  /** Joins the meeting and yields events until the meeting ends for the bot or `signal` aborts. */
  attend(joinRequest: JoinRequest, signal: AbortSignal): AsyncIterable<PlatformEvent>
}

export const PLATFORM_NAMES = [
  'google_meet',
  'microsoft_teams',
  'galene',
  'livekit',
  'zoom',
  'practice',
] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]

/** Where a meeting takes place, in one canonical form. */
export type MeetingLink = {
  /** The canonical URL that the bot opens. */
  url: string
  /** Identifies the meeting. It is equal for all links to the same meeting. */
  room: string
  passcode?: string
  /** The default title of a meeting, such as `Google Meet abc-defg-hij`. */
  label: string
}

export type JoinRequest = {
  link: MeetingLink
  /** The name that the bot joins with. */
  displayName: string
  /** BCP 47 language of the captions; null for the platform's default. */
  language: string | null
  /** Name of the bot account to join with; null for a guest. */
  account: string | null
  /** Milliseconds since the first bot of this meeting started; larger than 0 for a bot after a restart. */
  elapsedMs: number
  /** True if an earlier bot of this meeting was in the call. */
  wasAdmittedBefore: boolean
  /** Equal for all bots of one meeting of the service, for platforms that let only one of them read a stream. */
  meetingKey?: string
  /** When the bot itself recognizes speech; absent means never. */
  speech?: SpeechMode
  /** What the bot does with the meeting chat. Without it, the bot neither opens nor reads the chat. */
  chat?: ChatAccess
  /** When the bot joins; absent means now. Until then the platform may prepare, but does not open the meeting. */
  joinTime?: JoinTime
}

export type JoinTime = {
  at: Date
  /** Resolves at that time, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
}

/** How a bot uses the chat of a meeting. */
export type ChatAccess = {
  /** The messages that the bot still has to post. The platform removes each one after posting it. */
  outbox: ChatOutbox
  /** True if participants' messages are read. */
  isRead: boolean
}

export interface ChatOutbox {
  first(): string | undefined
  removeFirst(): void
}

/** A message that a participant wrote in the meeting chat. */
export type ChatMessage = {
  /** The platform's id of the message, or one that the page session created. */
  messageId: string
  /** The author's display name; empty if the platform does not say it. */
  author: string
  text: string
}

export type Participant = { id: string; name: string; isHost?: boolean; isSelf?: boolean }

/** What happens in a meeting, in terms that all platforms share. */
export type PlatformEvent =
  /** The page shows the way into the meeting. If this takes too long, the page is treated as not loaded. */
  | { kind: 'way in' }
  /** The meeting exists, but its host has not started it. `because` replaces `meeting_not_started` if it stays so. */
  | { kind: 'not started'; because?: PlatformEndReason; detail?: string }
  | { kind: 'lobby' }
  | { kind: 'admitted' }
  | ({ kind: 'caption' } & Caption)
  /** All participants who are present now. The first list means that all of them joined. */
  | { kind: 'people'; people: Participant[] }
  /** No captions arrive. They stopped `sinceMs` ago; without it, now. */
  | { kind: 'captions lost'; detail: string; sinceMs?: number }
  /** Captions or speech are recorded again, for example after a rejoin. That began `sinceMs` ago; without it, now. */
  | { kind: 'captions back'; sinceMs?: number }
  /** The page has reported nothing for a while, but should report twice a second. Captions may be on their way. */
  | { kind: 'page stalled' }
  /** The page reports again. Captions from the time of the stall follow at once. */
  | { kind: 'page resumed' }
  /** The bot is no longer in the call and joins again. It was last known to be in the call `sinceMs` ago. */
  | { kind: 'call lost'; detail: string; sinceMs: number }
  /** The bot joined without the token that identifies it to the platform. */
  | { kind: 'unidentified'; detail: string }
  /** Something about the captions makes the transcript worse, and the bot cannot fix it. */
  | { kind: 'caption problem'; code: CaptionProblemCode; detail: string }
  /** Speech was not recognized. The times say how long ago it was heard. The rest of the meeting is recorded. */
  | { kind: 'speech lost'; detail: string; startedMs: number; endedMs: number }
  /** Speech recognition is this far behind; 0 if it has caught up. Sent while it is behind, even after the bot left. */
  | { kind: 'speech delay'; behindMs: number }
  /** New messages of participants in the meeting chat, oldest first. */
  | { kind: 'chat'; messages: ChatMessage[] }
  /** The bot could not post a message in the meeting chat. */
  | { kind: 'chat unavailable'; detail: string }
  /** Parts of the page were found by another strategy than the best one, or not at all. */
  | { kind: 'drift'; drifts: SelectorDrift[] }
  /** What the page looked like after a failed join or an unexpected end. */
  | { kind: 'evidence'; evidence: FailureEvidence }
  | { kind: 'over'; because: PlatformEndReason; detail?: string }

/**
 * The complete current text of one caption. On the page, a caption is a turn of one speaker, which grows and is
 * corrected. On the wire, it has versions, often including a final one.
 */
export type Caption = {
  captionId: string
  speaker: string
  text: string
  /** Increases with each change; absent if the source has no versions. */
  version?: number
  /**
   * The data channel that delivered the caption, on platforms that send every caption on several channels. Each channel
   * has its own caption id for the same words.
   */
  channel?: string
  /** The source will not change this caption again. */
  isFinal?: boolean
  /** The row disappeared from the page. Its text stays valid until the row returns. */
  isGone?: boolean
  /** The source knows that this is new speech, even if an earlier caption has the same words. */
  isNewSpeech?: boolean
  /** The source knows by an id that the speaker is not the bot, even if the name is the bot's name. */
  isOtherParticipant?: boolean
  /** The text was recognized from the meeting's sound. */
  isFromSpeech?: boolean
  /** Words before or in it are missing, because speech could not be recognized completely. */
  isIncomplete?: boolean
  /** The words are recorded from another source, so they must not be recorded again. */
  isDiscarded?: boolean
  /** Only for a caption that is published late. */
  late?: CaptionLateness
}

/** How many milliseconds before its publication a caption's text appeared and last changed in the source. */
export type CaptionLateness = { startedMs: number; changedMs: number }

/**
 * `caption_language`: the captions are translated, or in another language than requested. `speaker_names`: the captions
 * do not name the speakers. `speech_used`: captions were missing or unusable, so the bot recognizes speech itself.
 * `speech_unavailable`: the bot would recognize speech, but cannot.
 */
export type CaptionProblemCode =
  | 'caption_language'
  | 'speaker_names'
  | 'speech_used'
  | 'speech_unavailable'

/** `foundBy` describes the strategy that found the part; null if none did. */
export type SelectorDrift = { part: string; foundBy: string | null }

/** Stored to explain a failure to users. It may show participants' words, so it is never logged. */
export type FailureEvidence = {
  /** `state` is the state of the meeting page; `marks` describes the matchers that decided it. */
  state: string
  marks: string[]
  survey: PageSummary
  /** A JPEG; null if the page gave no screenshot. */
  screenshot: Uint8Array | null
}

/** The main texts of a meeting page. They are stored as evidence, so that users see what the bot saw. */
export type PageSummary = {
  /** The page's address without query and fragment, which may hold secrets. */
  address: string
  title: string
  language: string
  headings: string[]
  buttons: string[]
}

type EndReasons = Record<string, { isFailure: boolean }>

/** Why a visit can end in a call that the bot joins. `isFailure`: the bot could not transcribe the meeting. */
export const CALL_END_REASONS = {
  host_ended: { isFailure: false },
  /** The platform ended a call in which the bot was alone. */
  everyone_left: { isFailure: false },
  removed: { isFailure: false },
  denied: { isFailure: true },
  no_answer: { isFailure: true },
  sign_in_required: { isFailure: true },
  blocked_by_platform: { isFailure: true },
  captcha: { isFailure: true },
  meeting_not_found: { isFailure: true },
  meeting_not_started: { isFailure: true },
  page_not_loaded: { isFailure: true },
  captions_unavailable: { isFailure: true },
  browser_crashed: { isFailure: true },
  internal: { isFailure: true },
} as const satisfies EndReasons

/** Why a visit can end in which the bot does not join, but reads a stream that the platform sends. */
export const STREAM_END_REASONS = {
  /** No organization has installed the app that sends the streams of its meetings. */
  app_not_installed: { isFailure: true },
  /** No stream of the meeting began. */
  host_did_not_start: { isFailure: true },
  /** A person stopped the stream, or left, while the meeting went on. */
  stream_ended_by_host: { isFailure: false },
  /** The host or an administrator does not allow the stream, or not its transcript. */
  stream_not_allowed: { isFailure: true },
  /** The platform withdrew the stream and asks that its content be deleted. */
  stream_revoked: { isFailure: true },
  /** The stream could not be read, or was lost. */
  stream_failed: { isFailure: true },
  /** The platform rejected the app's credentials. */
  credentials_rejected: { isFailure: true },
} as const satisfies EndReasons

/** Why a visit can end without a request of the service. */
export const PLATFORM_END_REASONS = { ...CALL_END_REASONS, ...STREAM_END_REASONS }
export type PlatformEndReason = keyof typeof PLATFORM_END_REASONS
