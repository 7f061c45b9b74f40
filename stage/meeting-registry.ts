import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseGoogleMeetLink } from '../src/bots/platforms/google-meet/meeting-link.ts'
import { parseMicrosoftTeamsLink } from '../src/bots/platforms/microsoft-teams/meeting-link.ts'
import { openFeed, sendText } from './server/responses.ts'
import { createCameraRelay } from './server/camera-relay.ts'
import type { StageBackend } from './server/backend.ts'
import type { WebSocketConnection } from './server/web-socket.ts'
import { showScreen, type StagePlatform } from './meeting/screens.ts'
import { PAGE_REPORT, type PageReport } from './meeting/page-protocol.ts'
import { createOwnParticipant, type ConnectedPage } from './meeting/connected-page.ts'
import { readKnobs, type Knobs } from './meeting/knobs.ts'
import type { Cast } from './meeting/attendance.ts'
import { createStagedMeeting, type StagedMeeting } from './meeting/staged-meeting.ts'

type MeetingSetup = { knobs: Knobs; cast: Cast; title: string | undefined; isScripted: boolean }

/** All shows of a stage: finds the one behind an address, seats its guests and hears them. */
export function createMeetingRegistry() {
  const shows = new Map<string, StagedMeeting>()
  const seats = new Map<string, { guest: ConnectedPage; show: StagedMeeting }>()
  let count = 0

  function open(address: string, { knobs, cast, title, isScripted }: MeetingSetup): StagedMeeting {
    const place = parseMeetingAddress(address)
    if (place === null) throw new Error(`${address} is no address of a platform`)
    const { platform, room } = place
    if (shows.has(room)) throw new Error(`${room} is on already`)
    const callId = `stage-call-${shows.size + 1}`
    const show = createStagedMeeting({
      platform,
      room,
      title: title ?? room,
      callId,
      cast,
      knobs,
      isScripted,
    })
    shows.set(room, show)
    return show
  }
  function showAt(address: string): StagedMeeting | undefined {
    return shows.get(parseMeetingAddress(address)?.room ?? '')
  }

  /** A page has opened. A meeting that is not on is shown as one that does not exist. */
  function welcome(address: string, response: ServerResponse): void {
    const id = `guest-${++count}`
    const show = showAt(address) ?? createUnknownMeeting(address)
    const send = openFeed(response)
    const guest: ConnectedPage = {
      id,
      address,
      send,
      screen: show.knobs.opening,
      participant: createOwnParticipant(id, '', count),
      language: null,
      actions: new Set(),
      channels: new Map(),
      sockets: new Set(),
      messages: [],
    }
    seats.set(id, { guest, show })
    show.audience.add(guest)
    response.on('close', () => {
      seats.delete(id)
      show.audience.remove(guest)
    })
    const { room, title, callId, knobs } = show
    const { deviceId } = guest.participant
    send({ kind: 'welcome', guest: id, room, title, callId, deviceId, knobs })
    showScreen(guest, show.knobs.opening, show.platform)
    show.audience.recordAction(guest, 'opened')
  }

  function hear(body: string, response: ServerResponse): void {
    const telling = PAGE_REPORT.parse(JSON.parse(body))
    const seat = seats.get(telling.guest)
    if (seat) applyReport(seat.guest, seat.show, telling)
    sendText(response, seat ? 200 : 410, '')
  }

  return {
    open,
    findMeeting: showAt,
    connectPage: welcome,
    receiveReport: hear,
    cameras: createCameraRelay(),
    findPage: (id) => seats.get(id)?.guest,
    attachSocket(id: string, socket: WebSocketConnection, stream: Duplex): void {
      const seat = seats.get(id)
      if (seat === undefined) return socket.close()
      const { guest } = seat
      guest.sockets.add(socket)
      stream.on('close', () => guest.sockets.delete(socket))
    },
    close(): void {
      for (const show of shows.values()) show.close()
      for (const { guest } of seats.values()) for (const socket of guest.sockets) socket.close()
    },
  } satisfies StageBackend & Record<string, unknown>
}

function applyReport(guest: ConnectedPage, show: StagedMeeting, telling: PageReport): void {
  if (telling.kind === 'language') guest.language = telling.language
  else if (telling.kind === 'bytes') {
    show.wire.bytesReceived(guest, telling.channel, Buffer.from(telling.base64, 'base64'))
  } else if (telling.kind === 'channel') {
    guest.channels.set(telling.channel, telling.label)
    show.wire.channelOpened(guest, telling.label, show.participantsSeenBy(guest))
  } else if (telling.kind === 'chat') guest.messages.push(telling.text)
  else {
    if (telling.name !== '') guest.participant = { ...guest.participant, name: telling.name }
    show.audience.recordAction(guest, telling.did)
    if (telling.did === 'knocked') show.requestAdmission(guest)
    if (telling.did === 'entered') show.wire.pageEntered(guest, show.participantsSeenBy(guest))
    if (telling.did === 'left') guest.screen = 'left'
  }
}

function parseMeetingAddress(address: string): { platform: StagePlatform; room: string } | null {
  const meet = parseGoogleMeetLink(address)
  if (meet) return { platform: 'google-meet', room: meet.room }
  const teams = parseMicrosoftTeamsLink(address)
  return teams && { platform: 'microsoft-teams', room: teams.room }
}

function createUnknownMeeting(address: string): StagedMeeting {
  const platform = /^https:\/\/[^/]*\bgoogle\b/.test(address) ? 'google-meet' : 'microsoft-teams'
  const knobs = readKnobs({ opening: 'bad-code' })
  return createStagedMeeting({
    platform,
    room: '',
    title: '',
    callId: '',
    cast: [],
    knobs,
    isScripted: true,
  })
}
