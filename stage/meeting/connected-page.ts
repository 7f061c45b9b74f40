import type { WebSocketConnection } from '../server/web-socket.ts'
import type { PageAction, StagedParticipant, Screen, StageEvent } from './page-protocol.ts'

/** One browser page that has a staged meeting open, from load to close. */
export type ConnectedPage = {
  readonly id: string
  /** The address that the page was opened with. */
  readonly address: string
  screen: Screen
  participant: StagedParticipant
  readonly actions: Set<PageAction>
  /** The open data channels of the page: key to label. */
  readonly channels: Map<string, string>
  readonly sockets: Set<WebSocketConnection>
  /** The caption language that the page asked for. Null: the language of the meeting. */
  language: string | null
  /** The chat messages that the page wrote. */
  readonly messages: string[]
  /** The answers that the page gave to prompts, such as `recorded: join`. */
  readonly answers: string[]
  send: (event: StageEvent) => void
}

/** The n-th participant, with an id for the wire of each platform. */
export function createParticipant(
  person: { id: string; name: string; isHost?: boolean },
  n: number,
): StagedParticipant {
  const guid = `${String(n).padStart(8, '0')}-5eed-4000-8000-000000000000`
  return {
    id: person.id,
    name: person.name,
    isHost: person.isHost ?? false,
    isSelf: false,
    deviceId: `spaces/stage/devices/${n}`,
    mri: `8:orgid:${guid}`,
    sourceId: 1_000 + n,
  }
}

/** The participant that the page itself is. Its numbers start at 500, above those of the cast. */
export function createOwnParticipant(pageId: string, name: string, n: number): StagedParticipant {
  const participant = createParticipant({ id: pageId, name }, 500 + n)
  return { ...participant, isSelf: true, mri: participant.mri.replace('8:orgid:', '8:guest:') }
}
