import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import { CursorLost } from '../provider.ts'

/** A round lists the conferences that ended since `from`. */
export type ConferenceCursor = {
  from: Date
  /** When the round began. */
  roundAt: Date
  /** Undefined at the beginning of a round. */
  pageToken?: string | undefined
}

/** Google may list a conference or its transcript a while after the end, so the next round begins this long before. */
const OVERLAP_MS = 3 * HOUR_MS

const instant = z.iso.datetime().transform((text) => new Date(text))
const Cursor = z.object({
  from: instant,
  roundAt: instant.optional(),
  pageToken: z.string().optional(),
})

/** Throws `CursorLost` for a text that is not a cursor of this version. */
export function parseCursor(text: string, now: Date): ConferenceCursor {
  const parsed = Cursor.safeParse(tryParseJson(text))
  if (!parsed.success) throw new CursorLost()
  const { roundAt = now, ...cursor } = parsed.data
  return { ...cursor, roundAt }
}

export function continueRound({ from, roundAt }: ConferenceCursor, pageToken: string): string {
  return JSON.stringify({ from, roundAt, pageToken })
}

export function endRound({ from, roundAt }: ConferenceCursor): string {
  const next = Math.max(from.getTime(), roundAt.getTime() - OVERLAP_MS)
  return JSON.stringify({ from: new Date(next) })
}
