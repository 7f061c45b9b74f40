import { wordKeys } from '../../../lib/text/split-words.ts'
import type { Caption } from '../platform.ts'
import type { TrackedRow } from './row-tracker.ts'
import { mayBeSameSpeaker, withoutDuplicates, type WireUtterance } from './text-overlap.ts'

const MAX_UTTERANCES = 200
const MAX_WORDS_PER_UTTERANCE = 2_000
/** Enough utterances to find the position in a row. */
const MAX_JOINED = 8
const MAX_SKIPPED = 500
/** How late a page may show words for the first time. */
const LATE_MS = 15_000

/** Records what the wire published recently, and which utterances the page publishes instead. */
export function createWireLog(inStepMs: number) {
  let utterances: WireUtterance[] = []
  /** Utterances that the page publishes: when they last changed, or null when they are complete. */
  const skipped = new Map<string, number | null>()

  function skip({ captionId, isFinal = false }: Caption, at: number): void {
    skipped.delete(captionId)
    skipped.set(captionId, isFinal ? null : at)
    if (skipped.size > MAX_SKIPPED) skipped.delete(skipped.keys().next().value ?? '')
  }

  function isAbout(one: WireUtterance, at: number): boolean {
    const since = one.shownAt ?? (one.at >= at - LATE_MS ? at : one.at)
    return Math.max(one.at, since) >= at - inStepMs
  }

  return {
    skip,
    isSkipped: (captionId: string) => skipped.has(captionId),
    /** When an unfinished utterance that the page publishes last changed. */
    skippedOpenAt: () => Math.max(-Infinity, ...[...skipped.values()].map((at) => at ?? -Infinity)),
    record(caption: Caption & { version: number }, at: number): void {
      const { captionId, speaker, text, version, isFinal = false } = caption
      const before = utterances.find((utterance) => utterance.captionId === captionId)
      const words = [...(before?.wordsOfAllVersions ?? []), ...wordKeys(text)].slice(
        -MAX_WORDS_PER_UTTERANCE,
      )
      utterances = utterances.filter((utterance) => utterance !== before).slice(1 - MAX_UTTERANCES)
      const shownAt = before?.shownAt ?? null
      utterances.push({
        captionId,
        speaker,
        text,
        version,
        isFinal,
        at,
        wordsOfAllVersions: new Set(words),
        shownAt,
      })
    },
    /** Utterances of a speaker that were published around the given time or later, or earlier but not shown yet. */
    about: (speaker: string, at: number) =>
      utterances.filter((one) => isAbout(one, at) && mayBeSameSpeaker(one.speaker, speaker)),
    /** Utterances of a speaker that were published at the given time or later. */
    since: (speaker: string, since: number) =>
      utterances.filter((one) => one.at >= since && mayBeSameSpeaker(one.speaker, speaker)),
    /** The utterances that a row may show, newest last. */
    utterancesFor(row: TrackedRow): WireUtterance[] {
      const own = utterances.filter(
        (one) => isAbout(one, row.appearedAt) && mayBeSameSpeaker(one.speaker, row.speaker),
      )
      return withoutDuplicates(own.slice(-2 * MAX_JOINED)).slice(-MAX_JOINED)
    },
    /** From now on the page publishes, including the utterances recorded so far. */
    skipAll(): void {
      for (const utterance of utterances) skip(utterance, utterance.at)
    },
    clear(): void {
      utterances = []
    },
  }
}
