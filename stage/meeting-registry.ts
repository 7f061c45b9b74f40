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

/** The meetings of a stage, and the pages that have opened them. */
export function createMeetingRegistry() {
  const meetings = new Map<string, StagedMeeting>()
  type Connection = { page: ConnectedPage; meeting: StagedMeeting }
  const connections = new Map<string, Connection>()
  /** The report that a bot has left may arrive after its page has closed. */
  const closed = new Map<string, Connection>()
  let count = 0

  function open(address: string, { knobs, cast, title, isScripted }: MeetingSetup): StagedMeeting {
    const parsed = parseMeetingAddress(address)
    if (parsed === null)
      throw new Error(`${address} is not a meeting address of Google Meet or Microsoft Teams`)
    const { platform, room } = parsed
    if (meetings.has(room)) throw new Error(`a meeting in room ${room} is already open`)
    const callId = `stage-call-${meetings.size + 1}`
    const meeting = createStagedMeeting({
      platform,
      room,
      title: title ?? room,
      callId,
      cast,
      knobs,
      isScripted,
    })
    meetings.set(room, meeting)
    return meeting
  }
  function findMeeting(address: string): StagedMeeting | undefined {
    return meetings.get(parseMeetingAddress(address)?.room ?? '')
  }

  /** If no meeting is open at the address, the page shows that the meeting does not exist. */
  function connectPage(address: string, response: ServerResponse): void {
    const id = `guest-${++count}`
    const meeting = findMeeting(address) ?? createUnknownMeeting(address)
    const send = openFeed(response)
    const page: ConnectedPage = {
      id,
      address,
      send,
      screen: meeting.knobs.opening,
      participant: createOwnParticipant(id, '', count),
      language: null,
      actions: new Set(),
      channels: new Map(),
      sockets: new Set(),
      messages: [],
      answers: [],
    }
    connections.set(id, { page, meeting })
    meeting.pages.add(page)
    response.on('close', () => {
      connections.delete(id)
      closed.set(id, { page, meeting })
      meeting.pages.remove(page)
    })
    const { room, title, callId, knobs } = meeting
    const { deviceId } = page.participant
    send({ kind: 'welcome', page: id, room, title, callId, deviceId, knobs })
    showScreen(page, meeting.knobs.opening, meeting.platform)
    meeting.pages.recordAction(page, 'opened')
  }

  function receiveReport(body: string, response: ServerResponse): void {
    const report = PAGE_REPORT.parse(JSON.parse(body))
    const hasLeft = report.kind === 'action' && report.action === 'left'
    const connection = connections.get(report.page) ?? (hasLeft ? closed.get(report.page) : null)
    if (connection) applyReport(connection.page, connection.meeting, report)
    sendText(response, connection ? 200 : 410, '')
  }

  return {
    open,
    findMeeting,
    connectPage,
    receiveReport,
    cameras: createCameraRelay(),
    findPage: (id) => connections.get(id)?.page,
    attachSocket(id: string, socket: WebSocketConnection, stream: Duplex): void {
      const connection = connections.get(id)
      if (connection === undefined) return socket.close()
      const { page } = connection
      page.sockets.add(socket)
      stream.on('close', () => page.sockets.delete(socket))
    },
    close(): void {
      for (const meeting of meetings.values()) meeting.close()
      for (const { page } of connections.values()) for (const socket of page.sockets) socket.close()
    },
  } satisfies StageBackend & Record<string, unknown>
}

function applyReport(page: ConnectedPage, meeting: StagedMeeting, report: PageReport): void {
  if (report.kind === 'language') page.language = report.language
  else if (report.kind === 'bytes') {
    meeting.wire.bytesReceived(page, report.channel, Buffer.from(report.base64, 'base64'))
  } else if (report.kind === 'channel') {
    page.channels.set(report.channel, report.label)
    meeting.wire.channelOpened(page, report.label, meeting.participantsSeenBy(page))
  } else if (report.kind === 'chat') page.messages.push(report.text)
  else if (report.kind === 'played') meeting.soundPlayed(page, report.soundId)
  else if (report.kind === 'answer') page.answers.push(`${report.prompt}: ${report.answer}`)
  else {
    if (report.name !== '') page.participant = { ...page.participant, name: report.name }
    meeting.pages.recordAction(page, report.action)
    if (report.action === 'knocked') meeting.requestAdmission(page)
    if (report.action === 'entered')
      meeting.wire.pageEntered(page, meeting.participantsSeenBy(page))
    if (report.action === 'left') page.screen = 'left'
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
