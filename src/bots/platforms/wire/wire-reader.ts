import type { ReceivedTrafficMessage } from '../bridge/messages.ts'
import type { PlatformEndReason } from '../platform.ts'
import type { WireRoster } from './wire-roster.ts'
import type { WireCaption, WireChatMessage } from './wire-types.ts'

/** Decodes what the page's own scripts receive from the platform's servers. */
export interface WireReader {
  readonly roster: WireRoster
  read(traffic: ReceivedTrafficMessage): WireUpdate
  /** The id on the roster of the participant to whom a contributing source of the sound belongs; null while unknown. */
  speakerIdOfSource?(source: number): string | null
}

export type WireUpdate = {
  captions?: WireCaption[]
  chat?: WireChatMessage[]
  /** Whether the message contained a roster, with or without changes. */
  hasRoster?: boolean
  endReason?: PlatformEndReason
  /** Whether the platform suspects an automated client. */
  isFlaggedAsBot?: boolean
  /** Whether no decoder could read the message. */
  isUndecoded?: boolean
}
