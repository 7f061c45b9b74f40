import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { recogniseGoogleMeet } from '../src/platforms/google-meet/url.ts'
import { recogniseMicrosoftTeams } from '../src/platforms/microsoft-teams/url.ts'
import { openFeed, sendText } from './server/answers.ts'
import { createCameras } from './server/cameras.ts'
import type { Hall } from './server/hall-contract.ts'
import type { WebSocketEnd } from './server/web-socket.ts'
import { put, type StagePlatform } from './show/doors.ts'
import { TELLING, type Telling } from './show/events.ts'
import { selfOf, type Guest } from './show/guest.ts'
import { readKnobs, type Knobs } from './show/knobs.ts'
import type { Cast } from './show/company.ts'
import { createShow, type Show } from './show/show.ts'

type Opening = { knobs: Knobs; cast: Cast; title: string | undefined; isScripted: boolean }

/** All shows of a stage: finds the one behind an address, seats its guests and hears them. */
export function createHall() {
  const shows = new Map<string, Show>()
  const seats = new Map<string, { guest: Guest; show: Show }>()
  let count = 0

  function open(address: string, { knobs, cast, title, isScripted }: Opening): Show {
    const place = placeOf(address)
    if (place === null) throw new Error(`${address} is no address of a platform`)
    const { platform, room } = place
    if (shows.has(room)) throw new Error(`${room} is on already`)
    const callId = `stage-call-${shows.size + 1}`
    const show = createShow({
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
  function showAt(address: string): Show | undefined {
    return shows.get(placeOf(address)?.room ?? '')
  }

  /** A page has opened. A meeting that is not on is shown as one that does not exist. */
  function welcome(address: string, response: ServerResponse): void {
    const id = `guest-${++count}`
    const show = showAt(address) ?? nowhere(address)
    const send = openFeed(response)
    const guest: Guest = {
      id,
      address,
      send,
      screen: show.knobs.opening,
      player: selfOf(id, '', count),
      language: null,
      deeds: new Set(),
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
    const { deviceId } = guest.player
    send({ kind: 'welcome', guest: id, room, title, callId, deviceId, knobs })
    put(guest, show.knobs.opening, show.platform)
    show.audience.note(guest, 'opened')
  }

  function hear(body: string, response: ServerResponse): void {
    const telling = TELLING.parse(JSON.parse(body))
    const seat = seats.get(telling.guest)
    if (seat) hearFrom(seat.guest, seat.show, telling)
    sendText(response, seat ? 200 : 410, '')
  }

  return {
    open,
    showAt,
    welcome,
    hear,
    cameras: createCameras(),
    findGuest: (id) => seats.get(id)?.guest,
    connect(id: string, socket: WebSocketEnd, stream: Duplex): void {
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
  } satisfies Hall & Record<string, unknown>
}

function hearFrom(guest: Guest, show: Show, telling: Telling): void {
  if (telling.kind === 'language') guest.language = telling.language
  else if (telling.kind === 'bytes') {
    show.wire.heard(guest, telling.channel, Buffer.from(telling.base64, 'base64'))
  } else if (telling.kind === 'channel') {
    guest.channels.set(telling.channel, telling.label)
    show.wire.opened(guest, telling.label, show.peopleFor(guest))
  } else if (telling.kind === 'chat') guest.messages.push(telling.text)
  else {
    if (telling.name !== '') guest.player = { ...guest.player, name: telling.name }
    show.audience.note(guest, telling.did)
    if (telling.did === 'knocked') show.knock(guest)
    if (telling.did === 'entered') show.wire.entered(guest, show.peopleFor(guest))
    if (telling.did === 'left') guest.screen = 'left'
  }
}

function placeOf(address: string): { platform: StagePlatform; room: string } | null {
  const meet = recogniseGoogleMeet(address)
  if (meet) return { platform: 'google-meet', room: meet.room }
  const teams = recogniseMicrosoftTeams(address)
  return teams && { platform: 'microsoft-teams', room: teams.room }
}

function nowhere(address: string): Show {
  const platform = /^https:\/\/[^/]*\bgoogle\b/.test(address) ? 'google-meet' : 'microsoft-teams'
  const knobs = readKnobs({ opening: 'bad-code' })
  return createShow({
    platform,
    room: '',
    title: '',
    callId: '',
    cast: [],
    knobs,
    isScripted: true,
  })
}
