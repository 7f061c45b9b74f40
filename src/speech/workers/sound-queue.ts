import { joinSamples, toMs, type SoundChunk } from '../sound.ts'

/** Sound of a voice, or its end, on its way to a worker. */
export type QueueItem = SoundChunk & {
  voice: string
  isEnd: boolean
  /** Speech starts here after a pause, so that everything before it can be given up without cutting a word. */
  startsUtterance: boolean
  /** The worker has confirmed it, but may need it until its utterance is complete. */
  isHeard: boolean
}

/**
 * The sound of one session, in the order in which it arrived: first what waits for the worker, then, until the worker
 * does not need it any more, what was sent.
 */
export interface SoundQueue {
  add(item: QueueItem): void
  /** Moves the oldest waiting item to those that were sent. */
  next(): QueueItem | null
  /** Removes the oldest utterance of which nothing was sent, and returns its sound; empty when nothing waits. */
  dropOldestUtterance(): QueueItem[]
  /** The worker has heard a voice up to a position, and does not need its sound before another one any more. */
  confirm(voice: string, heardTo: number, keepFrom: number): void
  /** The worker has handled the oldest end of a voice. */
  confirmEnd(voice: string): void
  /** Everything that was sent waits again, after the worker was lost. */
  takeBack(): void
  /** Removes the sound of a voice between two positions, and returns it. */
  cutOut(voice: string, from: number, to: number): QueueItem[]
  /** The oldest sound that was sent and not confirmed. */
  oldestUnconfirmed(): QueueItem | null
  /** The oldest sound that was not confirmed, sent or not. */
  oldestUnheard(): QueueItem | null
  waitingMs(): number
  /** Length of the sound that was sent and not confirmed. */
  unconfirmedMs(): number
  /** Whether anything of a voice, or of all voices, waits or was not confirmed. */
  isPending(voice?: string): boolean
  /** Removes everything, and returns the sound. */
  clear(): QueueItem[]
}

export function createSoundQueue(): SoundQueue {
  let waiting: QueueItem[] = []
  let sent: QueueItem[] = []
  let waitingSamples = 0

  return {
    add(item) {
      waiting.push(item)
      waitingSamples += item.samples.length
    },
    next() {
      const item = waiting.shift()
      if (item === undefined) return null
      waitingSamples -= item.samples.length
      sent.push(item)
      return item
    },
    dropOldestUtterance() {
      const start = waiting.findIndex(({ startsUtterance }) => startsUtterance)
      // Without one, everything that waits is the end of utterances that have begun to be sent.
      const first = start === -1 ? waiting.findIndex(({ isEnd }) => !isEnd) : start
      const dropped = waiting.slice(first, first + 1)
      if (first === -1) return []
      for (const item of waiting.slice(first + 1)) {
        if (item.voice !== dropped[0]?.voice) continue
        if (start === -1 || item.isEnd || item.startsUtterance) break
        dropped.push(item)
      }
      waiting = waiting.filter((item) => !dropped.includes(item))
      for (const { samples } of dropped) waitingSamples -= samples.length
      return dropped
    },
    confirm(voice, heardTo, keepFrom) {
      const endOf = (item: QueueItem) => item.position + item.samples.length
      const isOther = (item: QueueItem) => item.voice !== voice || item.isEnd
      sent = sent.filter((item) => isOther(item) || endOf(item) > keepFrom)
      for (const item of sent) if (!isOther(item) && endOf(item) <= heardTo) item.isHeard = true
    },
    confirmEnd(voice) {
      const index = sent.findIndex((item) => item.voice === voice && item.isEnd)
      if (index !== -1) sent.splice(index, 1)
    },
    takeBack() {
      waiting = [...sent.map((item) => ({ ...item, isHeard: false })), ...waiting]
      sent = []
      waitingSamples = waiting.reduce((sum, { samples }) => sum + samples.length, 0)
    },
    cutOut(voice, from, to) {
      const removed: QueueItem[] = []
      const cut = (item: QueueItem): QueueItem[] => {
        const end = item.position + item.samples.length
        if (item.voice !== voice || item.isEnd || end <= from || item.position >= to) return [item]
        removed.push(...cutItem(item, Math.max(item.position, from), Math.min(end, to)))
        return [
          ...cutItem(item, item.position, Math.min(end, from)),
          ...cutItem(item, Math.max(item.position, to), end),
        ]
      }
      sent = sent.flatMap(cut)
      waiting = waiting.flatMap(cut)
      waitingSamples = waiting.reduce((sum, { samples }) => sum + samples.length, 0)
      return removed
    },
    oldestUnconfirmed: () => sent.find(isUnheardSound) ?? null,
    oldestUnheard: () => sent.find(isUnheardSound) ?? waiting.find(isUnheardSound) ?? null,
    waitingMs: () => toMs(waitingSamples),
    unconfirmedMs: () =>
      toMs(sent.reduce((sum, { isHeard, samples }) => sum + (isHeard ? 0 : samples.length), 0)),
    isPending(voice) {
      const isOfVoice = (item: QueueItem) => voice === undefined || item.voice === voice
      return waiting.some(isOfVoice) || sent.some((item) => isOfVoice(item) && !item.isHeard)
    },
    clear() {
      const cleared = [...sent, ...waiting]
      waiting = []
      sent = []
      waitingSamples = 0
      return cleared
    },
  }
}

function isUnheardSound({ isHeard, isEnd }: QueueItem): boolean {
  return !isHeard && !isEnd
}

/** The part of an item between two positions; empty when there is none. */
export function cutItem(item: QueueItem, from: number, to: number): QueueItem[] {
  if (to <= from) return []
  const offset = from - item.position
  return [
    {
      ...item,
      position: from,
      startsAt: item.startsAt + toMs(offset),
      samples: item.samples.slice(offset, offset + to - from),
    },
  ]
}

export function mergeItems(first: QueueItem, second: QueueItem): QueueItem {
  return { ...first, samples: joinSamples([first.samples, second.samples]) }
}
