import { readFileSync } from 'node:fs'
import type { Frame } from 'playwright-core'
import { errorMessageOf } from '../../../lib/error-code.ts'
import type { BrowserSlot } from '../pool/browser-slot.ts'

const SCRIPT = readFileSync(new URL('low-power.page.js', import.meta.url), 'utf8')

export type LowPowerOptions = {
  /** CSS selectors of video tiles. The elements keep their place and size in the page, but are not painted. */
  hiddenSelectors: readonly string[]
  /** Hides video tiles, stops animations and limits frames to two per second. One of the three alone saves nothing. */
  pausesAnimation?: boolean
  /** If false, video is declined when a connection is negotiated. */
  receivesVideo?: boolean
}
type Settings = Required<LowPowerOptions>

const LOW_POWER = { pausesAnimation: true, receivesVideo: false }
const FULL_POWER: Settings = { hiddenSelectors: [], pausesAnimation: false, receivesVideo: true }

/**
 * Makes a bot's page use less CPU. If called before the page opens, it applies from the first script on; later, from
 * then on. If a connection fails without video, the page gets video with its next connection. For other problems, the
 * caller uses `disableLowPower`.
 */
export function enableLowPower(slot: BrowserSlot, options: LowPowerOptions): Promise<void> {
  return applyToPage(slot, { ...LOW_POWER, ...options })
}

/** Ends the low-power mode of a bot's page, even for documents that the page opens later. */
export function disableLowPower(slot: BrowserSlot): Promise<void> {
  return applyToPage(slot, FULL_POWER)
}

/** The low-power settings that apply in the page now; null if low power was never enabled. */
export async function readPagePowerSettings(slot: BrowserSlot): Promise<Settings | null> {
  return slot.page.evaluate<Settings | null>(`window[Symbol.for('hansard.lowPower')]?.({}) ?? null`)
}

async function applyToPage({ page }: BrowserSlot, settings: Settings): Promise<void> {
  const script = `${SCRIPT};window[Symbol.for('hansard.lowPower')](${JSON.stringify(settings)})`
  // Init scripts run in the order in which they were added, so the newest settings win.
  await page.addInitScript(script)
  await Promise.all(page.frames().map((frame) => applyToFrame(frame, script)))
}

async function applyToFrame(frame: Frame, script: string): Promise<void> {
  try {
    await frame.evaluate(script)
  } catch (error) {
    // A frame that navigates gets the script with its next document.
    if (!/destroyed|detached|navigat/i.test(errorMessageOf(error))) throw error
  }
}
