import { randomBytes } from 'node:crypto'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { SpeechMode } from '../bots/platforms/speech/speech-mode.ts'
import type { MeetingPlatform } from './meeting-platforms.ts'
import type { EventType } from './event-types.ts'
import type { Capture } from './official/capture.ts'
import type { MeetingStatus, EndReason } from './status.ts'

/** Times in seconds after which the bot leaves by itself; null disables a rule. */
export type LeaveRules = {
  lobbyTimeout: number
  hostTimeout: number
  nobodyJoined: number
  everyoneLeft: number
  silence: number | null
  maxDuration: number
}

export type ChatOptions = {
  /** Posted when the bot is admitted; null to post nothing. */
  notice: string | null
  /** True if participants can make the bot leave or pause with a message. */
  commands: boolean
  /** True if the messages are stored with the meeting. */
  store: boolean
}

/** The options that the caller chose for a meeting. */
export type MeetingOptions = {
  language: string | null
  botName: string
  account: string | null
  coach: boolean
  /** Event types to send to the callback URL; null for all. */
  events: EventType[] | null
  leave: LeaveRules
  /** Absent for meetings of older versions, which could not recognize speech. */
  speech?: SpeechMode
  /** Absent for meetings of older versions, which did not use the chat. */
  chat?: ChatOptions
  /** True if a document is created when the meeting begins. Absent for a meeting that was started at once. */
  saveTranscript?: boolean
  /** The tag of the language of the recap. Absent for the one of the project or of the settings. */
  recapLanguage?: string
  /** A task that runs after the meeting, in addition to tasks whose trigger matches. Absent for none. */
  task?: string
  /** Absent for a bot alone, and for meetings of older versions. */
  capture?: Capture
  /** The meeting that this one retries. Absent for a first attempt. */
  retryOf?: string
}

export type Meeting = {
  id: string
  platform: MeetingPlatform
  url: string
  label: string
  title: string | null
  /** The title that a model gave it in the recap. */
  recapTitle: string | null
  project: string
  documentPath: string | null
  status: MeetingStatus
  reason: EndReason | null
  detail: string | null
  /** While the meeting is scheduled, the time at which the bot is to join. */
  startedAt: Date
  /** When the bot was asked to join; null if the meeting was started at once. */
  joinAt: Date | null
  liveAt: Date | null
  endedAt: Date | null
  /** When the transcript was imported; null if a bot attended the meeting. */
  importedAt: Date | null
  /** Participants who are present, without the bot. After the end, everyone who was ever present. */
  participantCount: number
  segmentCount: number
  options: MeetingOptions
}

/** What people see as the title of a meeting. */
export function findShownTitle({ title, recapTitle, label }: Meeting): string {
  return title ?? recapTitle ?? label
}

/** A meeting that a bot attends. */
export type AttendedMeeting = Meeting & { platform: PlatformName }

/** Creates a meeting id: `meeting_`, the start time in milliseconds, and twelve random characters. */
export function createMeetingId(now: Date): string {
  const digits = [...randomBytes(12)].map((byte) => (byte % 36).toString(36)).join('')
  return `meeting_${String(now.getTime()).padStart(13, '0')}_${digits}`
}
