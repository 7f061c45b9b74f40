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
import type { StageBackend } from './backend.ts'
import { readRequestBody } from './read-body.ts'

/** Returns the response body of each method: base64 or empty. */
const RPC_METHODS: Readonly<
  Record<string, (meeting: StagedMeeting, page: ConnectedPage, body: Buffer) => string>
> = {
  SyncMeetingSpaceCollections: (meeting, page) =>
    meeting.knobs.hasRoster
      ? encodeRoster(
          meeting.participantsSeenBy(page).map((participant) => wireUser(participant, 'inCall')),
        )
      : '',
  CreateMeetingDevice: (meeting, page) =>
    encodeOwnDevice(page.participant.deviceId, meeting.knobs.suspicion),
  GetMediaSession: () => encodeMediaSession(),
  UpdateMediaSession: (_meeting, page, body) => {
    page.language = readLanguageUpdate(body) ?? page.language
    return ''
  },
  // The older path to the media session. The stage has no data for it.
  query: () => '',
  modify: () => '',
}

/** Answers the calls that a Google Meet page makes over HTTP. A header names the connected page. */
export async function answerRpc(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  backend: StageBackend,
): Promise<void> {
  const body = decodeBody(await readRequestBody(request))
  const page = backend.findPage(String(request.headers['x-stage-page'] ?? ''))
  const meeting = page && backend.findMeeting(page.address)
  const call = RPC_METHODS[url.pathname.split('/').at(-1) ?? '']
  if (page === undefined || meeting === undefined || call === undefined) {
    return sendText(response, 404, 'no such page or method on the stage')
  }
  sendText(response, 200, call(meeting, page, body))
}

/** A request body is bytes or base64. */
function decodeBody(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return /^[\w+/]{4,}=*$/.test(text) ? Buffer.from(text, 'base64') : body
}
