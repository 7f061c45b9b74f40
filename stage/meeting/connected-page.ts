import type { WebSocketConnection } from '../server/web-socket.ts'
import type { PageAction, StagedParticipant, Screen, StageEvent } from './page-protocol.ts'

/** One browser page that has opened a staged meeting, from load to close. */
export type ConnectedPage = {
  readonly id: string
  /** The address that the page was opened with. */
  readonly address: string
  screen: Screen
  participant: StagedParticipant
  readonly actions: Set<PageAction>
  /** The page's open data channels: key to label. */
  readonly channels: Map<string, string>
  readonly sockets: Set<WebSocketConnection>
  /** The caption language that the page requested. Null: the language of the meeting. */
  language: string | null
  /** Chat messages that the page wrote. */
  readonly messages: string[]
  /** The page's answers to prompts, such as `recorded: join`. */
  readonly answers: string[]
  send: (event: StageEvent) => void
}

/** The n-th participant, with an id for each platform's wire. */
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

/** The participant of the page itself. Its numbers start at 500, above the cast's numbers. */
export function createOwnParticipant(pageId: string, name: string, n: number): StagedParticipant {
  const participant = createParticipant({ id: pageId, name }, 500 + n)
  return { ...participant, isSelf: true, mri: participant.mri.replace('8:orgid:', '8:guest:') }
}
