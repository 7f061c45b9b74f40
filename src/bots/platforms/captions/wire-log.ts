import { extractWordKeys } from '../../../lib/text/split-words.ts'
import type { Caption } from '../platform.ts'
import type { TrackedPageRow } from './tracked-row.ts'
import { mayBeSameSpeaker, removeDuplicateUtterances, type WireUtterance } from './text-overlap.ts'

const MAX_UTTERANCES = 200
const MAX_WORDS_PER_UTTERANCE = 2_000
/** How many utterances are compared with a row; enough to find how much of the row is published. */
const MAX_JOINED = 8
const MAX_SKIPPED = 500
/** How long after the wire published words the page may show them for the first time. */
const LATE_MS = 15_000

export type WireUtteranceHistory = ReturnType<typeof createWireUtteranceHistory>

/** Records what the wire published recently, and which utterances the page publishes instead. */
export function createWireUtteranceHistory(rowMatchToleranceMs: number) {
  let utterances: WireUtterance[] = []
  /**
   * The utterances that the page publishes instead of the wire, by caption id: when they last changed, or null when
   * they are complete.
   */
  const skipped = new Map<string, number | null>()

  function skip({ captionId, isFinal = false }: Caption, at: number): void {
    skipped.delete(captionId)
    skipped.set(captionId, isFinal ? null : at)
    if (skipped.size > MAX_SKIPPED) skipped.delete(skipped.keys().next().value ?? '')
  }

  function isAbout(one: WireUtterance, at: number): boolean {
    const since = one.shownAt ?? (one.at >= at - LATE_MS ? at : one.at)
    return Math.max(one.at, since) >= at - rowMatchToleranceMs
  }

  return {
    skip,
    isSkipped: (captionId: string) => skipped.has(captionId),
    /** When the newest unfinished utterance that the page publishes instead of the wire last changed. */
    skippedOpenAt: () => Math.max(-Infinity, ...[...skipped.values()].map((at) => at ?? -Infinity)),
    /** Records a version of an utterance. `isHeld`: the wire has it, but does not publish it yet. */
    record(caption: Caption & { version: number }, at: number, isHeld = false): void {
      const { captionId, speaker, text, version, isFinal = false } = caption
      const before = utterances.find((utterance) => utterance.captionId === captionId)
      const words = [...(before?.wordsOfAllVersions ?? []), ...extractWordKeys(text)].slice(
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
        isHeld,
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
    /** The utterances of the wire whose text a caption row of the page may show, newest last. */
    utterancesFor(row: TrackedPageRow): WireUtterance[] {
      const own = utterances.filter(
        (one) =>
          !one.isHeld && isAbout(one, row.appearedAt) && mayBeSameSpeaker(one.speaker, row.speaker),
      )
      return removeDuplicateUtterances(own.slice(-2 * MAX_JOINED)).slice(-MAX_JOINED)
    },
    /** Marks all utterances recorded so far as published by the page instead of the wire. */
    skipAll(): void {
      for (const utterance of utterances) skip(utterance, utterance.at)
    },
    clear(): void {
      utterances = []
    },
  }
}
