import { growthOf } from '../../src/platforms/practice/growth.ts'
import type { Company } from './company.ts'
import { createDisturbance } from './disturb.ts'
import type { Knobs } from './knobs.ts'
import { roughEnd } from './rough.ts'
import type { Rows, Speech } from './rows.ts'
import type { Timers } from './timers.ts'
import type { Wire } from './wire.ts'

export type Said = { captionId: string; speaker: string; text: string } & Partial<
  Pick<Speech, 'isFinal' | 'isGone' | 'isTwin'>
>

/** What is said and written: on the pages and on the wires of everybody in the call. */
export function createVoice(parts: {
  company: Company
  wire: Wire
  rows: Rows
  timers: Timers
  knobs: Knobs
}) {
  const { company, wire, rows, timers, knobs } = parts
  const showRow = createDisturbance(
    knobs,
    (event) => {
      for (const guest of company.inCall()) guest.send(event)
    },
    timers.later,
  )
  const lastTexts = new Map<string, string>()
  let isHushed = false
  let captions = 0
  let messages = 0

  function caption(said: Said): void {
    const speech = {
      isFinal: false,
      isGone: false,
      isTwin: false,
      ...said,
      speaker: company.playerFor(said.speaker),
    }
    showRow(rows.apply(speech, timers.now()))
    if (speech.isGone || speech.isTwin) return
    // A row that comes back says nothing new.
    const isNew = lastTexts.get(said.captionId) !== said.text
    if (isNew && !isHushed) wire.caption(company.inCall(), speech)
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
      const texts = growthOf(drafts)
      for (const [i, text] of texts.entries()) {
        const isFinal = i === texts.length - 1
        const shown = isFinal ? text : roughEnd(text, knobs.correctionDepth)
        caption({ captionId, speaker, text: shown, isFinal })
        await timers.sleep(knobs.cadenceMs)
      }
    },
    chat(speaker: string, text: string): void {
      const from = company.playerFor(speaker)
      const message = { from, text, messageId: `spaces/stage/messages/${++messages}` }
      for (const guest of company.inCall()) {
        guest.send({ kind: 'chat', ...message })
        wire.chat(guest, message)
      }
    },
  }
}
