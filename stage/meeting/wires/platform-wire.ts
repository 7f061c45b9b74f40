import type { StagedParticipant, Screen } from '../page-protocol.ts'
import type { ConnectedPage } from '../connected-page.ts'
import type { CaptionState } from '../captions/caption-rows.ts'
import type { Knobs } from '../knobs.ts'

/** The messages between a platform and its page, beneath the visible screen. */
export type PlatformWire = {
  /** The page opened a data channel. */
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

/** A page's caption language, and the spoken language. */
export function captionLanguages(
  page: ConnectedPage,
  { captionLanguage, spokenLanguage, isCaptionLanguageFixed }: Knobs,
): { language: string; spokenLanguage: string } {
  const wanted = isCaptionLanguageFixed ? null : page.language
  const language = wanted ?? captionLanguage
  return { language, spokenLanguage: spokenLanguage ?? language }
}
