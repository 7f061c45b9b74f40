import type { ReceivedTrafficMessage } from '../bridge/messages.ts'
import type { PlatformEndReason } from '../platform.ts'
import type { WireRoster } from './wire-roster.ts'

/** A caption on the wire. Its speaker is a device or an account, whose name may not be known yet. */
export type WireCaption = {
  captionId: string
  /** The data channel, if the platform sends every caption on several channels. */
  channel?: string
  speakerId: string
  /** The speaker's name, if the caption itself contains it. */
  speakerName?: string
  text: string
  version: number
  isFinal: boolean
  /** BCP 47; null if the platform's language code is unknown. */
  language: string | null
  /** The spoken language, if the message says that the caption is a translation. */
  translatedFrom?: string
}

export type WireChatMessage = {
  messageId: string
  authorId: string
  /** The author's name, if the message itself contains it. */
  authorName?: string
  text: string
}

/** `unsaid`: the message says nothing about the participant's presence. */
export type RosterPresence = 'here' | 'gone' | 'removed' | 'unsaid'

/** One device on a roster. A field that the message does not contain is absent, not false. */
export type WireParticipant = {
  id: string
  presence: RosterPresence
  name?: string
  isHost?: boolean
  isSelf?: boolean
  /** A shared screen appears as a second device. This is the id of the first. */
  parentId?: string
  /** The contributing sources of the participant's sound. */
  audioSources?: number[]
}

/** Longer ids are invalid. Two ids of this length keep a caption id below the segmenter's limit. */
export const MAX_WIRE_ID_CHARS = 120

/** A chat message is cut after this many characters. No platform allows as many. */
export const MAX_CHAT_TEXT_CHARS = 5_000

/** Decodes what the page's own scripts receive from the platform's servers. */
export interface WireReader {
  readonly roster: WireRoster
  read(traffic: ReceivedTrafficMessage): WireUpdate
  /** The participant, by roster id, of a contributing source of the sound; null while unknown. */
  speakerIdOfSource?(source: number): string | null
}

export type WireUpdate = {
  captions?: WireCaption[]
  chat?: WireChatMessage[]
  /** True if the message contained a roster, with or without changes. */
  hasRoster?: boolean
  endReason?: PlatformEndReason
  /** True if the platform suspects an automated client. */
  isFlaggedAsBot?: boolean
  /** True if no decoder could read the message. */
  isUndecoded?: boolean
}
