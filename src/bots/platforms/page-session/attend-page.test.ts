import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { systemTimers, type Timers } from '../../../lib/time/clock.ts'
import { describeNetworkFault } from '../../browser/network/reachability/network-faults.ts'
import { BrowserSlotLostError, type BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import { createWireRoster } from '../wire/wire-roster.ts'
import { attendMeetingInPage, type AttendOptions } from './attend-page.ts'
import type { PagePlatform } from './page-platform.ts'

const LINK = 'https://meet.google.com/abc-defg-hij?p=passcode'
const JOIN_REQUEST: JoinRequest = {
  link: { url: LINK, room: 'abc-defg-hij', label: 'Google Meet abc-defg-hij' },
  displayName: 'Hansard',
  language: null,
  account: null,
  elapsedMs: 0,
  wasAdmittedBefore: false,
}

function platformWith(changes: Partial<PagePlatform>): PagePlatform {
  const roster = createWireRoster()
  return {
    name: 'google_meet',
    title: 'Google Meet',
    origins: [],
    trafficFilter: { hosts: [], channels: [], sockets: [], calls: [] },
    pageModel: () => Promise.resolve(GOOGLE_MEET_PAGE_MODEL),
    resolveJoinUrl: () => Promise.resolve({ url: LINK }),
    joinSteps: {},
    captions: {
      turnOn: [],
      turnOnAgain: null,
      appearsOnlyWithSpeech: false,
      rowContent: 'turn',
      offPart: 'captionsTurnOn',
      onPart: 'captionsTurnOff',
      setLanguage: () => Promise.resolve(true),
    },
    chat: {
      maxChars: 500,
      mustStayOpen: false,
      isOpen: () => Promise.resolve(true),
      open: () => Promise.resolve(true),
      post: () => Promise.resolve(true),
    },
    hiddenSelectors: null,
    openParticipantList: () => Promise.resolve(true),
    parseParticipant: () => null,
    leave: () => Promise.resolve(true),
    cancelJoin: () => Promise.resolve(true),
    createWireReader: () => ({ roster, read: () => ({}) }),
    ...changes,
  }
}

type Listener = (event: object) => void

/** A slot without a browser. Its page shows the way into a Google Meet call. `onOpen` runs when the page is opened. */
function openFakeSlot(onOpen: (show: (message: unknown) => void, lose: () => void) => void) {
  const listeners = new Map<string, Listener>()
  const names = { binding: '', world: '' }
  const lost = new AbortController()
  let address = 'about:blank'
  const fire = (event: string, value: object) => listeners.get(event)?.(value)
  const cdpSession = {
    on: (event: string, listener: Listener) => void listeners.set(event, listener),
    send: (method: string, given: { name?: string; worldName?: string } = {}) => {
      if (method === 'Runtime.addBinding') names.binding = given.name ?? ''
      names.world = given.worldName ?? names.world
      return method === 'Page.captureScreenshot'
        ? Promise.resolve({ data: '' })
        : Promise.resolve({ result: {} })
    },
  }
  const page = {
    isClosed: () => false,
    on: () => undefined,
    url: () => address,
    close: () => Promise.resolve(),
    mouse: { move: () => Promise.resolve() },
    goto: () => {
      fire('Runtime.executionContextCreated', { context: { id: 1, name: names.world } })
      const show = (message: unknown) => {
        const payload = JSON.stringify([0, message])
        fire('Runtime.bindingCalled', { name: names.binding, payload, executionContextId: 1 })
      }
      onOpen(show, () => lost.abort(new BrowserSlotLostError('page crashed')))
      address = LINK
      return Promise.resolve(null)
    },
  }
  const slot = {
    page,
    cdpSession,
    lostSignal: lost.signal,
    reportActivity: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  return slot as unknown as BrowserSlot
}

const PREJOIN = [
  'observation',
  { address: LINK, language: 'en', words: '', parts: { nameInput: '' }, found: {}, count: null },
]

async function attend(
  platform: PagePlatform,
  onOpen: Parameters<typeof openFakeSlot>[0],
  changes: Partial<AttendOptions> = {},
  joinRequest = JOIN_REQUEST,
  signal = new AbortController().signal,
) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const pool = {
    acquire: () => Promise.resolve(openFakeSlot(onOpen)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const events: PlatformEvent[] = []
  const parts = { pool, log, timeouts: { rejoinMs: 1, leaveMs: 1 }, ...changes }
  for await (const event of attendMeetingInPage(platform, parts, joinRequest, signal))
    events.push(event)
  type Line = { msg: string; err?: { stack: string } } & Record<string, unknown>
  return { end: events.at(-1), events, lines: lines.map((line) => JSON.parse(line) as Line) }
}

test('a TypeError in a join step ends the visit as internal immediately, and the log has stack, step and page state', async () => {
  let tries = 0
  const failing = (): never => {
    tries += 1
    throw new TypeError(`cannot join ${LINK}`)
  }
  const platform = platformWith({ joinSteps: { prejoin: failing } })
  const { end, events, lines } = await attend(platform, (show) => show(PREJOIN))
  assert.equal(tries, 1)
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'internal' })
  assert.ok(events.some(({ kind }) => kind === 'evidence'))
  const [line, ...more] = lines
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(line, {
    msg: 'page session failed with an unexpected error',
    platform: 'google_meet',
    step: 'join step prejoin',
    pageState: 'prejoin',
  })
  assert.match(
    line?.err?.stack ?? '',
    /^TypeError: cannot join .*\n\s+at failing .*attend-page\.test/,
  )
  assert.doesNotMatch(JSON.stringify(lines), /passcode/)
})

test('a TypeError while a message of the page is read ends the visit as internal', async () => {
  const failing = (): never => {
    throw new TypeError('cannot decode')
  }
  const platform = platformWith({
    createWireReader: () => ({ roster: createWireRoster(), read: failing }),
    parseParticipant: failing,
  })
  const item = { id: '1', label: 'Ana', name: 'Ana', isHost: false, notes: [] }
  const { end, lines } = await attend(platform, (show) => show(['participants', [item]]))
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'internal' })
  assert.partialDeepStrictEqual(lines, [{ step: 'read participants', platform: 'google_meet' }])
})

