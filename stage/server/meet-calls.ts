import type { IncomingMessage, ServerResponse } from 'node:http'
import { everybody, ownDevice, readLanguageUpdate } from '../wire/google-meet.ts'
import { wireUser } from '../show/meet-wire.ts'
import { sendText } from './answers.ts'
import { bodyOf, type Hall } from './hall-contract.ts'

/** The calls a Google Meet page makes over HTTP. The page says in a header which guest it is. */
export async function answerCall(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  hall: Hall,
): Promise<void> {
  const body = Buffer.from(await bodyOf(request), 'base64')
  const guest = hall.findGuest(String(request.headers['x-stage-guest'] ?? ''))
  const show = guest && hall.showAt(guest.address)
  if (guest === undefined || show === undefined) return sendText(response, 404, 'no such guest')
  const call = url.pathname.split('/').at(-1)
  if (call === 'SyncMeetingSpaceCollections') {
    const users = show.peopleFor(guest).map((player) => wireUser(player, 'inCall'))
    return sendText(response, 200, everybody(users))
  }
  if (call === 'CreateMeetingDevice') {
    return sendText(response, 200, ownDevice(guest.player.deviceId, show.knobs.suspicion))
  }
  if (call === 'UpdateMediaSession') {
    guest.language = readLanguageUpdate(body) ?? guest.language
    return sendText(response, 200, '')
  }
  sendText(response, 404, 'no such call on the stage')
}
