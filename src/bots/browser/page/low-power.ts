import { readFileSync } from 'node:fs'
import type { Frame } from 'playwright-core'
import { messageOf } from '../../../lib/error-code.ts'
import type { BrowserSlot } from '../pool/browser-slot.ts'

const SCRIPT = readFileSync(new URL('low-power.page.js', import.meta.url), 'utf8')

export type LowPowerOptions = {
  /** What nobody needs to see: tiles with pictures, as CSS selectors. They stay in the page and keep their size. */
  hiddenSelectors: readonly string[]
  /** Together or not at all, since each alone saves nothing: hidden tiles, no animation, two frames a second. */
  pausesAnimation?: boolean
  /** Whether pictures of others may come in. They are not asked for in the negotiation of a connection. */
  receivesVideo?: boolean
}
type Settings = Required<LowPowerOptions>

const LOW_POWER = { pausesAnimation: true, receivesVideo: false }
const FULL_POWER: Settings = { hiddenSelectors: [], pausesAnimation: false, receivesVideo: true }

/**
 * Lets a page do less for a bot that only reads. Before the page is opened it counts from its first script on; later
 * it counts for what happens from then on. A platform that does not bear a connection without video gets it with
 * the next one by itself; a platform that notices anything else calls `loud`.
 */
export function enableLowPower(slot: BrowserSlot, wishes: LowPowerOptions): Promise<void> {
  return applyToPage(slot, { ...LOW_POWER, ...wishes })
}

/** Undoes it, also for pages that are opened later. */
export function disableLowPower(slot: BrowserSlot): Promise<void> {
  return applyToPage(slot, FULL_POWER)
}

/** What is in force in the page now; null when it has never been quiet. */
export async function readLowPower(slot: BrowserSlot): Promise<Settings | null> {
  return slot.page.evaluate<Settings | null>(`window[Symbol.for('hansard.lowPower')]?.({}) ?? null`)
}

async function applyToPage({ page }: BrowserSlot, settings: Settings): Promise<void> {
  const script = `${SCRIPT};window[Symbol.for('hansard.lowPower')](${JSON.stringify(settings)})`
  // They run in the order in which they came: the last word counts.
  await page.addInitScript(script)
  await Promise.all(page.frames().map((frame) => applyToFrame(frame, script)))
}

async function applyToFrame(frame: Frame, script: string): Promise<void> {
  try {
    await frame.evaluate(script)
  } catch (error) {
    // A frame that is on its way elsewhere gets it there.
    if (!/destroyed|detached|navigat/i.test(messageOf(error))) throw error
  }
}