test('a TypeError before a browser slot is acquired ends the visit as internal', async () => {
  const failing = () => Promise.reject(new TypeError('no page model'))
  const { end, lines } = await attend(platformWith({ pageModel: failing }), () => undefined)
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'internal' })
  assert.match(lines[0]?.err?.stack ?? '', /no page model/)
})

test('time-outs of the page do not end a visit, and are not logged', async () => {
  const timeout = Object.assign(new Error('Timeout 2500ms exceeded'), { name: 'TimeoutError' })
  const platform = platformWith({ joinSteps: { prejoin: () => Promise.reject(timeout) } })
  const { end, lines } = await attend(platform, (show) => show(PREJOIN), {
    timeouts: { arriveMs: 1_200 },
  })
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'page_not_loaded' })
  assert.deepEqual(lines, [])
})

test('a bot acquires its browser before its join time, and opens the page then', async () => {
  const order: string[] = []
  const joinTime = {
    at: new Date(),
    wait: async () => void order.push('join time'),
  }
  const pool = {
    acquire: async () => {
      order.push('browser')
      return openFakeSlot((_, lose) => {
        order.push('page')
        lose()
      })
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  await attend(platformWith({}), () => undefined, { pool }, { ...JOIN_REQUEST, joinTime })
  assert.deepEqual(order.slice(0, 3), ['browser', 'join time', 'page'])
})

test('a page that crashes is joined again, until it has crashed four times', async () => {
  let opened = 0
  const { end, lines } = await attend(platformWith({}), (_, lose) => {
    opened += 1
    lose()
  })
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'browser_crashed' })
  assert.equal(opened, 4)
  assert.deepEqual(lines, [])
})

test('a report of the script in the page is logged once for each text and session', async () => {
  const { lines } = await attend(
    platformWith({}),
    (show) => {
      for (let i = 0; i < 3; i += 1) show(['error', `failed at ${LINK}`])
      show(['error', 'another'])
    },
    { timeouts: { arriveMs: 1 } },
  )
  assert.deepEqual(
    lines.map(({ msg, report }) => [msg, report]),
    [
      [
        'script in the meeting page reported a problem',
        'failed at https://meet.google.com/abc-defg-hij',
      ],
      ['script in the meeting page reported a problem', 'another'],
    ],
  )
})

