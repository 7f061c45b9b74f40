import type { Numbers, Partial } from '../../../src/deliveries/partials.ts'
import type { Db } from '../../../src/db/open.ts'
import type { EventRow } from '../../../src/meetings/ledger.ts'
import { HoldLost, type Hold } from '../../../src/meetings/store.ts'
import { createMeetingWriter, type MeetingWriter } from '../../../src/meetings/writer.ts'
import type { Random } from '../caption-streams.ts'
import { Outage, type Agenda, type Fault, type Host } from './agenda.ts'
import { LAST_PATH, writeEntry, type MeetingRow, type Tables } from './tables.ts'

/** What the bot has to do with the lane of its meeting on the same node, if there is one. */
export type BotLane = {
  tell(meetingId: string, events: readonly EventRow[]): void
  number(meetingId: string, numbers: Numbers | null): void
  show(meetingId: string, partial: Partial): void
  clear(meetingId: string, captionIds: readonly string[]): void
}

type Parts = {
  agenda: Agenda
  random: Random
  tables: Tables
  host: Host
  lane: BotLane
  wall(): number
  fault(): Fault
  blame(error: unknown): void
  /** How long until the bot sees something again. */
  gapMs(): number
  /** Whether the meeting is to end. */
  isOver(): boolean
}

export type Bot = { hold: Hold; release(): void; readonly isGone: boolean }

/** Attends one meeting as the real one does: captions evolve, are taken back and become final. */
export function startBot(parts: Parts, { id, fence, ...stored }: MeetingRow): Bot {
  const { agenda, random, tables, host, lane, wall } = parts
  const hold = { meetingId: id, fence }
  const captions = new Map<string, number>()
  /** Clocks differ: what happened later can have an earlier time. */
  const skewMs = random.pick([0, 0, -90_000, 90_000])
  const eventAt = () => new Date(wall() + skewMs)
  let count = 0
  let isGone = false

  const ledger = {
    write: (entry: Parameters<typeof writeEntry>[1]) =>
      agenda.ask(host, () => writeEntry(tables, entry), parts.fault()),
  }
  const writer = createMeetingWriter({
    // Only moves use it, and here nothing moves.
    db: undefined as unknown as Db,
    ledger,
    hold,
    stored,
    onWritten: (events) => lane.tell(id, events),
  })
  const leave = () => {
    if (isGone) return
    isGone = true
    lane.number(id, null)
  }
  const showCaption = () => {
    const captionId = random.isLucky(0.4) || captions.size === 0 ? newCaption() : oldest(captions)
    const said = (captions.get(captionId) ?? 0) + 1
    captions.set(captionId, said)
    const at = wall()
    const timestamp = new Date(at).toISOString()
    const payload = { captionId, speaker: 'Ann', text: `${said}`, timestamp }
    const body = (sequence: number) =>
      JSON.stringify({ type: 'caption_partial', meetingId: id, sequence, timestamp, payload })
    lane.show(id, { captionId, at, body })
  }
  const newCaption = () => {
    count += 1
    return `c${fence}.${count}`
  }
  const finalise = async () => {
    const ids = [...captions.keys()].slice(0, random.between(1, 3))
    for (const captionId of ids) captions.delete(captionId)
    lane.clear(id, ids)
    const said = { speaker: 'Ann', text: 'So.', startedAt: wall() }
    const segments = ids.map((captionId) => ({ captionId, ...said }))
    if (segments.length > 0) await writer.segments(segments, eventAt())
  }
  const act = async () => {
    const at = eventAt()
    if (parts.isOver()) {
      await finalise()
      leave()
      await writer.flushed(1, 1, LAST_PATH, at)
    } else if (random.isLucky(0.7)) showCaption()
    else if (random.isLucky(0.6)) await finalise()
    else await other(writer, random, at)
  }
  const live = async () => {
    if (isGone) return
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Outage) && !(error instanceof HoldLost)) throw error
      leave()
      giveUp(tables, hold, agenda.now() + 15_000)
    }
    if (!isGone) agenda.after(host, parts.gapMs(), () => void live().catch(parts.blame))
  }

  lane.number(id, writer)
  agenda.after(host, 1, () => void live().catch(parts.blame))
  return {
    hold,
    release: leave,
    get isGone() {
      return isGone
    },
  }
}

function oldest(captions: ReadonlyMap<string, number>): string {
  const [first = ''] = captions.keys()
  return first
}

/** Events of other kinds, one or many at a time. */
async function other(writer: MeetingWriter, random: Random, at: Date): Promise<void> {
  if (random.isLucky(0.3)) return writer.flushed(1, 1, 'notes.md', at)
  const length = random.isLucky(0.02) ? random.between(60, 300) : random.between(1, 3)
  const people = Array.from({ length }, (_, i) => ({ id: `p${i}`, name: 'Bob' }))
  await writer.people({ joined: people, left: [], count: length }, at)
}

function giveUp(tables: Tables, { meetingId, fence }: Hold, claimAfter: number): void {
  const meeting = tables.meetings.get(meetingId)
  if (meeting?.fence === fence) Object.assign(meeting, { owner: null, claimAfter })
}
