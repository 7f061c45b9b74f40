import type { PageRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { createHeldRows, type HeldRow } from './held-rows.ts'
import { charsOf, endOf, isCovered, mayBeOne, wordCount, type Utterance } from './told.ts'

/**
 * One stream of captions out of two. Both sources are always read, and one of them speaks.
 *
 * The wire speaks first. What changes on the page meanwhile is held; two seconds later the wire must have told
 * those words. When it has not, the page takes over: each row from the word on that the wire told last. An
 * utterance that the wire left open goes on under its id, so that its end can still be rewritten.
 *
 * While the page speaks, utterances of the wire are only counted; they stay the page's for ever. When nothing
 * has changed for a moment and the wire was in step by then, the wire speaks again, of utterances that begin
 * from then on. What the page shows at that moment counts as told.
 */
export interface CaptionSources {
  wire(caption: Caption & { version: number }, at: number): Caption[]
  row(row: PageRow, at: number): Caption[]
  tick(at: number): Caption[]
  nextTickAt(): number | null
  leader(): Leader
  /** When either source last had something. */
  heardAt(): number
}
export type Leader = 'wire' | 'page'

/** The two have been seen to differ by less than a second. */
const SILENT_MS = 2_000
const IN_STEP_MS = 1_500
const LULL_MS = 1_200
/** The same while an utterance is still open on the wire: it may go on. */
const OPEN_LULL_MS = 4_000
const MAX_TOLD = 40
const MAX_SKIPPED = 500

export function createCaptionSources(): CaptionSources {
  const rows = createHeldRows()
  let told: Utterance[] = []
  /** Utterances that are the page's, and whether they are over. */
  const skipped = new Map<string, boolean>()
  let leader: Leader = 'wire'
  let wireAt = -Infinity
  let rowAt = -Infinity
  let takeovers = 0

  function skip(captionId: string, isFinal: boolean): void {
    skipped.delete(captionId)
    skipped.set(captionId, isFinal)
    if (skipped.size > MAX_SKIPPED) skipped.delete(skipped.keys().next().value ?? '')
  }
  function remember(caption: Caption & { version: number }, at: number): void {
    const { captionId, speaker, text, version, isFinal = false } = caption
    told = told.filter((utterance) => utterance.captionId !== captionId).slice(1 - MAX_TOLD)
    told.push({ captionId, speaker, text, version, isFinal, at })
  }
  function toldOf(row: HeldRow, since: number): Utterance[] {
    return told.filter(({ speaker, at }) => at >= since && mayBeOne(speaker, row.speaker))
  }

  /** From which word on the page tells a row, and under which id. */
  function bind(row: HeldRow): void {
    const base = row.base === '' ? null : endOf(row.base, row.text)
    const from =
      row.base === '' ? 0 : (base?.words ?? Math.min(wordCount(row.base), wordCount(row.text)))
    const last = toldOf(row, row.since - IN_STEP_MS)
      .toReversed()
      .map((utterance) => ({ utterance, end: endOf(utterance.text, row.text) }))
      .find(({ end }) => end !== null && end.words >= from)
    const ownId = takeovers === 1 && from === 0 ? row.id : `${row.id}/${takeovers}`
    if (!last?.end)
      return rows.tell(row, {
        captionId: ownId,
        prefix: row.text.slice(0, charsOf(row.text, from)),
      })
    const { utterance, end } = last
    if (utterance.isFinal || isBound(utterance.captionId)) {
      return rows.tell(row, { captionId: ownId, prefix: row.text.slice(0, end.chars) })
    }
    const start = Math.max(from, end.words - wordCount(utterance.text))
    const prefix = row.text.slice(0, charsOf(row.text, start))
    rows.tell(row, { captionId: utterance.captionId, prefix, version: utterance.version })
  }
  function isBound(captionId: string): boolean {
    return rows.all().some((row) => row.telling?.captionId === captionId)
  }
  /** Words of a row that nobody has told, once it has waited long enough. */
  function isUntold(row: HeldRow, at: number): boolean {
    const { waiting } = row
    if (waiting === null || at - waiting.at < SILENT_MS) return false
    row.waiting = row.text === waiting.text ? null : { text: row.text, at }
    if (isCovered(waiting.text, toldOf(row, waiting.at - IN_STEP_MS))) return false
    bind({ ...row, text: waiting.text })
    const isNew = rows.unsaid(row, waiting.text) !== ''
    row.telling = null
    return isNew
  }
  function takeOver(): Caption[] {
    leader = 'page'
    takeovers += 1
    for (const { captionId, isFinal } of told) skip(captionId, isFinal)
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
  function lullMs(): number {
    return [...skipped.values()].includes(false) ? OPEN_LULL_MS : LULL_MS
  }

  return {
    wire(caption, at) {
      const { captionId, isFinal = false } = caption
      if (leader === 'wire' && skipped.has(captionId)) return []
      wireAt = at
      if (leader === 'page') {
        skip(captionId, isFinal)
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
        const isOrphaned = rows.all().some((row) => isUntold(row, at))
        rows.forget(at)
        return isOrphaned ? takeOver() : []
      }
      const isInStep = wireAt >= rowAt - IN_STEP_MS
      if (isInStep && at - rowAt >= lullMs()) handBack()
      rows.forget(at)
      return []
    },
    nextTickAt() {
      if (leader === 'page') return wireAt >= rowAt - IN_STEP_MS ? rowAt + lullMs() : null
      const waits = rows.all().flatMap(({ waiting }) => (waiting ? [waiting.at + SILENT_MS] : []))
      return waits.length === 0 ? null : Math.min(...waits)
    },
    leader: () => leader,
    heardAt: () => Math.max(wireAt, rowAt),
  }
}
