import { readFileSync } from 'node:fs'
import type { Frame } from 'playwright-core'
import { messageOf } from '../lib/error-code.ts'
import type { Seat } from './seat.ts'

const SCRIPT = readFileSync(new URL('quiet.page.js', import.meta.url), 'utf8')

export type QuietWishes = {
  /** What nobody needs to see: tiles with pictures, as CSS selectors. They stay in the page and keep their size. */
  hides: readonly string[]
  /** Together or not at all, since each alone saves nothing: hidden tiles, no animation, two frames a second. */
  isStill?: boolean
  /** Whether pictures of others may come in. They are not asked for in the negotiation of a connection. */
  takesVideo?: boolean
}
type Settings = Required<QuietWishes>

const QUIET = { isStill: true, takesVideo: false }
const LOUD: Settings = { hides: [], isStill: false, takesVideo: true }

/**
 * Lets a page do less for a bot that only reads. Before the page is opened it counts from its first script on; later
 * it counts for what happens from then on. A platform that does not bear a connection without video gets it with
 * the next one by itself; a platform that notices anything else calls `loud`.
 */
export function quiet(seat: Seat, wishes: QuietWishes): Promise<void> {
  return settle(seat, { ...QUIET, ...wishes })
}

/** Undoes it, also for pages that are opened later. */
export function loud(seat: Seat): Promise<void> {
  return settle(seat, LOUD)
}

/** What is in force in the page now; null when it has never been quiet. */
export async function quietness(seat: Seat): Promise<Settings | null> {
  return seat.page.evaluate<Settings | null>(`window[Symbol.for('hansard.quiet')]?.({}) ?? null`)
}

async function settle({ page }: Seat, settings: Settings): Promise<void> {
  const script = `${SCRIPT};window[Symbol.for('hansard.quiet')](${JSON.stringify(settings)})`
  // They run in the order in which they came: the last word counts.
  await page.addInitScript(script)
  await Promise.all(page.frames().map((frame) => apply(frame, script)))
}

async function apply(frame: Frame, script: string): Promise<void> {
  try {
    await frame.evaluate(script)
  } catch (error) {
    // A frame that is on its way elsewhere gets it there.
    if (!/destroyed|detached|navigat/i.test(messageOf(error))) throw error
  }
}
