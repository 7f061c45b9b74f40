import type { Caption } from '../../../bots/platforms/platform.ts'
import { extractWordKeys } from '../../../lib/text/words.ts'
import type { SegmentRules } from '../segment-rules.ts'
import type { OpenTurns } from '../turns/open-turns.ts'
import type { CaptionTurn } from '../turns/turn.ts'
import type { CaptionRow, CaptionRowTracker } from './row-tracker.ts'
import type { TurnIndex } from './turn-index.ts'

/** Assigns captions with version numbers to turns. They may arrive late, twice, or on two data channels. */
export type VersionedCaptionTracker = ReturnType<typeof createVersionedCaptionTracker>

/** When the source changed a caption, and when it was received. A late caption can be older than the one before it. */
type CaptionTimes = { at: number; receivedAt: number }

type RecentCaption = CaptionTimes & { caption: Caption; turn: CaptionTurn }

/** A caption with fewer words is matched only within the short lag, because few words are often repeated. */
const LATE_WORDS = 3
const SHORT_LAG_MS = 700

export function createVersionedCaptionTracker(
  turnIndex: TurnIndex,
  openTurns: OpenTurns,
  rows: CaptionRowTracker,
  rules: SegmentRules,
) {
  const channels = createChannelDuplicateDetector(rules.duplicateChannelMs)

  /** Returns the turn that already has this caption from another data channel. */
  function joinDuplicate(
    id: string,
    channel: string,
    duplicate: CaptionTurn,
    known: CaptionTurn | undefined,
  ): CaptionTurn {
    if (known && !known.channels.some((one) => duplicate.channels.includes(one)))
      return mergeTurns(duplicate, known)
    // The speaker began two captions with the same words, and this one was mistaken for the first.
    if (known) known.channels = known.channels.filter((one) => one !== channel)
    turnIndex.assign(id, duplicate)
    return duplicate
  }

  /** Keeps the turn with more final text, or the newer version if both have the same, and drops the other. */
  function mergeTurns(duplicate: CaptionTurn, known: CaptionTurn): CaptionTurn {
    const difference =
      known.finalWords.length - duplicate.finalWords.length || known.version - duplicate.version
    const [kept, dropped] = difference > 0 ? [known, duplicate] : [duplicate, known]
    kept.channels = kept.channels.concat(dropped.channels)
    turnIndex.merge(dropped, kept)
    channels.merge(dropped, kept)
    openTurns.drop(dropped)
    dropped.isClosed = true
    return kept
  }

  return {
    /** The turn to update with this version; undefined if the turn already has this version or a newer one. */
    findOrStartTurn(caption: Caption, row: CaptionRow): CaptionTurn | undefined {
      const known = turnIndex.find(row.id)
      const duplicate = channels.findDuplicate(caption, known, row)
      const { channel = '' } = caption
      const turn = duplicate ? joinDuplicate(row.id, channel, duplicate, known) : known
      const current = turn ?? rows.startTurn(row)
      if (!current) return undefined
      if (channel !== '' && !current.channels.includes(channel))
        current.channels = current.channels.concat(channel)
      channels.record(caption, current, row)
      const version = caption.version ?? current.version
      if (turn && version <= current.version && !caption.isFinal) return undefined
      current.isVersioned = true
      current.leadRowId = row.id
      current.version = Math.max(version, current.version)
      return current
    },
  }
}

/** Detects a caption that arrives twice under different ids, on two data channels of the meeting. */
function createChannelDuplicateDetector(withinMs: number) {
  const recent: RecentCaption[] = []
  const dropOld = (receivedAt: number) => {
    const first = recent.findIndex((entry) => receivedAt - entry.receivedAt <= withinMs)
    if (first !== 0) recent.splice(0, first === -1 ? recent.length : first)
  }
  return {
    /**
     * Finds another turn that received the same version of the same text on another data channel. A turn that already has
     * a caption from this channel is not a duplicate: the speaker repeated the words.
     */
    findDuplicate(
      caption: Caption,
      turn: CaptionTurn | undefined,
      { at, receivedAt }: CaptionTimes,
    ): CaptionTurn | undefined {
      const { channel, version, speaker, text } = caption
      dropOld(receivedAt)
      if (channel === undefined) return undefined
      const isDistinct = caption.isFinal || extractWordKeys(text).length >= LATE_WORDS
      const maxLagMs = isDistinct ? withinMs : SHORT_LAG_MS
      return recent.find(
        (entry) =>
          Math.abs(at - entry.at) <= maxLagMs &&
          entry.turn !== turn &&
          entry.caption.channel !== channel &&
          !entry.turn.channels.includes(channel) &&
          entry.caption.version === version &&
          entry.caption.speaker === speaker &&
          entry.caption.text === text,
      )?.turn
    },
    /** Assigns the recorded captions of one turn to another. */
    merge(from: CaptionTurn, into: CaptionTurn) {
      for (const entry of recent) if (entry.turn === from) entry.turn = into
    },
    record(caption: Caption, turn: CaptionTurn, { at, receivedAt }: CaptionTimes) {
      if (caption.channel !== undefined) recent.push({ caption, turn, at, receivedAt })
    },
  }
}
