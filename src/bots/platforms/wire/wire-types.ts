/** A caption as the wire has it: who speaks is a device or an account, whose name may not be known yet. */
export type WireCaption = {
  captionId: string
  speakerId: string
  /** Where the caption itself carries a name. */
  speakerName?: string
  text: string
  version: number
  isFinal: boolean
  /** BCP 47; null when the platform's mark for it is not known. */
  language: string | null
}

/** `unsaid`: this message tells something else about the person. */
export type RosterPresence = 'here' | 'gone' | 'removed' | 'unsaid'

/** One device on a roster. What a message does not say is absent, not false. */
export type WireParticipant = {
  id: string
  presence: RosterPresence
  name?: string
  isHost?: boolean
  isSelf?: boolean
  /** Set for the second device that a shared screen appears as. */
  parentId?: string
}

/** Longer ids are nobody's; with two of them a caption's id stays below what the segmenter keeps. */
export const MAX_ID_CHARS = 120
