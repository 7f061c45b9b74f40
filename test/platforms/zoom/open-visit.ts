import type { JoinRequest, PlatformEvent } from '../../../src/bots/platforms/platform.ts'
import type { StreamTimeouts } from '../../../src/bots/platforms/zoom/stream-session.ts'
import type { ZoomStream, ZoomStreams } from '../../../src/bots/platforms/zoom/streams.ts'
import { createZoom } from '../../../src/bots/platforms/zoom/zoom.ts'
import { createLog } from '../../../src/log.ts'
import { eventually } from '../../support/time/eventually.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startRtmsServer,
  type RtmsServer,
} from '../../support/zoom/rtms-server.ts'

type EventOf<Kind extends PlatformEvent['kind']> = Extract<PlatformEvent, { kind: Kind }>

export const UUID = 'Jg0/a+b=='
export const STREAM = 'stream-1'

/** Reconnects at once, so that no test waits for time. */
const FAST: Partial<StreamTimeouts> = {
  pollMs: 5,
  firstRetryMs: 1,
  longestRetryMs: 20,
  lastWordsMs: 50,
  restartMs: 1_000,
}

/** What the table of streams has, in memory: each test changes it as webhooks would. */
export function createStreamList() {
  const rows = new Map<string, ZoomStream & { reservedBy?: string }>()
  const streams: ZoomStreams = {
    async reserve(_number, key) {
      const running = [...rows.values()].filter(({ stopped }) => stopped === null)
      const free = running.find((row) => [undefined, key].includes(row.reservedBy))
      if (free !== undefined) free.reservedBy = key
      return free ?? (running.length > 0 ? 'taken' : null)
    },
    findReserved: async (key) =>
      [...rows.values()].findLast(({ reservedBy }) => reservedBy === key) ?? null,
    read: async (id) => rows.get(id) ?? null,
    async markGone(id) {
      const row = rows.get(id)
      if (row !== undefined) row.stopped ??= { reason: null }
    },
    isAppInstalled: async () => rows.size > 0 || list.isInstalled,
  }
  const list = { rows, streams, isInstalled: false }
  return list
}

export type Visit = Awaited<ReturnType<typeof openVisit>>

type Given = {
  server: RtmsServer
  list?: ReturnType<typeof createStreamList>
  secret?: string
  testOrigins?: readonly string[]
  timeouts?: Partial<StreamTimeouts>
  request?: Partial<JoinRequest>
}

export async function openVisit({ server, list = createStreamList(), ...given }: Given) {
  const zoom = createZoom({
    app: {
      credentials: { clientId: CLIENT_ID, clientSecret: given.secret ?? CLIENT_SECRET },
      streams: list.streams,
      addresses: {
        checkUrl: () => null,
        guardedLookup: () => (_name, _options, done) => done(new Error('no lookups'), ''),
        testOrigins: given.testOrigins ?? [server.origin],
      },
      timeouts: { ...FAST, ...given.timeouts },
    },
    log: createLog('silent'),
  })
  const link = zoom.parseLink('https://acme.zoom.us/j/81234567890?pwd=abc.1')
  if (link === null) throw new Error('the link is not accepted')
  const request: JoinRequest = {
    link,
    displayName: 'Notes',
    language: null,
    account: null,
    elapsedMs: 0,
    wasAdmittedBefore: false,
    meetingKey: 'meeting-1',
    ...given.request,
  }
  const events: PlatformEvent[] = []
  const leaving = new AbortController()
  const attending = (async () => {
    for await (const event of zoom.attend(request, leaving.signal)) events.push(event)
  })()
  async function leave(): Promise<void> {
    leaving.abort()
    await attending
  }
  return {
    events,
    list,
    /** What was recorded and lost, in order. */
    record: () =>
      events.flatMap((event) => {
        if (event.kind === 'caption') return [`${event.speaker}: ${event.text}`]
        if (event.kind === 'captions back') return ['back']
        // Which of two connections is seen to be lost first is chance.
        return event.kind === 'captions lost' || event.kind === 'call lost' ? ['lost'] : []
      }),
    waitForLoss: () =>
      eventually(() =>
        events.some(({ kind }) => kind === 'captions lost' || kind === 'call lost') ? true : null,
      ),
    captions: () => events.filter((event): event is EventOf<'caption'> => event.kind === 'caption'),
    /** Waits for an event that meets the condition. */
    waitFor: <Kind extends PlatformEvent['kind']>(
      kind: Kind,
      isMet: (event: EventOf<Kind>) => boolean = () => true,
    ): Promise<EventOf<Kind>> =>
      eventually(() => {
        const found = events.find(
          (event): event is EventOf<Kind> => event.kind === kind && isMet(event as EventOf<Kind>),
        )
        if (found === undefined && events.some((event) => event.kind === 'over'))
          throw new Error(`the visit is over: ${JSON.stringify(events.at(-1))}`)
        return found ?? null
      }),
    leave,
    [Symbol.asyncDispose]: leave,
  }
}

/** A server with a running stream that Zoom has announced, and a bot that reads it. */
export async function openReadingVisit(given: Omit<Given, 'server'> = {}) {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startRtmsServer())
  const list = given.list ?? createStreamList()
  announce(list, server)
  server.open(STREAM, UUID, [{ user_id: 1, user_name: 'Ana' }])
  const visit = stack.use(await openVisit({ ...given, list, server }))
  await visit.waitFor('admitted')
  await server.waitForReady(STREAM)
  const opened = stack.move()
  return { server, visit, list, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The webhook of a start was stored. */
export function announce(
  { rows }: ReturnType<typeof createStreamList>,
  { signallingUrl }: Pick<RtmsServer, 'signallingUrl'>,
  streamId = STREAM,
): void {
  rows.set(streamId, { streamId, meetingUuid: UUID, serverUrl: signallingUrl, stopped: null })
}

/** An utterance that ended just now. */
export function spoken(name: string, data: string, { id = 1, agoMs = 500, lengthMs = 400 } = {}) {
  const start = Date.now() - agoMs
  return { user_id: id, user_name: name, data, start_time: start, end_time: start + lengthMs }
}
