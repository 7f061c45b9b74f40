/** What the service needs from a meeting platform. Nothing here knows about storage, events or HTTP. */
export interface Platform {
  readonly name: PlatformName
  /** For people: `Google Meet`. */
  readonly title: string
  /** Shapes of addresses it takes, for the hint of a refusal. */
  readonly linkExamples: readonly string[]
  /** The meeting an address leads to when this platform hosts it, otherwise null. Pure; opens nothing. */
  parseLink(given: string): MeetingLink | null
  /** Goes to the meeting and reports what happens there until it is over or `signal` aborts. */
  attend(visit: JoinRequest, signal: AbortSignal): AsyncIterable<PlatformEvent>
}

export const PLATFORM_NAMES = ['google_meet', 'microsoft_teams', 'practice'] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]

/** Where a meeting is, in the one spelling that everything else uses. */
export type MeetingLink = {
  /** Canonical; what the bot opens. */
  url: string
  /** The same for every spelling of the same room. */
  room: string
  passcode?: string
  /** Names a meeting that was given no title: `Google Meet abc-defg-hij`. */
  label: string
}

export type JoinRequest = {
  link: MeetingLink
  /** The name under which the bot appears. */
  displayName: string
  /** BCP 47 language of the captions; null leaves the platform's own. */
  language: string | null
  /** Name of the bot account to come as; null for a guest. */
  account: string | null
  /** How long ago the first bot set out; exactly 0 for the first. After a restart the visit is a later one. */
  elapsedMs: number
}

export type Participant = { id: string; name: string; isHost?: boolean; isSelf?: boolean }

/** Facts seen inside the meeting, in the platform-neutral words of the service. */
export type PlatformEvent =
  /** The page is the way into a meeting; without one of these for long, it is something else. */
  | { kind: 'door' }
  /** The meeting is there but nobody has begun it. */
  | { kind: 'not started' }
  | { kind: 'lobby' }
  | { kind: 'admitted' }
  | ({ kind: 'caption' } & Caption)
  /** Everybody who is there now; the first one counts as everybody joining. */
  | { kind: 'people'; people: Participant[] }
  | { kind: 'captions lost'; detail: string }
  | { kind: 'captions back' }
  /** The bot came without the token by which the platform would have known it. */
  | { kind: 'unidentified'; detail: string }
  /** Parts of the page were found in another way than the best known one, or not at all. */
  | { kind: 'drift'; drifts: SelectorDrift[] }
  /** What the page looked like, at a failed join or an end that nobody wished for. */
  | { kind: 'evidence'; evidence: Evidence }
  | { kind: 'over'; because: PlatformEndReason; detail?: string }

/**
 * The present text of one caption: the whole of it, not what is new. On the page that is a turn of one
 * speaker, which grows and is rewritten; on the wire it has versions and often a mark for the last one.
 */
export type Caption = {
  captionId: string
  speaker: string
  text: string
  /** Rises with each change; absent where the source has none. */
  version?: number
  /** The source will not change this caption any more. */
  isFinal?: boolean
  /** The row has vanished from the page; its text stands until it comes back. */
  isGone?: boolean
}

/** `foundBy`: the way that did find the part, in words; null when none did. */
export type SelectorDrift = { part: string; foundBy: string | null }

/** Kept with the meeting for whoever must find out why. It holds what people said: shown to them, never logged. */
export type Evidence = {
  /** What the page was taken for, and by which marks. */
  state: string
  marks: string[]
  survey: PageSummary
  /** A JPEG; null when the page gave none. */
  screenshot: Uint8Array | null
}

/** A page in words. */
export type PageSummary = {
  /** Without what is secret in it. */
  address: string
  title: string
  language: string
  headings: string[]
  buttons: string[]
}

/**
 * Why a visit can be over by itself; one that we end has no such reason. `isFailure`: the bot could not do
 * what it was sent for.
 */
export const PLATFORM_END_REASONS = {
  host_ended: { isFailure: false },
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
} as const satisfies Record<string, { isFailure: boolean }>
export type PlatformEndReason = keyof typeof PLATFORM_END_REASONS
