import type { StagedParticipant, Screen } from '../page-protocol.ts'
import type { ConnectedPage } from '../connected-page.ts'
import type { CaptionState } from '../captions/caption-rows.ts'

/** What goes on beneath the page of a platform. */
export type PlatformWire = {
  /** A data channel of the guest has opened. */
  channelOpened: (
    guest: ConnectedPage,
    label: string,
    participantsChanged: readonly StagedParticipant[],
  ) => void
  participantsChanged: (
    guest: ConnectedPage,
    change: { came: readonly StagedParticipant[]; went: readonly StagedParticipant[] },
  ) => void
  sendCaption: (guests: readonly ConnectedPage[], speech: CaptionState) => void
  sendChat: (
    guest: ConnectedPage,
    message: { from: StagedParticipant; text: string; messageId: string },
  ) => void
  endCall: (guest: ConnectedPage, screen: Screen) => void
  bytesReceived: (guest: ConnectedPage, channel: string, bytes: Uint8Array) => void
  /** The page of the guest shows the call, and everything beneath it is connected. */
  pageEntered: (guest: ConnectedPage, participantsChanged: readonly StagedParticipant[]) => void
  close: () => void
}
