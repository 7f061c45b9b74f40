import { randomBytes } from 'node:crypto'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { EventType } from './event-types.ts'
import type { MeetingStatus, EndReason } from './status.ts'

/** When the bot leaves by itself, in seconds; null: never for that reason. */
export type LeaveRules = {
  lobbyTimeout: number
  hostTimeout: number
  nobodyJoined: number
  everyoneLeft: number
  silence: number | null
  maxDuration: number
}

/** What the caller asked for beyond the address. */
export type MeetingOptions = {
  language: string | null
  botName: string
  account: string | null
  coach: boolean
  /** Types to be sent; null: all. */
  events: EventType[] | null
  leave: LeaveRules
}

export type Meeting = {
  id: string
  platform: PlatformName
  url: string
  label: string
  title: string | null
  project: string
  documentPath: string | null
  status: MeetingStatus
  reason: EndReason | null
  detail: string | null
  startedAt: Date
  liveAt: Date | null
  endedAt: Date | null
  participantCount: number
  segmentCount: number
  options: MeetingOptions
}

/** `meeting_`, the start in milliseconds, and enough randomness for two starts in the same one. */
export function newMeetingId(now: Date): string {
  const digits = [...randomBytes(12)].map((byte) => (byte % 36).toString(36)).join('')
  return `meeting_${String(now.getTime()).padStart(13, '0')}_${digits}`
}
