import { growDrafts } from '../../../src/bots/platforms/practice/caption-growth.ts'
import type { Attendance } from '../attendance.ts'
import { createRowNoise } from './row-noise.ts'
import type { Knobs } from '../knobs.ts'
import { roughenEnd } from './caption-pacing.ts'
import type { CaptionRows, CaptionState } from './caption-rows.ts'
import type { ScaledTimers } from '../scaled-timers.ts'
import type { PlatformWire } from '../wires/platform-wire.ts'

export type CaptionInput = { captionId: string; speaker: string; text: string } & Partial<
  Pick<CaptionState, 'isFinal' | 'isGone' | 'isTwin'>
>

/** What is said and written: on the pages and on the wires of everybody in the call. */
export function createConversation(parts: {
  company: Attendance
  wire: PlatformWire
  rows: CaptionRows
  timers: ScaledTimers
  knobs: Knobs
}) {
  const { company, wire, rows, timers, knobs } = parts
  const showRow = createRowNoise(
    knobs,
    (event) => {
      for (const guest of company.pagesInCall()) guest.send(event)
    },
    timers.later,
  )
  const lastTexts = new Map<string, string>()
  let isHushed = false
  let captions = 0
  let messages = 0

  function caption(said: CaptionInput): void {
    const speech = {
      isFinal: false,
      isGone: false,
      isTwin: false,
      ...said,
      speaker: company.participantById(said.speaker),
    }
    showRow(rows.apply(speech, timers.now()))
    if (speech.isGone || speech.isTwin) return
    // A row that comes back says nothing new.
    const isNew = lastTexts.get(said.captionId) !== said.text
    if (isNew && !isHushed) wire.sendCaption(company.pagesInCall(), speech)
    lastTexts.set(said.captionId, said.text)
  }

  return {
    /** From now on the wire carries no captions, or carries them again; the pages go on. */
    hush(isSilent: boolean): void {
      isHushed = isSilent
    },
    /** The whole text of one caption at this moment. */
    caption,
    /** Lets a caption grow word by word through its drafts, at the pace of the knob. */
    async say(speaker: string, ...drafts: string[]): Promise<void> {
      const captionId = `said-${++captions}`
      const texts = growDrafts(drafts)
      for (const [i, text] of texts.entries()) {
        const isFinal = i === texts.length - 1
        const shown = isFinal ? text : roughenEnd(text, knobs.correctionDepth)
        caption({ captionId, speaker, text: shown, isFinal })
        await timers.sleep(knobs.cadenceMs)
      }
    },
    chat(speaker: string, text: string): void {
      const from = company.participantById(speaker)
      const message = { from, text, messageId: `spaces/stage/messages/${++messages}` }
      for (const guest of company.pagesInCall()) {
        guest.send({ kind: 'chat', ...message })
        wire.sendChat(guest, message)
      }
    },
  }
}
