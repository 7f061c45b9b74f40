import type { LaneEvent, LaneEventRange } from '../../../src/deliveries/lane/lane-record.ts'
import type { SimulatedProcess } from './simulated-time.ts'
import type { SimulatedNode, SimulatedNodeParts } from './simulated-node.ts'
import { RECEIVER_MODES } from './simulated-receivers.ts'
import { previousSequenceFor, type LaneRow, type MeetingRow } from './tables.ts'

type Parts = SimulatedNodeParts & {
  nodes: Map<string, SimulatedNode>
  over: Set<string>
  addNode(): void
  stopNode(node: SimulatedNode): Promise<void>
  opGapMs(): number
}

const URLS = ['http://a.test/one', 'http://a.test/two', 'http://a.test/one?key=1', 'http://b.test/']
const FILTERS = [
  null,
  null,
  ['segment_finalized'],
  ['segment_finalized', 'caption_partial', 'document_saved'],
  ['participant_joined'],
]
const MAX_MEETINGS = 12
const MAX_NODES = 3
const OUTSIDE: SimulatedProcess = { id: 'outside', skewMs: 0, isDead: false, pausedUntil: 0 }

/** Injects random user actions and faults of nodes and receivers until end() is called. */
export function startFaultInjection(parts: Parts): { end(): void } {
  const { time, random, tables, receivers, nodes, checker } = parts
  const maxMeetings = random.between(1, MAX_MEETINGS)
  const urls = URLS.slice(0, random.between(1, URLS.length))
  let count = 0
  let hasEnded = false

  const setToken = (id: string, signing: string, others: readonly string[]) =>
    tables.tokens.set(id, { signing, alsoValid: others })
  /** `lastSequence` is null for the meeting's own lane, and the end of the range for a replay. */
  const addLane = (meeting: MeetingRow, from: number, lastSequence: number | null) => {
    count += 1
    const meetingLane = [...tables.lanes.values()].find((row) => row.meetingId === meeting.id)
    const url = random.pick(urls)
    const range: LaneEventRange =
      lastSequence === null
        ? { kind: 'meeting' }
        : {
            kind: 'replay',
            lastSequence,
            requestedAt: parts.wall(OUTSIDE),
            usesMeetingUrl: meetingLane?.url === url,
          }
    const begin = { deliveredThrough: from, previousSequence: 0 }
    const row: LaneRow = {
      id: `lane${count}`,
      fence: 0,
      meetingId: meeting.id,
      ...range,
      url,
      tokenId: `token${random.between(1, 2)}`,
      events: random.pick(FILTERS),
      meetingEndedAt: null,
      state: 'open',
      failures: 0,
      rejections: 0,
      failingSince: null,
      dueAt: parts.wall(OUTSIDE),
      lastError: null,
      owner: null,
      attempts: [],
      ...begin,
      begin,
    }
    begin.previousSequence = previousSequenceFor(
      tables,
      { ...row, begin: { ...begin, deliveredThrough: 0 } },
      from + 1,
    )
    row.previousSequence = begin.previousSequence
    tables.lanes.set(row.id, row)
  }
  const anyMeeting = () => {
    const meetings = [...tables.meetings.values()]
    return meetings.length === 0 ? null : random.pick(meetings)
  }
  const anyNode = () => (nodes.size === 0 ? null : random.pick([...nodes.values()]))

  const FAULTS: Array<[name: string, weight: number, inject: () => void]> = [
    [
      'a meeting starts',
      6,
      () => {
        if (tables.meetings.size >= maxMeetings) return
        const meeting = newMeeting(`meeting${tables.meetings.size + 1}`)
        tables.meetings.set(meeting.id, meeting)
        addLane(meeting, 0, null)
      },
    ],
    [
      'a meeting ends',
      1,
      () => {
        const meeting = anyMeeting()
        if (meeting !== null) parts.over.add(meeting.id)
      },
    ],
    [
      'a replay is requested',
      1,
      () => {
        const meeting = anyMeeting()
        if (meeting === null || meeting.events.length === 0) return
        const from = random.pick(meeting.events).sequence - 1
        const last = meeting.events.at(-1) as LaneEvent
        addLane(meeting, from, random.between(from + 1, last.sequence))
      },
    ],
    [
      'a meeting loses its owner',
      0.5,
      () => {
        const meeting = anyMeeting()
        if (meeting !== null) meeting.owner = null
      },
    ],
    [
      'a node dies',
      1,
      () => {
        const node = anyNode()
        if (node === null) return
        node.host.isDead = true
        nodes.delete(node.host.id)
      },
    ],
    [
      'a node is paused',
      1,
      () => {
        const node = anyNode()
        if (node === null) return
        const until = time.now() + random.between(100, 12_000)
        node.host.pausedUntil = Math.max(node.host.pausedUntil, until)
      },
    ],
    [
      'a node stops',
      0.5,
      () => {
        const node = anyNode()
        if (node !== null && node.host.pausedUntil <= time.now()) {
          void parts.stopNode(node).catch(checker.recordFailure)
        }
      },
    ],
    [
      'a node starts',
      3,
      () => {
        if (nodes.size < MAX_NODES) parts.addNode()
      },
    ],
    [
      'a receiver changes',
      6,
      () => receivers.modes.set(random.pick(urls), random.pick(RECEIVER_MODES)),
    ],
    [
      'a receiver fails briefly',
      6,
      () => {
        const url = random.pick(urls)
        receivers.modes.set(url, random.pick(['fails', 'refuses'] as const))
        time.after(null, random.between(1_000, 30_000), () => receivers.modes.delete(url))
      },
    ],
    ['all receivers are back', 2, () => receivers.modes.clear()],
    [
      'an event will be rejected',
      3,
      () => {
        const meeting = anyMeeting()
        if (meeting === null) return
        const sequence = meeting.lastSequence + random.between(0, 3)
        receivers.rejectionsLeft.set(`${meeting.id}_${sequence}`, random.pick([1, 3, Infinity]))
      },
    ],
    [
      'a receiver answers 410',
      0.1,
      () => {
        const meeting = anyMeeting()
        if (meeting !== null) receivers.gone.add(meeting.id)
      },
    ],
    ['a secret is rotated', 1, () => rotate(`token${random.between(1, 2)}`)],
    ['a token is removed', 0.02, () => tables.tokens.set(`token${random.between(1, 2)}`, null)],
  ]
  const rotate = (id: string) => {
    const secrets = tables.tokens.get(id)
    if (!secrets) return
    count += 1
    const [other] = secrets.alsoValid
    if (other === undefined) setToken(id, secrets.signing, [`ss_${count}`])
    else if (random.chance(0.5)) setToken(id, other, [secrets.signing])
    else setToken(id, secrets.signing, [])
  }
  const total = FAULTS.reduce((sum, [, weight]) => sum + weight, 0)
  const injectNext = () => {
    if (hasEnded) return
    let at = (random.between(0, 999_999) / 1_000_000) * total
    const chosen = FAULTS.find(([, weight]) => {
      at -= weight
      return at < 0
    })
    checker.log(chosen?.[0] ?? 'nothing')
    chosen?.[2]()
    time.after(null, parts.opGapMs(), injectNext)
  }
  setToken('token1', 'ss_1', [])
  setToken('token2', 'ss_2', [])
  time.after(null, 0, injectNext)
  return {
    end() {
      hasEnded = true
    },
  }
}

function newMeeting(id: string): MeetingRow {
  return {
    id,
    owner: null,
    fence: 0,
    claimAfter: 0,
    lastSequence: 0,
    reservedSequence: 0,
    segmentCount: 0,
    endedAt: null,
    events: [],
    partials: new Set(),
    finals: new Map(),
  }
}
