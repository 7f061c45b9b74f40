import { listGrowingCaptionTexts } from '../../../src/bots/platforms/practice/timeline.ts'
import type { Attendance } from '../attendance.ts'
import type { Knobs } from '../knobs.ts'
import type { ScaledTimers } from '../scaled-timers.ts'
import type { PlatformWire } from '../wires/platform-wire.ts'
import { roughenEnd } from './caption-pacing.ts'
import type { CaptionRows, CaptionState } from './caption-rows.ts'
import { createRowNoise } from './row-noise.ts'

export type CaptionInput = { captionId: string; speaker: string; text: string } & Partial<
  Pick<CaptionState, 'isFinal' | 'isGone' | 'isTwin'>
>

/** Sends captions and chat messages to every page in the call, and over its wire. */
export function createConversation(parts: {
  attendance: Attendance
  wire: PlatformWire
  rows: CaptionRows
  timers: ScaledTimers
  knobs: Knobs
}) {
  const { attendance, wire, rows, timers, knobs } = parts
  const showRow = createRowNoise(
    knobs,
    (event) => {
      for (const page of attendance.pagesInCall()) page.send(event)
    },
    timers.later,
  )
  const lastTexts = new Map<string, string>()
  let areWireCaptionsMuted = false
  let captions = 0
  let messages = 0

  function caption(said: CaptionInput): void {
    const speech = {
      isFinal: false,
      isGone: false,
      isTwin: false,
      ...said,
      speaker: attendance.participantById(said.speaker),
    }
    showRow(rows.apply(speech, timers.now()))
    if (speech.isGone || speech.isTwin) return
    // A row that only reappears has the same text.
    const isNew = lastTexts.get(said.captionId) !== said.text
    if (isNew && !areWireCaptionsMuted) wire.sendCaption(attendance.pagesInCall(), speech)
    lastTexts.set(said.captionId, said.text)
  }

  return {
    /** While muted, the wire carries no captions. The pages still show them. */
    setWireCaptionsMuted(isMuted: boolean): void {
      areWireCaptionsMuted = isMuted
    },
    /** Shows and sends the whole current text of one caption. */
    caption,
    /** Grows a caption word by word through its drafts, one change per `cadenceMs`. */
    async say(speaker: string, ...drafts: string[]): Promise<void> {
      const captionId = `said-${++captions}`
      const texts = listGrowingCaptionTexts(drafts)
      for (const [i, text] of texts.entries()) {
        const isFinal = i === texts.length - 1
        const shown = isFinal ? text : roughenEnd(text, knobs.correctionDepth)
        caption({ captionId, speaker, text: shown, isFinal })
        await timers.sleep(knobs.cadenceMs)
      }
    },
    /** Writes a chat message that arrives in these ways. */
    chat(speaker: string, text: string, by: Knobs['chatBy'] = knobs.chatBy): void {
      const from = attendance.participantById(speaker)
      const message = { from, text, messageId: `spaces/stage/messages/${++messages}` }
      for (const page of attendance.pagesInCall()) {
        page.send({ kind: 'chat', ...message, by })
        if (by.includes('wire')) wire.sendChat(page, message)
      }
    },
  }
}