test('a page that cannot be opened ends with the finding of the network check and its advice', async () => {
  const asked: string[] = []
  const refuse = () => {
    throw new Error(`page.goto: net::ERR_SOCKS_CONNECTION_HOST_UNREACHABLE at ${LINK}`)
  }
  const fault = { name: 'name_not_found', host: 'meet.google.com', reason: 'ENOTFOUND' } as const
  const probeSite = async (host: string) => {
    asked.push(host)
    return { ok: false, fault } as const
  }
  const timeouts = { reopenMs: 1 }
  const { end, events } = await attend(platformWith({}), refuse, { probeSite, timeouts })
  const { what, fix } = describeNetworkFault(fault, 'Google Meet')
  assert.deepEqual(end, { kind: 'over', because: 'page_not_loaded', detail: `${what}. ${fix}` })
  assert.deepEqual(asked, ['meet.google.com'])
  // The browser's error page is not a picture of the meeting.
  assert.ok(events.every(({ kind }) => kind !== 'evidence'))

  const reachable = async () => ({ ok: true, status: 200 }) as const
  const other = await attend(platformWith({}), refuse, { probeSite: reachable, timeouts })
  assert.match(
    (other.end as { detail: string }).detail,
    /meeting page: ERR_SOCKS_CONNECTION_HOST_UNREACHABLE$/,
  )
})

test('a browser that is lost during the network check ends the check, and the page is opened again', async () => {
  const refuse = (_: unknown, lose: () => void) => {
    loseBrowser = lose
    throw new Error(`page.goto: net::ERR_SOCKS_CONNECTION_HOST_UNREACHABLE at ${LINK}`)
  }
  let loseBrowser = () => {}
  let checks = 0
  const probeSite = async (host: string, signal?: AbortSignal) => {
    checks += 1
    if (checks === 1) {
      loseBrowser()
      assert.ok(signal?.aborted)
    }
    return { ok: false, fault: { name: 'offline', host, reason: '' } } as const
  }
  const { end } = await attend(platformWith({}), refuse, {
    probeSite,
    timeouts: { reopenMs: 1, rejoinMs: 1 },
  })
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'page_not_loaded' })
  assert.equal(checks, 2)
})

const never = () => new Promise<never>(() => undefined)

test('a bot that is asked to leave before its page is opened leaves at once and opens no page', async () => {
  const stop = new AbortController()
  const resolveJoinUrl = () => {
    stop.abort()
    return never()
  }
  const { events, lines } = await attend(
    platformWith({ resolveJoinUrl }),
    () => assert.fail('opened'),
    {},
    JOIN_REQUEST,
    stop.signal,
  )
  assert.deepEqual([events, lines], [[], []])
})

test('an action on a page that hangs ends when the page is lost, and the bot joins again', async () => {
  let opened = 0
  let losePage = () => {}
  const prejoin = () => {
    losePage()
    return never()
  }
  const { end } = await attend(platformWith({ joinSteps: { prejoin } }), (show, lose) => {
    opened += 1
    losePage = lose
    show(PREJOIN)
  })
  assert.partialDeepStrictEqual(end, { kind: 'over', because: 'browser_crashed' })
  assert.equal(opened, 4)
})

test('a session leaves no timer behind when its page is lost after a message that could not be read', async () => {
  const pending = new Set<() => void>()
  let aheadMs = 0
  const timers: Timers = {
    now: () => systemTimers.now() + aheadMs,
    after(ms, run) {
      const stop = systemTimers.after(ms, () => {
        pending.delete(cancel)
        run()
      })
      const cancel = () => {
        pending.delete(cancel)
        stop()
      }
      pending.add(cancel)
      return cancel
    },
  }
  const stop = new AbortController()
  let breakPage = () => {}
  let reads = 0
  const platform = platformWith({
    parseParticipant: () => {
      throw new TypeError('cannot read')
    },
    // The session reads it before the call begins, and again during the call.
    readOwnId: async () => {
      reads += 1
      if (reads === 2) breakPage()
      return null
    },
  })
  const item = { id: '1', label: 'Ana', name: 'Ana', isHost: false, notes: [] }
  const inCall = { ...(PREJOIN[1] as object), parts: { chatButton: '' } }
  const onOpen: Parameters<typeof openFakeSlot>[0] = (show, lose) => {
    show(['observation', inCall])
    // A page is in the call only after it has looked like that for a while.
    aheadMs += 10_000
    show(['unchanged'])
    breakPage = () => {
      show(['participants', [item]])
      lose()
      stop.abort()
    }
  }
  const { events } = await attend(platform, onOpen, { timers }, JOIN_REQUEST, stop.signal)
  assert.ok(events.some(({ kind }) => kind === 'admitted'))
  const left = [...pending]
  for (const cancel of left) cancel()
  assert.equal(left.length, 0)
})
