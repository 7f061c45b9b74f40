import type { IncomingMessage, ServerResponse } from 'node:http'
import { wireUser } from '../show/meet-wire.ts'
import type { Guest } from '../show/guest.ts'
import type { Show } from '../show/show.ts'
import { everybody, mediaSession, ownDevice, readLanguageUpdate } from '../wire/google-meet.ts'
import { sendText } from './answers.ts'
import { bodyOf, type Hall } from './hall-contract.ts'

/** What each call answers, always in base64 or empty. */
const CALLS: Readonly<Record<string, (show: Show, guest: Guest, body: Buffer) => string>> = {
  SyncMeetingSpaceCollections: (show, guest) =>
    show.knobs.hasRoster
      ? everybody(show.peopleFor(guest).map((player) => wireUser(player, 'inCall')))
      : '',
  CreateMeetingDevice: (show, guest) => ownDevice(guest.player.deviceId, show.knobs.suspicion),
  GetMediaSession: () => mediaSession(),
  UpdateMediaSession: (_show, guest, body) => {
    guest.language = readLanguageUpdate(body) ?? guest.language
    return ''
  },
  // The older road to the media session; what is asked there has no answer on the stage.
  query: () => '',
  modify: () => '',
}

/** The calls a Google Meet page makes over HTTP. The page says in a header which guest it is. */
export async function answerCall(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  hall: Hall,
): Promise<void> {
  const body = plain(await bodyOf(request))
  const guest = hall.findGuest(String(request.headers['x-stage-guest'] ?? ''))
  const show = guest && hall.showAt(guest.address)
  const call = CALLS[url.pathname.split('/').at(-1) ?? '']
  if (guest === undefined || show === undefined || call === undefined) {
    return sendText(response, 404, 'no such guest or no such call on the stage')
  }
  sendText(response, 200, call(show, guest, body))
}

/** Bodies come as bytes or in base64. */
function plain(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return /^[\w+/]{4,}=*$/.test(text) ? Buffer.from(text, 'base64') : body
}
