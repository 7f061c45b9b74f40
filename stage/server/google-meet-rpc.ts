import type { IncomingMessage, ServerResponse } from 'node:http'
import { wireUser } from '../meeting/wires/google-meet-wire.ts'
import type { ConnectedPage } from '../meeting/connected-page.ts'
import type { StagedMeeting } from '../meeting/staged-meeting.ts'
import {
  encodeRoster,
  encodeMediaSession,
  encodeOwnDevice,
  readLanguageUpdate,
} from '../wire/google-meet.ts'
import { sendText } from './responses.ts'
import { readRequestBody, type StageBackend } from './backend.ts'

/** What each call answers, always in base64 or empty. */
const RPC_METHODS: Readonly<
  Record<string, (show: StagedMeeting, guest: ConnectedPage, body: Buffer) => string>
> = {
  SyncMeetingSpaceCollections: (show, guest) =>
    show.knobs.hasRoster
      ? encodeRoster(show.participantsSeenBy(guest).map((player) => wireUser(player, 'inCall')))
      : '',
  CreateMeetingDevice: (show, guest) =>
    encodeOwnDevice(guest.participant.deviceId, show.knobs.suspicion),
  GetMediaSession: () => encodeMediaSession(),
  UpdateMediaSession: (_show, guest, body) => {
    guest.language = readLanguageUpdate(body) ?? guest.language
    return ''
  },
  // The older road to the media session; what is asked there has no answer on the stage.
  query: () => '',
  modify: () => '',
}

/** The calls a Google Meet page makes over HTTP. The page says in a header which guest it is. */
export async function answerRpc(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  hall: StageBackend,
): Promise<void> {
  const body = decodeBody(await readRequestBody(request))
  const guest = hall.findPage(String(request.headers['x-stage-guest'] ?? ''))
  const show = guest && hall.findMeeting(guest.address)
  const call = RPC_METHODS[url.pathname.split('/').at(-1) ?? '']
  if (guest === undefined || show === undefined || call === undefined) {
    return sendText(response, 404, 'no such guest or no such call on the stage')
  }
  sendText(response, 200, call(show, guest, body))
}

/** Bodies come as bytes or in base64. */
function decodeBody(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return /^[\w+/]{4,}=*$/.test(text) ? Buffer.from(text, 'base64') : body
}
