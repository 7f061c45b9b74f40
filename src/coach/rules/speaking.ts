import type { CoachThresholds } from '../coach.ts'
import {
  type ConversationState,
  MAX_INSIGHT_SEGMENTS,
  type RecentSpeechCounts,
} from '../conversation.ts'
import { formatSpeakerName } from '../../language/clean-text.ts'
import type { CoachRule } from './rule.ts'

/** The current speaker speaks too fast, measured over recent speech of known duration. */
export const paceRule: CoachRule = {
  category: 'pace',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent }, thresholds) {
    const speaker = last?.speaker ?? ''
    if (speaker === '' || recent.totalsOf(speaker).measuredMs < thresholds.minMeasuredMs) return []
    const { words, ms, numbers } = latestSpeech(recent, speaker, thresholds.minMeasuredMs)
    const rate = (words / ms) * 60_000
    if (ms < thresholds.minMeasuredMs || rate <= thresholds.maxWordsPerMinute) return []
    return [
      {
        speaker,
        title: `${formatSpeakerName(speaker)} is speaking fast`,
        text: `${formatSpeakerName(speaker)} has been speaking at ${Math.floor(rate)} words per minute or more. A short pause helps others to follow.`,
        segmentNumbers: numbers,
        key: null,
      },
    ]
  },
}

/** The current speaker said most of the recent words although several people take part. */
export const recentWordShareRule: CoachRule = {
  category: 'talk_balance',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent, participantCount }, thresholds) {
    const speaker = last?.speaker ?? ''
    const people = Math.min(recent.speakerCount(), participantCount ?? Infinity)
    const isConversation =
      recent.wordCount() >= thresholds.minBalanceWords && people >= thresholds.minBalanceSpeakers
    const share = recent.totalsOf(speaker).words / recent.wordCount()
    if (speaker === '' || !isConversation || share <= thresholds.maxTalkShare) return []
    const percent = Math.round(100 * share)
    const minutes = Math.round(thresholds.windowMs / 60_000)
    return [
      {
        speaker,
        title: `${formatSpeakerName(speaker)} is doing most of the talking`,
        text: `${formatSpeakerName(speaker)} said ${percent} % of the words in the last ${minutes} minutes, with ${recent.speakerCount()} people speaking. Ask the others for their view.`,
        segmentNumbers: recent.segmentNumbersOf(speaker),
        key: null,
      },
    ]
  },
}

/** One speaker has spoken for a long time without interruption. Reported once per uninterrupted run. */
export const monologueRule: CoachRule = {
  category: 'monologue',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ run, participantCount }, thresholds) {
    if (run === null || run.speaker === '' || participantCount === 1) return []
    if (run.words < thresholds.monologueWords) return []
    return [
      {
        speaker: run.speaker,
        title: `${formatSpeakerName(run.speaker)} has been speaking for a long time`,
        text: `${formatSpeakerName(run.speaker)} has said ${run.words} words without anyone else speaking. A question to the others would bring them in.`,
        segmentNumbers: [...run.segmentNumbers],
        key: String(run.firstSegmentNumber),
      },
    ]
  },
}

/** The current speaker has used many filler words recently. */
export const fillerRule: CoachRule = {
  category: 'filler',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: true,
  find({ last, recent }, thresholds) {
    const speaker = last?.speaker ?? ''
    const { words, fillers } = recent.totalsOf(speaker)
    if (
      speaker === '' ||
      words < thresholds.minFillerWords ||
      fillers <= thresholds.maxFillerShare * words
    ) {
      return []
    }
    return [
      {
        speaker,
        title: `${formatSpeakerName(speaker)} uses many filler words`,
        text: `${formatSpeakerName(speaker)} used ${fillers} fillers such as “um” or “you know” in the last ${words} words. A silent pause works just as well.`,
        segmentNumbers: recent.segmentNumbersOf(speaker),
        key: null,
      },
    ]
  },
}

/** A question after which no one else spoke. The text says "aloud", because the coach sees no chat or raised hands. */
export const unansweredQuestionRule: CoachRule = {
  category: 'unanswered_question',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find(conversation, thresholds, now) {
    const { question } = conversation
    const due = nextDue(conversation, thresholds)
    if (question === null || due === null || now < due.dueAt) return []
    const { speaker, number, quote } = question
    return [
      {
        speaker,
        title: 'Unanswered question',
        text: `No one has answered ${speaker === '' ? 'this question' : formatSpeakerName(speaker)} aloud: ${quote}`,
        segmentNumbers: [number],
        key: due.key,
      },
    ]
  },
  nextDue,
}

function latestSpeech(
  recent: RecentSpeechCounts,
  speaker: string,
  enoughMs: number,
): { words: number; ms: number; numbers: number[] } {
  const all = recent.entries()
  const numbers: number[] = []
  let [words, ms] = [0, 0]
  for (let i = all.length - 1; i >= 0 && ms < enoughMs; i -= 1) {
    const entry = all[i]
    if (entry?.speaker !== speaker) continue
    words += entry.measuredWords
    ms += entry.measuredMs
    if (numbers.length < MAX_INSIGHT_SEGMENTS) numbers.unshift(entry.number)
  }
  return { words, ms, numbers }
}

function nextDue(
  { question, participantCount }: ConversationState,
  { answerWaitMs }: CoachThresholds,
): { speaker: string; key: string; dueAt: number } | null {
  if (question === null || participantCount === 1) return null
  const { speaker, number, askedAt } = question
  return { speaker, key: String(number), dueAt: askedAt + answerWaitMs }
}
