import type { WebSocketConnection } from '../server/web-socket.ts'
import type { PageAction, StagedParticipant, Screen, StageEvent } from './page-protocol.ts'

/** One page in one browser, from its opening to its closing. */
export type ConnectedPage = {
  readonly id: string
  /** The address as the page was opened with. */
  readonly address: string
  screen: Screen
  participant: StagedParticipant
  readonly actions: Set<PageAction>
  /** The data channels that the page has open: their key and their label. */
  readonly channels: Map<string, string>
  readonly sockets: Set<WebSocketConnection>
  /** The language it asked captions in; null leaves the meeting's. */
  language: string | null
  /** What it wrote into the chat. */
  readonly messages: string[]
  send: (event: StageEvent) => void
}

/** The names of the n-th person on the wires of both platforms. */
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

/** A guest is a person too, with numbers of its own. */
export function createOwnParticipant(guestId: string, name: string, n: number): StagedParticipant {
  const player = createParticipant({ id: guestId, name }, 500 + n)
  return { ...player, isSelf: true, mri: player.mri.replace('8:orgid:', '8:guest:') }
}
