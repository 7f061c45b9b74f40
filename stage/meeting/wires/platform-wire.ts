import type { StagedParticipant, Screen } from '../page-protocol.ts'
import type { ConnectedPage } from '../connected-page.ts'
import type { CaptionState } from '../captions/caption-rows.ts'
import type { Knobs } from '../knobs.ts'

/** The messages that a platform exchanges with its page beneath the visible screen. */
export type PlatformWire = {
  /** A data channel of the page has opened. */
  channelOpened: (
    page: ConnectedPage,
    label: string,
    participants: readonly StagedParticipant[],
  ) => void
  participantsChanged: (
    page: ConnectedPage,
    change: { came: readonly StagedParticipant[]; went: readonly StagedParticipant[] },
  ) => void
  sendCaption: (pages: readonly ConnectedPage[], speech: CaptionState) => void
  sendChat: (
    page: ConnectedPage,
    message: { from: StagedParticipant; text: string; messageId: string },
  ) => void
  endCall: (page: ConnectedPage, screen: Screen) => void
  bytesReceived: (page: ConnectedPage, channel: string, bytes: Uint8Array) => void
  /** The page shows the call, and its channels and sockets are connected. */
  pageEntered: (page: ConnectedPage, participants: readonly StagedParticipant[]) => void
  close: () => void
}

/** The language of the captions that a page gets, and the language that is spoken. */
export function captionLanguages(
  page: ConnectedPage,
  { captionLanguage, spokenLanguage, isCaptionLanguageFixed }: Knobs,
): { language: string; spokenLanguage: string } {
  const wanted = isCaptionLanguageFixed ? null : page.language
  const language = wanted ?? captionLanguage
  return { language, spokenLanguage: spokenLanguage ?? language }
}
