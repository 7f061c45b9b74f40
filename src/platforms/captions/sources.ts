import type { PageRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { createHeldRows, type HeldRow } from './held-rows.ts'
import {
  charsOf,
  endOf,
  isCovered,
  mayBeOne,
  withoutTwins,
  wordCount,
  type Utterance,
} from './told.ts'

/**
 * One stream of captions out of two. Both sources are always read, and one of them speaks.
 *
 * The wire speaks first. What changes on the page meanwhile is held; two seconds later the wire must have told
 * those words. When it has not, but has told later ones, the page tells what was left out. When it has told
 * nothing since, the page takes over: each row from the word on that the wire told last. An utterance that the
 * wire left open goes on under its id, so that its end can still be rewritten.
 *
 * While the page speaks, utterances of the wire are only counted; they stay the page's for ever. When nothing
 * has changed for a moment and the wire was in step by then, the wire speaks again, of utterances that begin
 * from then on. What the page shows at that moment counts as told.
 */
export interface CaptionSources {
  wire(caption: Caption & { version: number }, at: number): Caption[]
  row(row: PageRow, at: number): Caption[]
  tick(at: number): Caption[]
  /** Infinity while there is nothing to wait for. */
  nextTickAt(): number
  /** The visit is over: what only the page has is told now. */
  flush(at: number): Caption[]
  leader(): Leader
  /** When either source last had something. */
  heardAt(): number
}
export type Leader = 'wire' | 'page'

/** The two have been seen to differ by less than a second. */
const SKEW_MS = 1_000
const SILENT_MS = 2_000
const IN_STEP_MS = 1_500
const LULL_MS = 1_200
/** The same while an utterance is still open on the wire: it may go on. */
const OPEN_LULL_MS = 4_000
const MAX_TOLD = 40
/** Enough to know a place in a row by. */
const MAX_JOINED = 8
const MAX_SKIPPED = 500

export function createCaptionSources(): CaptionSources {
  const rows = createHeldRows()
  let told: Utterance[] = []
  /** Utterances that are the page's: when they were last heard of, or null when they are over. */
  const skipped = new Map<string, number | null>()
  let leader: Leader = 'wire'
  let wireAt = -Infinity
  let rowAt = -Infinity
  let takeovers = 0
  let gaps = 0

  function skip({ captionId, isFinal = false }: Caption, at: number): void {
    skipped.delete(captionId)
    skipped.set(captionId, isFinal ? null : at)
    if (skipped.size > MAX_SKIPPED) skipped.delete(skipped.keys().next().value ?? '')
  }
  function remember(caption: Caption & { version: number }, at: number): void {
    const { captionId, speaker, text, version, isFinal = false } = caption
    told = told.filter((utterance) => utterance.captionId !== captionId).slice(1 - MAX_TOLD)
    told.push({ captionId, speaker, text, version, isFinal, at })
  }
  /** The utterances that a row may show, as long as the newest of them is not older than that. */
  function toldOf(row: HeldRow, newestSince: number): Utterance[] {
    const own = told.filter(
      ({ speaker, at }) => at >= row.since - IN_STEP_MS && mayBeOne(speaker, row.speaker),
    )
    const newest = Math.max(...own.map(({ at }) => at))
    return newest >= newestSince ? withoutTwins(own).slice(-MAX_JOINED) : []
  }

  /** From which word on the page tells a row, and under which id. */
  function bind(row: HeldRow): void {
    const words = wordCount(row.text)
    const from =
      row.base === ''
        ? 0
        : (endOf(row.base, row.text)?.words ?? Math.min(wordCount(row.base), words))
    const utterances = toldOf(row, row.since - IN_STEP_MS)
    const end = endOf(utterances.map(({ text }) => text).join(' '), row.text)
    const captionId = takeovers === 1 && from === 0 ? row.id : `${row.id}/${takeovers}`
    const tellFrom = (start: number, open?: Utterance) =>
      rows.tell(row, {
        captionId: open?.captionId ?? captionId,
        prefix: row.text.slice(0, charsOf(row.text, start)),
        ...(open && { version: open.version }),
      })
    if (end === null || end.words < from) return tellFrom(from)
    const last = lastShown(utterances, end.shown)
    if (!last || last.utterance.isFinal || isBound(last.utterance.captionId))
      return tellFrom(end.words)
    tellFrom(Math.max(from, end.words - last.shown), last.utterance)
  }
  function isBound(captionId: string): boolean {
    return rows.all().some((row) => row.telling?.captionId === captionId)
  }
  /** Words of a text that nobody has told. */
  function untoldIn(row: HeldRow, text: string): string {
    bind({ ...row, text })
    const untold = rows.unsaid(row, text)
    row.telling = null
    return untold
  }
  /** Looks after the texts of a row that have waited long enough: either told, or a gap, or an orphan. */
  function check(row: HeldRow, at: number): { isOrphan: boolean; gap: Caption[] } {
    const gap: Caption[] = []
    while (row.waiting[0] !== undefined && at - row.waiting[0].at >= SILENT_MS) {
      const [due] = row.waiting.splice(0, 1)
      if (due === undefined) break
      const isTold =
        isCovered(due.text, toldOf(row, due.at - IN_STEP_MS)) || untoldIn(row, due.text) === ''
      if (isTold) row.gap = null
      // The wire has gone on since: only what it left out is missing.
      else if (hasGoneOn(row, due.at)) gap.push(gapIn(row, due.text))
      else return { isOrphan: true, gap }
    }
    return { isOrphan: false, gap }
  }
  /** Later words are told already, perhaps before the page has shown them. */
  function hasGoneOn(row: HeldRow, since: number): boolean {
    return wireAt >= since + SKEW_MS || isCovered(row.text, toldOf(row, since))
  }
  function gapIn(row: HeldRow, text: string): Caption {
    row.gap ??= `${row.id}/gap${++gaps}`
    return { captionId: row.gap, speaker: row.speaker, text: untoldIn(row, text) }
  }
  function takeOver(): Caption[] {
    leader = 'page'
    takeovers += 1
    for (const utterance of told) skip(utterance, utterance.at)
    return rows.all().flatMap((row) => {
      bind(row)
      return rows.caption(row)
    })
  }
  function handBack(): void {
    leader = 'wire'
    told = []
    rows.settle()
  }
  /** When the wire may speak again, if nothing changes until then. */
  function handBackAt(): number {
    if (wireAt < rowAt - IN_STEP_MS) return Infinity
    const open = [...skipped.values()].map((at) => (at === null ? 0 : at + OPEN_LULL_MS))
    return Math.max(rowAt + LULL_MS, ...open)
  }

  return {
    wire(caption, at) {
      if (leader === 'wire' && skipped.has(caption.captionId)) return []
      wireAt = at
      if (leader === 'page') {
        skip(caption, at)
        return []
      }
      remember(caption, at)
      return [caption]
    },
    row(change, at) {
      const row = rows.see(change, at, leader)
      if (row === null) return []
      rowAt = at
      return leader === 'page' ? rows.caption(row) : []
    },
    tick(at) {
      if (leader === 'wire') {
        const checked = rows.all().map((row) => check(row, at))
        rows.forget(at)
        const gaps = checked.flatMap(({ gap }) => gap)
        return checked.some(({ isOrphan }) => isOrphan) ? [...gaps, ...takeOver()] : gaps
      }
      if (at >= handBackAt()) handBack()
      rows.forget(at)
      return []
    },
    nextTickAt() {
      if (leader === 'page') return handBackAt()
      const waits = rows
        .all()
        .flatMap(({ waiting: [first] }) => (first ? [first.at + SILENT_MS] : []))
      return Math.min(...waits)
    },
    flush(at) {
      if (leader === 'page') return []
      const checked = rows.all().map((row) => check(row, at + SILENT_MS))
      const gaps = checked.flatMap(({ gap }) => gap)
      return checked.some(({ isOrphan }) => isOrphan) ? [...gaps, ...takeOver()] : gaps
    },
    leader: () => leader,
    heardAt: () => Math.max(wireAt, rowAt),
  }
}

/** The utterance with the given word of all their words, and how many of its own words that makes. */
function lastShown(
  utterances: readonly Utterance[],
  words: number,
): { utterance: Utterance; shown: number } | null {
  let left = words
  for (const utterance of utterances) {
    const length = wordCount(utterance.text)
    if (left <= length) return { utterance, shown: left }
    left -= length
  }
  return null
}
